/** The tools of the results: columns, order, select all, and CSV. */
import { useAddressState } from '../../../look/address-state.ts'
import ColumnMenu from '../../../look/column-menu.tsx'
import { Download } from '../../../look/download.tsx'
import { FilterField } from '../../../look/filter-field.tsx'
import { count } from '../../../look/numbers.ts'
import { orderOf } from '../../../look/sorting.ts'
import { headingOf } from '../filters/words.ts'
import { searchAll, togetherMax, type View } from '../found.ts'
import type { Kind } from '../language.ts'
import { offered } from './columns.tsx'
import { csvOf } from './csv.ts'

const orders: Readonly<Record<Kind, readonly (readonly [value: string, label: string])[]>> = {
  company: [
    ['', 'by identifier'],
    ['dateOfIncorporation-', 'newest first'],
    ['dateOfIncorporation', 'oldest first'],
    ['paidUpCapital-', 'highest capital first'],
    ['company', 'by name'],
  ],
  gst: [
    ['', 'by identifier'],
    ['DateOfRegistration-', 'newest first'],
    ['DateOfRegistration', 'oldest first'],
    ['TradeName', 'by name'],
  ],
}

/** In the form the operation takes. @param text from the address. */
export function sortOf(text: string): View['sort'] {
  const order = orderOf(text)
  return order && { field: order.by, descending: order.isDescending }
}

/** The offered orders, plus the one chosen in the table's header. */
function ordersWith(type: Kind, sort: string): (typeof orders)[Kind] {
  const order = orderOf(sort)
  if (!order || orders[type].some(([value]) => value === sort)) return orders[type]
  return [...orders[type], [sort, `by ${headingOf(order.by)}${order.isDescending ? ', descending' : ''}`]]
}

export function Toolbar(props: {
  readonly query: string
  readonly type: Kind
  readonly view: View
  readonly total: number
  readonly choose: (columns: readonly string[]) => void
}) {
  const { query, type, view, total, choose } = props
  const [sort, setSort] = useAddressState('sort')
  return (
    <div className="toolbar">
      <FilterField label="Sort">
        {(id) => (
          <select id={id} value={sort} onChange={(event) => setSort(event.target.value)}>
            {ordersWith(type, sort).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </FilterField>
      <ColumnMenu
        button="Columns"
        offered={offered[type].map((field) => [field, headingOf(field)])}
        shown={view.columns}
        toggle={(field) => choose(offered[type].filter((each) => (each === field) !== view.columns.includes(each)))}
      />
      <Download
        label={total > togetherMax ? `Download the first ${count(togetherMax)} as CSV` : 'Download CSV'}
        name="search.csv"
        fetch={async () => csvOf(await searchAll(query, type, view, () => {}), view.columns)}
      />
    </div>
  )
}

/** How what was found is shown: its columns, its order, all of it at once, and as a file. */
import { Menu, MenuButton, MenuItemCheckbox, MenuProvider } from '@ariakit/react'
import { useAddressState } from '../../../look/address-state.ts'
import { Download } from '../../../look/download.tsx'
import { FilterField } from '../../../look/filter-field.tsx'
import { headingOf } from '../filters/words.ts'
import { searchAll, type View } from '../found.ts'
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

/** `paidUpCapital-`, as the address holds it: descending. */
export const sortOf = (text: string): View['sort'] =>
  text === '' ? undefined : { field: text.replace('-', ''), descending: text.endsWith('-') }

export function Toolbar(props: { readonly query: string; readonly type: Kind; readonly view: View }) {
  const { query, type, view } = props
  const [sort, setSort] = useAddressState('sort')
  return (
    <div className="toolbar">
      <FilterField label="Sort">
        {(id) => (
          <select id={id} value={sort} onChange={(event) => setSort(event.target.value)}>
            {orders[type].map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </FilterField>
      <ChooseColumns type={type} shown={view.columns} />
      <Download
        label="Download CSV"
        name="search.csv"
        fetch={async () => csvOf(await searchAll(query, type, view, () => {}), view.columns)}
      />
    </div>
  )
}

function ChooseColumns({ type, shown }: { readonly type: Kind; readonly shown: readonly string[] }) {
  const [, setColumns] = useAddressState('columns')
  const toggle = (field: string) =>
    setColumns(offered[type].filter((each) => (each === field) !== shown.includes(each)).join(','))
  return (
    <MenuProvider values={{ columns: [...shown] }}>
      <MenuButton>Columns</MenuButton>
      <Menu className="menu" gutter={4} aria-label="Columns to show">
        {offered[type].map((field) => (
          <MenuItemCheckbox
            key={field}
            className="menu-item"
            name="columns"
            value={field}
            onClick={() => toggle(field)}
          >
            <span aria-hidden="true">{shown.includes(field) ? '✓' : ''}</span>
            {headingOf(field)}
          </MenuItemCheckbox>
        ))}
      </Menu>
    </MenuProvider>
  )
}

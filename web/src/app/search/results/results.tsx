/**
 * The results in a table with chosen columns, from which leads are bought. Old results stay until the new ones arrive.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddressDetail, useAddressState, usePage } from '../../../look/address-state.ts'
import { useKeptColumns } from '../../../look/kept-columns.ts'
import { registerReach } from '../../../look/last-page.ts'
import { counted } from '../../../look/numbers.ts'
import { Pager } from '../../../look/pager.tsx'
import { Reading } from '../../../look/reading.tsx'
import { metered } from '../../../wire/queries.ts'
import { OrderThese } from '../../listed/order-these.tsx'
import { type Chosen, RecordTable } from '../../listed/record-table.tsx'
import type { Terms } from '../filters/terms.ts'
import { type Hit, search } from '../found.ts'
import type { Kind } from '../language.ts'
import { columnOf, columnsShown } from './columns.tsx'
import { nameColumn, reachColumn } from './marks.tsx'
import { NothingFound } from './nothing-found.tsx'
import { SelectAll } from './select-all.tsx'
import { sortOf, Toolbar } from './toolbar.tsx'

const limit = 25

interface ResultsProps {
  readonly query: string
  readonly type: Kind
  readonly terms: Terms
  readonly ask: (query: string) => void
}

export function Results({ query, type, terms, ask }: ResultsProps) {
  const [page] = usePage()
  const [columns, setColumns] = useAddressDetail('columns')
  // A link can name the columns; without them the last choice applies.
  const [kept, keep] = useKeptColumns(`found ${type}`)
  const choose = (fields: readonly string[]) => {
    keep(fields)
    setColumns(fields.join(','))
  }
  const [sort] = useAddressState('sort')
  const [chosen, setChosen] = useState<Chosen<Hit>>(new Map())
  const [isSelecting, setSelecting] = useState(false)
  const view = { columns: columnsShown(type, columns === '' ? kept : columns.split(','), terms), sort: sortOf(sort) }
  const found = useQuery({
    queryKey: ['search', type, query, page, view],
    queryFn: ({ signal }) => search(query, type, page, limit, view, signal),
    placeholderData: keepPreviousData,
    ...metered,
  })
  return (
    <Reading of={found} what="what was found">
      {({ hits, total, notice }) => (
        <>
          <div className="found-head">
            <h2>{counted(total, 'record')} found</h2>
            {total > 0 && <Toolbar {...{ query, type, view, total, choose }} />}
          </div>
          {notice && <p className="notice">{notice}</p>}
          {total === 0 ? (
            <NothingFound terms={terms} type={type} ask={ask} />
          ) : (
            <RecordTable
              caption="Records that were found"
              records={hits}
              chosen={chosen}
              choose={setChosen}
              acts={
                <>
                  <OrderThese records={[...chosen.values()]} isChanging={isSelecting} />
                  {total > hits.length && (
                    <SelectAll
                      {...{ query, type, view, total }}
                      isDone={chosen.size >= total}
                      choose={setChosen}
                      begins={setSelecting}
                    />
                  )}
                </>
              }
              empty=""
              columns={[nameColumn(type, terms), ...view.columns.map(columnOf), reachColumn]}
            />
          )}
          <Pager total={total} limit={limit} one="record" reach={registerReach} />
        </>
      )}
    </Reading>
  )
}

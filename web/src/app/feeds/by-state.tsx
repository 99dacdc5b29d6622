/** New registrations by state, as a map and a table; choosing a state filters by it. */
import { DataTable } from '../../look/data-table.tsx'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { StateCounts } from '../../look/state-map.tsx'
import type { RecordType } from '../listed/record-table.tsx'
import { type Filter, useSummary } from './read-feed.tsx'

export function ByState(props: {
  readonly type: RecordType
  readonly filter: Filter
  readonly choose: (state: string) => void
}) {
  const { type, filter, choose } = props
  const summary = useSummary(type, filter)
  return (
    <Reading of={summary} what="the counts">
      {({ by_state }) => (
        <>
          <h2>By state</h2>
          <div className="side-by-side">
            <StateCounts
              label="Registrations by state; choose one to see only it"
              amounts={amountsOf(by_state)}
              chosen={filter.state ?? ''}
              choose={choose}
            />
            <DataTable
              caption="Registrations by state"
              rows={by_state}
              keyOf={(row) => row.state ?? ''}
              empty={<p>No registrations on those days. Choose other days.</p>}
              columns={[
                {
                  head: 'State',
                  by: ({ state }) => state,
                  cell: ({ state }) =>
                    state ? (
                      <button type="button" className="as-link" onClick={() => choose(state)}>
                        {state}
                      </button>
                    ) : (
                      'not known'
                    ),
                },
                { head: 'Registrations', by: ({ total }) => total, number: count },
              ]}
            />
          </div>
        </>
      )}
    </Reading>
  )
}

/** Spellings of the same state are counted together. */
function amountsOf(rows: readonly { readonly state: string | null; readonly total: number }[]) {
  const amounts = new Map<string, number>()
  for (const { state, total } of rows) {
    if (state !== null) amounts.set(state, (amounts.get(state) ?? 0) + total)
  }
  return amounts
}

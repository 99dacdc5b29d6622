/** The days of the plot as a list; choosing one filters by it. Days without a registration are left out. */
import { DataTable } from '../../look/data-table.tsx'
import { Day } from '../../look/moment.tsx'
import { count } from '../../look/numbers.ts'
import { type DayCount, totalsOf } from './days-of.ts'

export function Days({ of, choose }: { readonly of: readonly DayCount[]; readonly choose: (day: string) => void }) {
  const rows = totalsOf(of)
    .filter(([, total]) => total > 0)
    .map(([at, total]) => ({ day: new Date(at * 1000).toISOString().slice(0, 10), total }))
    .toReversed()
  return (
    <details>
      <summary>Choose a day</summary>
      <DataTable
        caption="Registrations by day"
        rows={rows}
        keyOf={({ day }) => day}
        empty={null}
        columns={[
          {
            head: 'Day',
            by: ({ day }) => day,
            cell: ({ day }) => (
              <button type="button" className="as-link" onClick={() => choose(day)}>
                <Day on={day} />
              </button>
            ),
          },
          { head: 'Registrations', by: ({ total }) => total, number: count },
        ]}
      />
    </details>
  )
}

/** Capital over time, from the history: each day on which a snapshot had another amount. */
import { DataTable } from '../../look/data-table.tsx'
import { Day } from '../../look/moment.tsx'
import { headingOf, isAmount, shownValue } from '../search/filters/words.ts'

export interface Change {
  readonly entity: string
  readonly as_of: string
  readonly changes: readonly { readonly field: string; readonly after?: unknown }[]
}

export function CapitalOverTime({ of: history }: { readonly of: readonly Change[] }) {
  const steps = history
    .filter(({ entity }) => entity === 'company')
    .flatMap(({ as_of, changes }) =>
      changes.flatMap(({ field, after }) =>
        isAmount(field) && typeof after === 'number' ? [{ as_of, field, after }] : [],
      ),
    )
  if (steps.length === 0) return null
  return (
    <section>
      <h3>Capital over time</h3>
      <DataTable
        caption="Capital over time"
        rows={steps}
        keyOf={({ as_of, field }) => `${as_of} ${field}`}
        empty=""
        columns={[
          { head: 'As of', by: ({ as_of }) => as_of, cell: ({ as_of }) => <Day on={as_of} /> },
          { head: 'Which', by: ({ field }) => headingOf(field) },
          {
            head: 'Amount',
            by: ({ after }) => Number(after),
            cell: ({ field, after }) => shownValue(field, String(after)),
            number: true,
          },
        ]}
      />
    </section>
  )
}

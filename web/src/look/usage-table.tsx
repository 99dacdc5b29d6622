/** An account's usage by day, next to its plan's limits, for operators and for the account. */

import { Suspense } from 'react'
import type { components } from '../../../client/api-types.ts'
import { DataTable } from './data-table.tsx'
import { lazyPart } from './lazy-part.tsx'
import { Day } from './moment.tsx'
import { bytes, count } from './numbers.ts'

const LinePlot = lazyPart(() => import('./line-plot.tsx'))
/** The period that both pages request. */
export const usageDays = 30
const amount = (kind: string, used: number): string => (kind.endsWith('bytes') ? bytes(used) : count(used))
/** Labels of the counters, where the name is not clear to a reader. */
const words: Readonly<Record<string, string>> = {
  search: 'searches',
  details: 'records opened',
  screener: 'screener searches',
  feed_records: 'records of the feeds',
  unknown_items: 'ordered items not found in a register',
  quoted_items: 'items quoted',
  ordered_items: 'items ordered',
  kept_answers: 'stored responses (Idempotency-Key)',
  written_bytes: 'bytes stored',
}
const worded = (kind: string): string => words[kind] ?? kind.replaceAll('_', ' ')

type UsedOnDay = components['schemas']['UsedOnDay']

export function UsageTable(props: {
  readonly limits: Readonly<Record<string, number | null>>
  /** The requested days; those without usage are left out. */
  readonly newestFirst: readonly UsedOnDay[]
}) {
  const { limits, newestFirst } = props
  const today = newestFirst[0]?.used ?? {}
  const seen = newestFirst.flatMap(({ used }) => Object.keys(used))
  const kinds = [...new Set([...Object.keys(limits), ...seen])]
  const drawn = [...new Set(seen)].filter((kind) => !kind.endsWith('bytes'))
  const steps = newestFirst.toReversed()
  return (
    <>
      {drawn.length > 0 && newestFirst.length > 1 && (
        <Suspense fallback={<p role="status">Drawing what was used …</p>}>
          <LinePlot
            summary={`Use by day, over ${newestFirst.length} days`}
            steps={steps.map(({ day }) => day)}
            lines={drawn.map((kind) => ({ label: worded(kind), values: steps.map(({ used }) => used[kind] ?? 0) }))}
          />
        </Suspense>
      )}
      <DataTable
        caption="Use and limits"
        rows={kinds}
        keyOf={(kind) => kind}
        empty={<p>Nothing was used in the last {usageDays} days.</p>}
        columns={[
          { head: 'What', by: worded },
          {
            head: 'Today',
            by: (kind) => today[kind] ?? 0,
            cell: (kind) => amount(kind, today[kind] ?? 0),
            number: true,
          },
          {
            head: 'A day at most',
            cell: (kind) => {
              const limit = limits[kind]
              return limit === undefined ? '–' : limit === null ? 'no limit' : amount(kind, limit)
            },
            number: true,
          },
          {
            head: `In ${usageDays} days`,
            cell: (kind) =>
              amount(
                kind,
                newestFirst.reduce((sum, { used }) => sum + (used[kind] ?? 0), 0),
              ),
            number: true,
          },
          {
            head: 'Most on one day',
            cell: (kind) => {
              const most = newestFirst.toSorted((a, b) => (b.used[kind] ?? 0) - (a.used[kind] ?? 0))[0]
              return most?.used[kind] ? (
                <>
                  {amount(kind, most.used[kind])}, <Day on={most.day} />
                </>
              ) : (
                '–'
              )
            },
          },
        ]}
      />
    </>
  )
}

/** The events of a run in order: requested, started, its steps with their seconds, approved, ended. */
import type { ReactNode } from 'react'
import { Bar } from '../../look/bar.tsx'
import { Moment } from '../../look/moment.tsx'
import { counted } from '../../look/numbers.ts'
import type { Run } from './run-reads.ts'
import { inWords } from './run-table.tsx'

/** In order of execution. */
const steps = [
  ['fetch', 'Fetched', 'plain'],
  ['stage', 'Read and staged', 'main'],
  ['match', 'Matched', 'faint'],
  ['check', 'Checked', 'good'],
  ['merge', 'Merged', 'warn'],
] as const

export function RunTimeline({ run }: { readonly run: Run }) {
  const { created_at, started_at, approved_at, finished_at, status, seconds } = run
  const attempt = Number(run['attempt'] ?? 0)
  const spent = secondsOf(run)
  const moments: readonly (readonly [at: string | null, what: ReactNode])[] = [
    [created_at, `Requested by ${String(run['requested_by'] ?? 'somebody')}`],
    [started_at, attempt > 1 ? `Started, ${ordinal(attempt)} attempt` : 'Started'],
    [approved_at, 'Approved'],
    [
      finished_at,
      `Ended: ${inWords(status)}${seconds === null ? '' : `, after ${counted(seconds, 'second')} of work`}`,
    ],
  ]
  return (
    <section>
      <h2>How it went</h2>
      <ol className="timeline">
        {moments.map(([at, what]) =>
          at === null ? null : (
            <li key={String(what)}>
              <Moment at={at} /> · {what}
            </li>
          ),
        )}
      </ol>
      {spent.length > 0 && <Bar label="Seconds by step" parts={spent} />}
    </section>
  )
}

function secondsOf({ report }: Run) {
  const spent = report['seconds']
  if (typeof spent !== 'object' || spent === null) return []
  const seconds = spent as Readonly<Record<string, number>>
  return steps.flatMap(([step, name, tone]) => {
    const amount = seconds[step]
    if (amount === undefined) return []
    return { name, amount, tone, display: `${amount.toLocaleString('en-IN', { maximumFractionDigits: 2 })} s` }
  })
}

const rules = new Intl.PluralRules('en-IN', { type: 'ordinal' })
const endings: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (place: number): string => `${place}${endings[rules.select(place)] ?? 'th'}`

/** The freshness of each register: its recent imports, one tick per day, and when the last one succeeded. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { age } from '../look/moment.tsx'
import type { Overview } from './overview.ts'
import { DayTicks } from './runs/day-ticks.tsx'
import { readRuns } from './runs/run-reads.ts'

const days = 30

export function Freshness({ overview: { sources } }: { readonly overview: Overview }) {
  const imported = sources.filter(({ last_run_id }) => last_run_id !== null)
  if (imported.length === 0) return null
  return (
    <section className="card freshness" aria-labelledby="freshness">
      <h2 id="freshness">Imports of the last {days} days</h2>
      {imported.map((source) => (
        <Row key={source.source} of={source} />
      ))}
    </section>
  )
}

function Row({ of: { source, taken_in_at } }: { readonly of: Overview['sources'][number] }) {
  const runs = useQuery({
    queryKey: ['runs', 'of', source],
    queryFn: () => readRuns({ source, limit: 100 }),
    refetchInterval: 30_000,
  })
  return (
    <div className="freshness-row">
      <Link href={`/sources/${source}`}>{source}</Link>
      <DayTicks runs={runs.data?.data ?? []} source={source} days={days} />
      <span className="faint">{taken_in_at ? age(taken_in_at) : 'never'}</span>
    </div>
  )
}

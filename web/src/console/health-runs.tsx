/** Import cards: runs that need approval, failed runs, and the age of each register. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Card } from '../look/card.tsx'
import { age, Moment } from '../look/moment.tsx'
import { counted } from '../look/numbers.ts'
import { Reading } from '../look/reading.tsx'
import type { Overview } from './overview.ts'
import { ImportAgain } from './runs/import-again.tsx'
import { RunActs } from './runs/run-acts.tsx'
import { readRuns } from './runs/run-reads.ts'
import { isLate, useSchedules } from './schedule-reads.ts'

interface Shown {
  readonly overview: Overview
}

export function WaitingRuns({ overview: { sources } }: Shown) {
  const waiting = sources.flatMap(({ source, waiting_runs }) => waiting_runs.map((run_id) => ({ source, run_id })))
  return waiting.length === 0 ? <NoneWaits /> : <DecideOnRuns total={waiting.length} />
}

function NoneWaits() {
  return (
    <Card title="Imports that need approval" tone="good" word="none">
      <p>No import needs approval.</p>
    </Card>
  )
}

/** Schedules that are held until the run is decided. */
function HeldSchedules({ run }: { readonly run: number }) {
  const schedules = useSchedules()
  const held = (schedules.data?.data ?? []).filter(({ held_by, paused }) => !paused && held_by?.run_id === run)
  const since = held[0]?.held_by?.since
  if (since === undefined) return null
  const names = held.map(({ name }) => name).join(', ')
  return (
    <p>
      Holds <Link href="/schedules">{names}</Link> since <Moment at={since} />
    </p>
  )
}

function DecideOnRuns({ total }: { readonly total: number }) {
  const runs = useQuery({
    queryKey: ['runs', 'that', 'needs_approval', total],
    queryFn: () => readRuns({ status: 'needs_approval', limit: 5 }),
  })
  // Already decided; the next overview will say so.
  if (runs.data?.total === 0) return <NoneWaits />
  return (
    <Card
      title="Imports that need approval"
      tone="warn"
      word={counted(total, 'import')}
      acts={total > 5 && <Link href="/runs?status=needs_approval">All of them</Link>}
    >
      <Reading of={runs} what="the imports that need approval">
        {({ data }) =>
          data.map((run) => (
            <div key={run.run_id}>
              <p>
                <Link href={`/runs/${run.run_id}`}>{`Import ${run.run_id} of ${run.source}`}</Link>,{' '}
                {age(run.created_at)}
              </p>
              <HeldSchedules run={run.run_id} />
              <div className="acts">
                <RunActs run={run} />
              </div>
            </div>
          ))
        }
      </Reading>
    </Card>
  )
}

export function FailedRuns({ overview: { sources } }: Shown) {
  const schedules = useSchedules()
  const failed = sources.filter(({ last_status }) => last_status === 'failed')
  return (
    <Card
      title="Failed imports"
      tone={failed.length > 0 ? 'bad' : 'good'}
      word={failed.length > 0 ? counted(failed.length, 'source') : 'none'}
      acts={<Link href="/runs?status=failed">All failed imports</Link>}
    >
      {failed.length === 0 && <p>No source failed on its last import.</p>}
      {failed.map(({ source, last_run_id }) => (
        <div key={source}>
          <p>
            <Link href={`/runs/${last_run_id}`}>{`See why import ${last_run_id} of ${source} failed`}</Link>
          </p>
          <ImportAgain source={source} schedules={schedules.data?.data ?? []} />
        </div>
      ))}
    </Card>
  )
}

export function Registers({ overview: { sources } }: Shown) {
  const schedules = useSchedules()
  const taken = sources.filter(({ taken_in_at }) => taken_in_at !== null)
  const late = sources.filter(({ source, taken_in_at }) => isLate(taken_in_at, source, schedules.data?.data ?? []))
  const [tone, word] =
    late.length > 0
      ? (['bad', `${counted(late.length, 'source')} late`] as const)
      : taken.length > 0
        ? (['good', `${taken.length} of ${counted(sources.length, 'source')}`] as const)
        : (['warn', 'empty'] as const)
  return (
    <Card title="Registers" tone={tone} word={word} acts={<Link href="/sources">All sources</Link>}>
      {late.map(({ source }) => (
        <div key={source}>
          <p>
            <Link href={`/sources/${source}`}>{source}</Link> is late: its slot passed, and nothing was imported since.
          </p>
          <ImportAgain source={source} schedules={schedules.data?.data ?? []} />
        </div>
      ))}
      {taken.length === 0 && (
        <p>
          Nothing was imported yet. <Link href="/import">Import the first file</Link>
        </p>
      )}
      {taken
        .toSorted((a, b) => Date.parse(b.taken_in_at ?? '') - Date.parse(a.taken_in_at ?? ''))
        .slice(0, 5)
        .map(({ source, taken_in_at }) => (
          <p key={source}>
            <Link href={`/sources/${source}`}>{source}</Link>, {age(taken_in_at ?? '')}
          </p>
        ))}
    </Card>
  )
}

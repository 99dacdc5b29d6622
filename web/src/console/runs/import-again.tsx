/** The fix for a source that failed or is late: run its schedule now, or import the right file. */
import { Link } from 'wouter'
import { useMay } from '../operator.ts'
import { RunSchedule } from '../run-schedule.tsx'
import { nextOf, type Schedule } from '../schedule-reads.ts'

export function ImportAgain({
  source,
  schedules,
}: {
  readonly source: string
  readonly schedules: readonly Schedule[]
}) {
  const may = useMay('operator')
  if (!may) return null
  const schedule = nextOf(source, schedules)
  return (
    <div className="acts">
      {schedule && <RunSchedule name={schedule.name} label={`Run ${schedule.name} now`} />}
      <Link href={`/import?source=${source}`}>Import a file</Link>
    </div>
  )
}

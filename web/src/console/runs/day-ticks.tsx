/** A source's recent days in Indian time, one tick each. A day without a run is an empty tick. */
import { Link } from 'wouter'
import type { Tone } from '../../look/badge.tsx'
import { indianDay } from '../../look/indian-day.ts'
import { type Run, toneOfRun } from './run-reads.ts'
import { inWords } from './run-table.tsx'

const dayMs = 86_400_000
const severity: readonly Tone[] = ['plain', 'good', 'warn', 'bad']
const shown = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeZone: 'Asia/Kolkata' })

export function DayTicks(props: { readonly runs: readonly Run[]; readonly source: string; readonly days?: number }) {
  const { runs, source, days = 60 } = props
  const byDay = Map.groupBy(runs, ({ created_at }) => indianDay(new Date(created_at)))
  const now = Date.now()
  const ticks = Array.from({ length: days }, (_, index) => new Date(now - (days - 1 - index) * dayMs))
  return (
    <div className="day-ticks" style={{ gridTemplateColumns: `repeat(${days}, minmax(0, 1fr))` }}>
      {ticks.map((date) => (
        <Tick key={date.getTime()} day={shown.format(date)} runs={byDay.get(indianDay(date)) ?? []} {...{ source }} />
      ))}
    </div>
  )
}

function Tick(props: { readonly day: string; readonly runs: readonly Run[]; readonly source: string }) {
  const { day, runs, source } = props
  const [worst] = runs.toSorted((a, b) => severityOf(b) - severityOf(a))
  if (!worst) return <span className="tick none" />
  const label =
    runs.length === 1
      ? `${day}: import ${worst.run_id}, ${inWords(worst.status)}`
      : `${day}: ${runs.length} imports, import ${worst.run_id} ${inWords(worst.status)}`
  const href = runs.length === 1 ? `/runs/${worst.run_id}` : `/runs?source=${encodeURIComponent(source)}`
  return <Link href={href} className={`tick ${toneOfRun(worst)}`} aria-label={label} />
}

const severityOf = (run: Run): number => severity.indexOf(toneOfRun(run))

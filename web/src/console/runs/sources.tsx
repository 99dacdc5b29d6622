/** Each source with sixty days of ticks, today at the right: each shows the day's worst run and links to it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { age, Moment } from '../../look/moment.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { type Overview, useOverview } from '../overview.ts'
import { isLate, nextOf, type Schedule, useSchedules } from '../schedule-reads.ts'
import { DayTicks } from './day-ticks.tsx'
import { ImportAgain } from './import-again.tsx'
import { readRuns } from './run-reads.ts'

const limit = 100

export default function Sources() {
  const overview = useOverview()
  const schedules = useSchedules()
  return (
    <Page title="Sources" lead="What is imported, and how it went on each of the last sixty days.">
      <Reading of={overview} what="the sources">
        {({ sources }) => (
          <>
            {sources.every(({ last_run_id }) => last_run_id === null) && (
              <div className="empty">
                <p>
                  Nothing was imported yet. <Link href="/import">Import the first file.</Link>
                </p>
              </div>
            )}
            {sources.map((source) => (
              <SourceRow key={source.source} of={source} schedules={schedules.data?.data ?? []} />
            ))}
          </>
        )}
      </Reading>
    </Page>
  )
}

function SourceRow(props: { readonly of: Overview['sources'][number]; readonly schedules: readonly Schedule[] }) {
  const { of, schedules } = props
  const { source, taken_in_at, last_run_id } = of
  const next = nextOf(source, schedules)?.next_run
  const late = isLate(taken_in_at, source, schedules)
  const runs = useQuery({
    queryKey: ['runs', 'of', source],
    queryFn: () => readRuns({ source, limit }),
    enabled: last_run_id !== null,
    refetchInterval: 30_000,
  })
  return (
    <section className="source" aria-label={source}>
      <h2>
        <Link href={`/sources/${source}`}>{source}</Link>
      </h2>
      <p className="faint">
        {taken_in_at ? `Last imported ${age(taken_in_at)}` : 'Never imported completely'}
        {runs.data && `, ${counted(runs.data.total, 'import')} in all`}
        {next && (
          <>
            , next <Moment at={next} />
          </>
        )}
        {late && (
          <>
            {' '}
            <Badge tone="bad">late</Badge>
          </>
        )}
      </p>
      {late && <ImportAgain source={source} schedules={schedules} />}
      {last_run_id !== null && (
        <Reading of={runs} what={`the imports of ${source}`}>
          {({ data }) => <DayTicks runs={data} source={source} />}
        </Reading>
      )}
    </section>
  )
}

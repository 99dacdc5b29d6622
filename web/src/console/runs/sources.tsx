/** Each source with its last runs as ticks, the newest at the right; a tick leads to its run. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { age } from '../../look/moment.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { type Run, readRuns, toneOf } from './run-reads.ts'
import { inWords } from './run-table.tsx'

const limit = 100

export default function Sources() {
  const runs = useQuery({ queryKey: ['runs', 'sources'], queryFn: () => readRuns({ limit }), refetchInterval: 15_000 })
  return (
    <Page title="Sources" lead="What is taken in, from where, and how it went lately.">
      <Reading of={runs} what="the sources">
        {({ data }) =>
          data.length === 0 ? (
            <div className="empty">
              <p>
                Nothing was taken in yet. Begin with <code>npx panji ingest mca-companies FILE --as-of DAY</code>.
              </p>
            </div>
          ) : (
            <div className="cards">
              {bySource(data).map(([source, its]) => (
                <SourceCard key={source} source={source} runs={its} />
              ))}
            </div>
          )
        }
      </Reading>
    </Page>
  )
}

function SourceCard({ source, runs }: { readonly source: string; readonly runs: readonly Run[] }) {
  const fresh = runs.find(({ status }) => status === 'succeeded' || status === 'no_op')
  return (
    <section className="card" aria-label={source}>
      <h2>
        <Link href={`/runs?source=${encodeURIComponent(source)}`}>{source}</Link>
      </h2>
      <p>{fresh ? `Last taken in ${age(fresh.finished_at ?? fresh.created_at)}` : 'Never taken in whole'}</p>
      <div className="ticks">
        {runs.toReversed().map(({ run_id, status }) => (
          <Link
            key={run_id}
            href={`/runs/${run_id}`}
            className={`tick ${toneOf(status)}`}
            aria-label={`Run ${run_id}: ${inWords(status)}`}
            title={`Run ${run_id}: ${inWords(status)}`}
          />
        ))}
      </div>
    </section>
  )
}

function bySource(runs: readonly Run[]): [string, readonly Run[]][] {
  return Object.entries(Object.groupBy(runs, ({ source }) => source))
    .map(([source, its]): [string, readonly Run[]] => [source, its ?? []])
    .sort(([a], [b]) => a.localeCompare(b))
}

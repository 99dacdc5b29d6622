/** One run: where it stands, its counts, what was found, and for one that waits the word that lets it go on or ends it. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { Bar } from '../../look/bar.tsx'
import { Facts, plain } from '../../look/facts.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { RunActs } from './run-acts.tsx'
import { RunPreview } from './run-preview.tsx'
import { RunProgress } from './run-progress.tsx'
import { isUnderWay, type Run, readRun, toneOf } from './run-reads.ts'
import { RunReport } from './run-report.tsx'
import { inWords } from './run-table.tsx'
import { RunTimeline } from './run-timeline.tsx'

export default function RunPage() {
  const { id = '' } = useParams()
  const run = useQuery({
    queryKey: ['runs', 'one', id],
    queryFn: () => readRun(id),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? 1_500 : 15_000),
  })
  return (
    <Page title={`Run ${id}`} acts={run.data && <RunActs run={run.data} />}>
      <Reading of={run} what="the run">
        {(data) => <Told run={data} />}
      </Reading>
    </Page>
  )
}

function Told({ run }: { readonly run: Run }) {
  const { status, source, sha256 } = run
  return (
    <>
      <p role="status">
        <Badge tone={toneOf(status)}>{inWords(status)}</Badge> {isUnderWay(run) && <RunProgress run={run} />}
      </p>
      <Facts
        of={[
          [
            'Source',
            <Link key="source" href={`/sources/${source}`}>
              {source}
            </Link>,
          ],
          ['As of', plain(run['as_of'])],
          ['Mode', plain(run['mode'])],
          ['File', plain(run['input'])],
          ['Takes back', run.undoes?.join(', ')],
          [
            'Taken back by',
            run.undone_by && <Link key="undone" href={`/runs/${run.undone_by}`}>{`Run ${run.undone_by}`}</Link>,
          ],
          ['SHA-256', sha256 && <code key="sha">{sha256}</code>],
        ]}
      />
      <Counts run={run} />
      {status === 'needs_approval' && <RunPreview run={run} />}
      <RunTimeline run={run} />
      <RunReport run={run} />
    </>
  )
}

function Counts({ run }: { readonly run: Run }) {
  const parts = [
    ['New', run.inserted, 'good'],
    ['Changed', run.updated, 'main'],
    ['As before', run.unchanged, 'plain'],
    ['Left alone', run.left_alone, 'warn'],
    ['Refused', run.rejected, 'bad'],
  ] as const
  return (
    <section>
      <h2>{counted(run.rows_read, 'row')} read</h2>
      <Bar
        label="What became of the rows"
        parts={parts.map(([name, amount, tone]) => ({ name, amount, tone, told: count(amount) }))}
      />
      <p>
        {run.closed > 0 ? `${counted(run.closed, 'record')} closed, which the file lacks.` : 'No record was closed.'}{' '}
        {run.rejected > 0 && <Link href={`/runs/${run.run_id}/rejects`}>See the refused rows</Link>}
      </p>
    </section>
  )
}

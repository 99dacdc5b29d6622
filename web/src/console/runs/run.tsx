/** One run: where it stands, its counts, what was found, and for one that waits the word that lets it go on or ends it. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { Facts, plain } from '../../look/facts.tsx'
import { Moment } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { RunActs } from './run-acts.tsx'
import { RunPreview } from './run-preview.tsx'
import { isUnderWay, type Run, readRun, toneOf } from './run-reads.ts'
import { RunReport } from './run-report.tsx'
import { inWords } from './run-table.tsx'

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
  const { status, source, created_at, started_at, finished_at, approved_at, seconds, sha256 } = run
  return (
    <>
      <p role="status">
        <Badge tone={toneOf(status)}>{inWords(status)}</Badge> {isUnderWay(run) && progressOf(run)}
      </p>
      <Facts
        of={[
          ['Source', source],
          ['As of', plain(run['as_of'])],
          ['File', plain(run['input'])],
          ['Asked for', <Moment key="created" at={created_at} />],
          ['Began', started_at && <Moment key="started" at={started_at} />],
          ['Let through', approved_at && <Moment key="approved" at={approved_at} />],
          ['Ended', finished_at && <Moment key="finished" at={finished_at} />],
          ['Took', seconds === null ? null : counted(seconds, 'second')],
          ['Takes back', run.undoes?.join(', ')],
          [
            'Taken back by',
            run.undone_by && <Link key="undone" href={`/runs/${run.undone_by}`}>{`Run ${run.undone_by}`}</Link>,
          ],
          ['SHA-256', sha256 && <code key="sha">{sha256}</code>],
        ]}
      />
      <Counts run={run} />
      {status === 'needs_approval' && <RunPreview id={run.run_id} />}
      <RunReport report={run.report} error={run['error']} />
    </>
  )
}

function progressOf({ progress }: Run): string {
  const { step, rows, bytes_read, bytes_total } = progress
  const part = bytes_read && bytes_total ? `, ${Math.round((100 * bytes_read) / bytes_total)} % of the file` : ''
  return `${step ?? 'waits for a worker'}${rows === undefined ? '' : `, ${counted(rows, 'row')}`}${part}`
}

function Counts({ run }: { readonly run: Run }) {
  const parts = [
    ['New', run.inserted],
    ['Changed', run.updated],
    ['As before', run.unchanged],
    ['Left alone', run.left_alone],
    ['Closed', run.closed],
    ['Refused', run.rejected],
  ] as const
  return (
    <section>
      <h2>{counted(run.rows_read, 'row')} read</h2>
      <Facts of={parts.map(([name, value]) => [name, count(value)])} />
    </section>
  )
}

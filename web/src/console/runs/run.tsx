/** One run: its status, counts and findings, and its approval where one is needed. */
import { Link, useParams } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { Bar } from '../../look/bar.tsx'
import { Facts, plain } from '../../look/facts.tsx'
import { Day } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { useSchedules } from '../schedule-reads.ts'
import { ImportAgain } from './import-again.tsx'
import { ImportAs, otherSourceOf } from './import-as.tsx'
import { RunActs } from './run-acts.tsx'
import { RunChanges } from './run-changes.tsx'
import { RunFailure } from './run-failure.tsx'
import { RunPreview } from './run-preview.tsx'
import { RunProgress } from './run-progress.tsx'
import { isUnderWay, type Run, toneOfRun } from './run-reads.ts'
import { RunReport } from './run-report.tsx'
import { fileName, inWords } from './run-table.tsx'
import { RunTimeline } from './run-timeline.tsx'
import { useRun } from './use-run.ts'

export default function RunPage() {
  const { id = '' } = useParams()
  const { run, isLive } = useRun(id)
  return (
    <Page title={`Import ${id}`} acts={run.data && <Acts run={run.data} />}>
      <Reading of={run} what="the import">
        {(data) => <Report run={data} isLive={isLive} />}
      </Reading>
    </Page>
  )
}

function Acts({ run }: { readonly run: Run }) {
  const schedules = useSchedules()
  if (run.status !== 'failed') return <RunActs run={run} />
  const other = otherSourceOf(run)
  if (other !== undefined) return <ImportAs run={run} source={other} />
  return <ImportAgain source={run.source} schedules={schedules.data?.data ?? []} />
}

function Report({ run, isLive }: { readonly run: Run; readonly isLive: boolean }) {
  const { status, source, sha256, decision, undo } = run
  return (
    <>
      <p role="status">
        <Badge tone={toneOfRun(run)}>{inWords(status)}</Badge> {isUnderWay(run) && <RunProgress run={run} />}{' '}
        {isUnderWay(run) && (
          <span className="faint">{isLive ? 'Updates as it happens.' : 'Updates every second or two.'}</span>
        )}
      </p>
      <RunFailure run={run} />
      <Facts
        of={[
          [
            'Source',
            <Link key="source" href={`/sources/${source}`}>
              {source}
            </Link>,
          ],
          ['As of', typeof run['as_of'] === 'string' && <Day key="as-of" on={run['as_of']} />],
          ['Mode', plain(run['mode'])],
          ['File', <code key="file">{isUpload(run.input) ? fileName(run.input) : run.input}</code>],
          ['Decided', decision && decided(decision)],
          [
            'Undoes',
            run.undoes?.map((id, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <Link href={`/runs/${id}`}>{`Import ${id}`}</Link>
              </span>
            )),
          ],
          ['Why', undo?.reason],
          [
            'Undone by',
            run.undone_by && <Link key="undone" href={`/runs/${run.undone_by}`}>{`Import ${run.undone_by}`}</Link>,
          ],
          ['SHA-256', sha256 && <code key="sha">{sha256}</code>],
        ]}
      />
      {typeof run.report['reason'] === 'string' && !run.undoes && <p className="notice">{run.report['reason']}</p>}
      {status !== 'needs_approval' && !(status === 'failed' && run.rows_read === 0) && <Counts run={run} />}
      {(status === 'needs_approval' || status === 'previewed') && <RunPreview run={run} />}
      {status === 'succeeded' && <RunChanges run={run} />}
      <RunTimeline run={run} />
      <RunReport run={run} />
    </>
  )
}

const decided = ({ outcome, by, reason, supersede }: NonNullable<Run['decision']>): string =>
  `${outcome} by ${by}${supersede ? ', over newer runs' : ''}: ${reason}`

function Counts({ run }: { readonly run: Run }) {
  const parts = [
    ['New', run.inserted, 'good'],
    ['Changed', run.updated, 'main'],
    ['As before', run.unchanged, 'plain'],
    ['Skipped', run.skipped, 'warn'],
    ['Rejected', run.rejected, 'bad'],
  ] as const
  return (
    <section>
      <h2>{counted(run.rows_read, 'row')} read</h2>
      <Bar
        label="What became of the rows"
        parts={parts.map(([name, amount, tone]) => ({ name, amount, tone, display: count(amount) }))}
      />
      <p>
        {run.status === 'previewed'
          ? `A dry run: nothing was written. ${counted(run.closed, 'record')} would be closed.`
          : run.closed > 0
            ? `${counted(run.closed, 'record')} closed, which the file lacks.`
            : !isUnderWay(run) && 'No record was closed.'}{' '}
        {run.rejected > 0 && <Link href={`/runs/${run.run_id}/rejects`}>See the rejected rows</Link>}
      </p>
    </section>
  )
}

/** The path of an upload on the machine means nothing to an operator. */
const isUpload = (input: string): boolean => /\/uploads\/[\da-f-]{36}\//.test(input)

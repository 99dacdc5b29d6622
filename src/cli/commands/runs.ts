/** `panji runs`: the latest ingest runs, or one with its report. */
import { InvalidArgumentError } from 'commander'
import getRun from '../../api/operations/runs/get.ts'
import listRuns from '../../api/operations/runs/list.ts'
import { readRun } from '../../ingest/run/runs.ts'
import { isAtRest } from '../../ingest/run/transitions.ts'
import { workerIsPresent } from '../../queue/worker-presence.ts'
import { table } from '../output.ts'
import { runText, type ShownRun } from '../run-text.ts'
import { noteOthers } from '../short-list.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { followRun } from './follow-run.ts'
import { onOperations } from './on-operations.ts'

const shownMax = 50

export const declareRuns: Declare = (program, run) => {
  program
    .command('runs')
    .description('list the latest ingest runs, or show one')
    .addHelpText('after', prints('the runs'))
    .argument('[run_id]', 'a run; `list`, or nothing, for the latest', runOrList)
    .option('--watch', 'with a run: follow its progress until it rests')
    .action((runId: number | undefined, { watch = false }: { watch?: boolean }) => {
      if (watch && runId === undefined) throw new WrongUsage('--watch needs a run: `panji runs 12 --watch`')
      return onOperations(run, 'runs', async ({ call }, context, { db, lock }) => {
        if (runId === undefined) {
          const { data, total } = await call(listRuns, { query: { limit: shownMax } })
          context.out.answer(data, runTable)
          noteOthers(context, data.length, total)
          return
        }
        if (watch) {
          const found = await readRun(db, runId)
          if (found && !isAtRest(found.status) && !(await workerIsPresent(db))) {
            const way = lock ? 'end this command and run `npx panji start`, which has one' : '`npx panji start` has one'
            context.out.note(`No worker is online: ${way}, and the run continues then.`)
          }
          await followRun(context, db, runId)
        }
        context.out.answer([await call(getRun, { params: { id: String(runId) } })], (runs) =>
          runs.map(runText).join('\n'),
        )
      })
    })
}

const runOrList = (text: string): number | undefined => (text === 'list' ? undefined : runIdArgument(text))

export function runIdArgument(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A run ID is a whole number.')
  return Number(text)
}

function runTable(runs: readonly ShownRun[]): string {
  const headings = [
    'run',
    'source',
    'status',
    'read',
    'inserted',
    'updated',
    'unchanged',
    'skipped',
    'closed',
    'rejected',
    'seconds',
    'note',
  ]
  return table(
    headings,
    runs.map((each) => [
      ...[each.run_id, each.source, each.status, each.rows_read, each.inserted, each.updated, each.unchanged],
      ...[each.skipped, each.closed, each.rejected, each.seconds?.toFixed(1), noteOf(each)],
    ]),
  )
}

/** Why a run failed, waits or had nothing to do, or which one undid it; `panji runs <run_id>` has the full text. */
function noteOf({ error, report, undone_by }: ShownRun): string {
  if (undone_by !== null) return `undone by run ${undone_by}`
  const reason = error?.message ?? report['reason']
  const text = typeof reason === 'string' ? reason.replaceAll('\n', ' ') : ''
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

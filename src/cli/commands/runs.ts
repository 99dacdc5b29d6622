/** `panji runs`: the latest ingestion runs, or one with its report. */
import { InvalidArgumentError } from 'commander'
import { getRun, listRuns, type RunRecord } from '../../ingest/run/runs.ts'
import { withInstance } from '../instance/with-instance.ts'
import { table } from '../output.ts'
import { runText } from '../run-text.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { followRun } from './follow-run.ts'

export const declareRuns: Declare = (program, run) => {
  program
    .command('runs')
    .description('list the latest ingestion runs, or show one')
    .addHelpText('after', prints('the runs'))
    .argument('[run_id]', 'a run; `list`, or nothing, for the latest', runOrList)
    .option('--watch', 'with a run: until it is at rest, showing how far it is')
    .action((runId: number | undefined, { watch = false }: { watch?: boolean }) => {
      if (watch && runId === undefined) throw new WrongUsage('--watch: name the run, `panji runs 12 --watch`')
      return run((context) =>
        withInstance(context, 'runs', async ({ db }) => {
          if (watch && runId !== undefined) await followRun(context, db, runId)
          const runs = runId === undefined ? await listRuns(db, { limit: 50 }) : [await getRun(db, runId)]
          context.out.answer(runs, () => (runId === undefined ? runTable(runs) : runs.map(runText).join('\n')))
        }),
      )
    })
}

const runOrList = (text: string): number | undefined => (text === 'list' ? undefined : runIdArgument(text))

export function runIdArgument(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a run id is a whole number.')
  return Number(text)
}

function runTable(runs: Awaited<ReturnType<typeof listRuns>>): string {
  const headings = [
    'run',
    'source',
    'status',
    'read',
    'inserted',
    'updated',
    'unchanged',
    'left alone',
    'closed',
    'rejected',
    'seconds',
    'note',
  ]
  return table(
    headings,
    runs.map((each) => [
      ...[each.run_id, each.source, each.status, each.rows_read, each.inserted, each.updated, each.unchanged],
      ...[each.left_alone, each.closed, each.rejected, each.seconds?.toFixed(1), noteOf(each)],
    ]),
  )
}

/** Why a run failed, waits or had nothing to do; whole in `panji runs <run_id>`. */
function noteOf({ error, report }: RunRecord): string {
  const reason = error?.message ?? report['reason']
  const text = typeof reason === 'string' ? reason.replaceAll('\n', ' ') : ''
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

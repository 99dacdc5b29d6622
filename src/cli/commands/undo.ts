/** `panji undo`: undoes an applied run, as a run of its own. */

import undoRun from '../../api/operations/runs/undo.ts'
import { confirm, isConfirmed } from '../confirm/confirm.ts'
import { undoFigures } from '../confirm/register-figures.ts'
import { operationsOn } from '../instance/with-operations.ts'
import { withWorker } from '../instance/with-worker.ts'
import { runText } from '../run-text.ts'
import { failWith } from '../work-failed.ts'
import { whyNotApplied } from './afterword.ts'
import { type Declare, prints } from './command.ts'
import { followRun } from './follow-run.ts'
import { onInstance } from './on-instance.ts'
import { runIdArgument } from './runs.ts'
import { reasonArgument } from './worded-arguments.ts'

interface UndoOptions {
  readonly through?: boolean
  readonly reason?: string
}

export const declareUndo: Declare = (program, run) => {
  program
    .command('undo')
    .description('undo an applied run: restore the register to its previous state')
    .addHelpText('after', prints('the run that undid it, with undoes'))
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--through', 'also undo all later runs of its source')
    .option('--reason <text>', 'reason; recorded in the audit log and the run', reasonArgument)
    .action((runId: number, { through = false, reason }: UndoOptions) =>
      onInstance(run, 'undo', async (instance, context) => {
        const shown = isConfirmed(context) ? undefined : await undoFigures(instance.db, runId, through)
        if (shown) await confirm(context, shown.text)
        await withWorker(context, instance, async (queue) => {
          const request = { params: { id: String(runId) }, body: { through, reason, runs: shown && [...shown.runs] } }
          const { run_id: undoRunId } = await operationsOn(context, instance, queue).call(undoRun, request)
          const record = await followRun(context, instance.db, undoRunId)
          if (record.status === 'succeeded') return context.out.answer(record, runText)
          failWith(context.out, record, runText, whyNotApplied(record))
        })
      }),
    )
}

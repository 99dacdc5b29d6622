/** `panji undo`: takes a run back that was applied, as a run of its own. */

import undoRun from '../../api/operations/runs/undo.ts'
import { withInstance } from '../instance/with-instance.ts'
import { operationsOn } from '../instance/with-operations.ts'
import { withWorker } from '../instance/with-worker.ts'
import { runText } from '../run-text.ts'
import { failWith } from '../work-failed.ts'
import { type Declare, prints } from './command.ts'
import { followRun } from './follow-run.ts'
import { runIdArgument } from './runs.ts'
import { whyNotApplied } from './taken-in.ts'
import { reasonArgument } from './worded-arguments.ts'

interface UndoOptions {
  readonly through?: boolean
  readonly reason?: string
}

export const declareUndo: Declare = (program, run) => {
  program
    .command('undo')
    .description('take a run back that was applied; the register stands as before it')
    .addHelpText('after', prints('the run that took it back, with undoes'))
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--through', 'and all runs of its source that were applied after it')
    .option('--reason <text>', 'why; it is written into the audit log and the run', reasonArgument)
    .action((runId: number, { through = false, reason }: UndoOptions) =>
      run((context) =>
        withInstance(context, 'undo', (instance) =>
          withWorker(context, instance, async (queue) => {
            const asked = { params: { id: String(runId) }, body: { through, reason } }
            const { run_id: undoRunId } = await operationsOn(context, instance, queue).call(undoRun, asked)
            const record = await followRun(context, instance.db, undoRunId)
            if (record.status === 'succeeded') return context.out.answer(record, runText)
            failWith(context.out, record, runText, whyNotApplied(record))
          }),
        ),
      ),
    )
}

/** `panji approve` and `panji discard`: what becomes of a run that waits in needs_approval. */
import { approveRun, discardRun } from '../../ingest/conduct/approval.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { runText } from '../run-text.ts'
import type { Declare } from './command.ts'
import { followRun } from './ingest.ts'
import { runIdArgument } from './runs.ts'

export const declareApproval: Declare = (program, run) => {
  program
    .command('approve')
    .description('apply a run that waits for approval')
    .argument('<run_id>', 'the run', runIdArgument)
    .action((runId: number) =>
      run((context) =>
        withInstance(context, 'approve', (instance) =>
          withWorker(context, instance, async (queue) => {
            await approveRun(instance.db, queue, runId)
            context.out.answer(await followRun(context, instance.db, runId), runText)
          }),
        ),
      ),
    )

  program
    .command('discard')
    .description('drop a run that waits for approval; nothing of it is applied')
    .argument('<run_id>', 'the run', runIdArgument)
    .action((runId: number) =>
      run((context) =>
        withInstance(context, 'discard', async ({ db }) => {
          context.out.answer(await discardRun(db, runId), runText)
        }),
      ),
    )
}

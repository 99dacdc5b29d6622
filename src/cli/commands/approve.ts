/** `panji approve` and `panji discard`: what becomes of a run that waits in needs_approval. */

import { approveRun, discardRun } from '../../ingest/conduct/approval.ts'
import { audit } from '../../trail/audit.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { runText } from '../run-text.ts'
import { WorkFailed } from '../work-failed.ts'
import type { Declare } from './command.ts'
import { followRun } from './follow-run.ts'
import { runIdArgument } from './runs.ts'

export const declareApproval: Declare = (program, run) => {
  program
    .command('approve')
    .description('apply a run that waits for approval')
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--supersede', 'apply it although other runs were taken in since it waits')
    .action((runId: number, { supersede = false }: { supersede?: boolean }) =>
      run((context) =>
        withInstance(context, 'approve', (instance) =>
          withWorker(context, instance, async (queue) => {
            const detail = supersede ? { supersede } : {}
            await approveRun(instance.db, queue, runId, {
              supersede,
              acted: (tx) => audit(tx, { actor: 'operator', action: 'approve run', subject: String(runId), detail }),
            })
            const record = await followRun(context, instance.db, runId)
            context.out.answer(record, runText)
            if (record.status !== 'succeeded')
              throw new WorkFailed(record.error?.message ?? `run ${runId} is ${record.status}`)
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
          const record = await discardRun(db, runId, {
            acted: (tx) => audit(tx, { actor: 'operator', action: 'discard run', subject: String(runId) }),
          })
          context.out.answer(record, runText)
        }),
      ),
    )
}

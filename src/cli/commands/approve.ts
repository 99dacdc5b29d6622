/** `panji approve` and `panji discard`: what becomes of a run that waits in needs_approval. */

import { approveRun, discardRun } from '../../ingest/conduct/approval.ts'
import { audit } from '../../trail/audit.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { runText } from '../run-text.ts'
import { WorkFailed } from '../work-failed.ts'
import { type Declare, prints } from './command.ts'
import { followRun } from './follow-run.ts'
import { reasonArgument } from './reason-argument.ts'
import { runIdArgument } from './runs.ts'

const why = 'why; it is written into the audit log and the run'

export const declareApproval: Declare = (program, run) => {
  program
    .command('approve')
    .description('apply a run that waits for approval')
    .addHelpText('after', prints('the run'))
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--supersede', 'apply it although other runs were taken in since it waits')
    .option('--reason <text>', why, reasonArgument)
    .action((runId: number, { supersede = false, reason }: { supersede?: boolean; reason?: string }) =>
      run((context) =>
        withInstance(context, 'approve', (instance) =>
          withWorker(context, instance, async (queue) => {
            await approveRun(instance.db, queue, runId, {
              ...{ supersede, reason },
              acted: (tx, decided) => {
                const detail = { reason: decided.reason, ...(supersede && { supersede }) }
                return audit(tx, { actor: 'operator', action: 'approve run', subject: String(runId), detail })
              },
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
    .addHelpText('after', prints('the run'))
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--reason <text>', why, reasonArgument)
    .action((runId: number, { reason }: { reason?: string }) =>
      run((context) =>
        withInstance(context, 'discard', async ({ db }) => {
          const record = await discardRun(db, runId, {
            reason,
            acted: (tx, decided) => {
              const detail = { reason: decided.reason }
              return audit(tx, { actor: 'operator', action: 'discard run', subject: String(runId), detail })
            },
          })
          context.out.answer(record, runText)
        }),
      ),
    )
}

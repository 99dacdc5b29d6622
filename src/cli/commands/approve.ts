/** `panji approve` and `panji discard`: decide about a run in needs_approval. */
import approveRun from '../../api/operations/runs/approve.ts'
import discardRun from '../../api/operations/runs/discard.ts'
import { operationsOn } from '../instance/with-operations.ts'
import { withWorker } from '../instance/with-worker.ts'
import { runText } from '../run-text.ts'
import { failWith } from '../work-failed.ts'
import { whyNotApplied } from './afterword.ts'
import { type Declare, prints } from './command.ts'
import { followRun } from './follow-run.ts'
import { onInstance } from './on-instance.ts'
import { onOperations } from './on-operations.ts'
import { runIdArgument } from './runs.ts'
import { reasonArgument } from './worded-arguments.ts'

const why = 'reason; recorded in the audit log and the run'

export const declareApproval: Declare = (program, run) => {
  program
    .command('approve')
    .description('apply a run that needs approval')
    .addHelpText('after', prints('the run'))
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--supersede', 'apply it even if other runs were ingested since it started waiting')
    .option('--reason <text>', why, reasonArgument)
    .action((runId: number, { supersede = false, reason }: { supersede?: boolean; reason?: string }) =>
      onInstance(run, 'approve', (instance, context) =>
        withWorker(context, instance, async (queue) => {
          const request = { params: { id: String(runId) }, body: { supersede, reason } }
          await operationsOn(context, instance, queue).call(approveRun, request)
          const record = await followRun(context, instance.db, runId)
          if (record.status === 'succeeded') return context.out.answer(record, runText)
          failWith(context.out, record, runText, whyNotApplied(record))
        }),
      ),
    )

  program
    .command('discard')
    .description('discard a run that needs approval; nothing of it is applied')
    .addHelpText('after', prints('the run'))
    .argument('<run_id>', 'the run', runIdArgument)
    .option('--reason <text>', why, reasonArgument)
    .action((runId: number, { reason }: { reason?: string }) =>
      onOperations(run, 'discard', async ({ call }, context) => {
        context.out.answer(await call(discardRun, { params: { id: String(runId) }, body: { reason } }), runText)
      }),
    )
}

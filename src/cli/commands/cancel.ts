/** `panji cancel`: cancels a run in progress or one that waits; nothing of it is applied. */

import { audit } from '../../audit/audit.ts'
import { cancelRun } from '../../ingest/conduct/cancel.ts'
import { withInstance } from '../instance/with-instance.ts'
import { runText } from '../run-text.ts'
import { type Declare, prints } from './command.ts'
import { runIdArgument } from './runs.ts'

export const declareCancel: Declare = (program, run) => {
  program
    .command('cancel')
    .description('cancel a run that has not ended; nothing of it is applied')
    .addHelpText('after', prints('the run'))
    .argument('<run_id>', 'the run', runIdArgument)
    .action((runId: number) =>
      run((context) =>
        withInstance(context, 'cancel', async ({ db }) => {
          const record = await cancelRun(db, runId, {
            by: 'operator',
            acted: (tx) => audit(tx, { actor: 'operator', action: 'cancel run', subject: String(runId) }),
          })
          context.out.answer(record, runText)
        }),
      ),
    )
}

/** `panji cancel`: cancels a run in progress or one that waits; nothing of it is applied. */

import { audit } from '../../audit/audit.ts'
import { cancelRun } from '../../ingest/conduct/cancel.ts'
import { runText } from '../run-text.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'
import { runIdArgument } from './runs.ts'

export const declareCancel: Declare = (program, run) => {
  program
    .command('cancel')
    .description('cancel a run that has not ended; nothing of it is applied')
    .addHelpText('after', prints('the run'))
    .argument('<run_id>', 'the run', runIdArgument)
    .action((runId: number) =>
      onInstance(run, 'cancel', async ({ db }, context) => {
        const record = await cancelRun(db, runId, {
          by: 'operator',
          acted: (tx) => audit(tx, { actor: 'operator', action: 'cancel run', subject: String(runId) }),
        })
        context.out.answer(record, runText)
      }),
    )
}

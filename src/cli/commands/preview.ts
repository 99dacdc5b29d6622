/** `panji preview`: what a run that waits, or a dry run, would write. */
import { readPreview } from '../../ingest/conduct/read-preview.ts'
import { withInstance } from '../instance/with-instance.ts'
import { previewText } from '../preview-text.ts'
import { type Declare, prints } from './command.ts'
import { runIdArgument } from './runs.ts'

export const declarePreview: Declare = (program, run) => {
  program
    .command('preview')
    .description('show what a run that waits, or a dry run, would insert, change and close')
    .addHelpText('after', prints('{reasons, inserted, …, scopes, sample}'))
    .argument('<run_id>', 'the run', runIdArgument)
    .action((runId: number) =>
      run((context) =>
        withInstance(context, 'preview', async ({ db }) => {
          const preview = await readPreview(db, runId)
          context.out.answer({ run_id: runId, ...preview }, () => previewText(preview))
        }),
      ),
    )
}

/** `panji preview`: what a waiting run or a dry run would write. */
import previewRun from '../../api/operations/runs/preview.ts'
import { previewText } from '../preview-text.ts'
import { type Declare, prints } from './command.ts'
import { onOperations } from './on-operations.ts'
import { runIdArgument } from './runs.ts'

export const declarePreview: Declare = (program, run) => {
  program
    .command('preview')
    .description('preview what a waiting run or a dry run would insert, change and close')
    .addHelpText('after', prints('{reasons, inserted, …, scopes, sample}'))
    .argument('<run_id>', 'the run', runIdArgument)
    .action((runId: number) =>
      onOperations(run, 'preview', async ({ call }, context) => {
        context.out.answer(await call(previewRun, { params: { id: String(runId) } }), previewText)
      }),
    )
}

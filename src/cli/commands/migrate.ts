/** `panji migrate`: applies the migrations that are missing. */
import { withInstance } from '../instance/with-instance.ts'
import type { Declare } from './command.ts'

export const declareMigrate: Declare = (program, run) => {
  program
    .command('migrate')
    .description('apply the migrations that the database does not have yet')
    .action(() =>
      run(async (context) => {
        await withInstance(context, 'migrate', async ({ applied }) => {
          context.out.answer({ applied }, () =>
            applied.length === 0 ? 'The database is up to date.' : `Applied:\n  ${applied.join('\n  ')}`,
          )
        })
      }),
    )
}

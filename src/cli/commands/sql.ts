/** `panji sql <source>`: the statements that check, match and merge a snapshot of the source, for reading. */
import { Argument } from 'commander'
import { registries } from '../../../config/registries/index.ts'
import { registryOf } from '../../ingest/request-run.ts'
import { statementsForReview } from '../../ingest/statements-for-review.ts'
import type { Declare } from './command.ts'

export const declareSql: Declare = (program, run) => {
  program
    .command('sql')
    .description('print the statements that a source is taken in by')
    .addArgument(new Argument('<source>').choices(registries.map((registry) => registry.source)))
    .action((source: string) =>
      run(async (context) => {
        const statements = statementsForReview(registryOf(source))
        context.out.answer({ source, statements }, () => statements)
      }),
    )
}

/** `panji sql <source>`: the statements that check, match and merge a snapshot of the source, for reading. */
import { Argument } from 'commander'
import { registries } from '../../../config/sources/index.ts'
import { statementsForReview } from '../../ingest/conduct/statements-for-review.ts'
import { registryOf } from '../../ingest/run/request-run.ts'
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

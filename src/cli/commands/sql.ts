/** `panji sql <source>`: the statements that check, match and merge a snapshot of the source, for reading. */
import { Argument } from 'commander'
import { sources } from '../../../config/sources/index.ts'
import { statementsForReview } from '../../ingest/conduct/statements-for-review.ts'
import { sourceNamed } from '../../ingest/run/request-run.ts'
import { type Declare, prints } from './command.ts'

export const declareSql: Declare = (program, run) => {
  program
    .command('sql')
    .description('print the statements that ingest a source')
    .addHelpText('after', prints('{source, statements}'))
    .addArgument(new Argument('<source>').choices(sources.map((source) => source.name)))
    .action((source: string) =>
      run(async (context) => {
        const statements = statementsForReview(sourceNamed(source))
        context.out.answer({ source, statements }, () => statements)
      }),
    )
}

/** `panji history prune`: limits how far back the registers can be read. */
import { isIsoDate } from '../../domain/iso-date.ts'
import { pruneHistory } from '../../ingest/after/prune-history.ts'
import { fields } from '../output.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'

export const declareHistory: Declare = (program, run) => {
  const history = program.command('history').description('history of changes to the registers')

  history
    .command('prune')
    .description('prune the changes before a day; earlier days can no longer be read')
    .addHelpText('after', prints('{retained_from, …}'))
    .requiredOption('--before <YYYY-MM-DD>', 'first day that can still be read')
    .action(({ before }: { before: string }) => {
      if (!isIsoDate(before)) throw new WrongUsage(`--before: "${before}" is not a date YYYY-MM-DD`)
      return onInstance(run, 'history', async ({ db }, context) => {
        context.out.answer(await pruneHistory(db, before), fields)
      })
    })
}

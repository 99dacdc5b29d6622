/** `panji recount`: verifies the totals of the registers against their rows, and corrects them. */
import { checkCounts, recount } from '../../registry/counts/recount.ts'
import { table } from '../output.ts'
import { failWith } from '../work-failed.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'

export const declareRecount: Declare = (program, run) => {
  program
    .command('recount')
    .description('count the records of the registers again, and correct totals that differ')
    .addHelpText('after', prints('[{dataset, records, differing}]'))
    .option('--check', 'only report differences')
    .action(({ check }: { readonly check?: boolean }) =>
      onInstance(run, 'recount', async ({ db }, context) => {
        const counted = check ? await checkCounts(db) : await recount(db)
        const shown = () =>
          table(
            ['register', 'records', check ? 'counts that differ' : 'counts corrected'],
            counted.map(({ dataset, records, differing }) => [dataset, records, differing]),
          )
        if (check && counted.some(({ differing }) => differing > 0)) {
          const message = 'some totals differ from their register; `panji recount` corrects them'
          failWith(context.out, { registers: counted }, shown, { code: 'CHECK_FAILED', message })
        }
        context.out.answer(counted, shown)
      }),
    )
}

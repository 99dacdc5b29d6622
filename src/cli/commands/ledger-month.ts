/** `panji ledger month`: a month for the accountant, as sums on the screen, whole as JSON, or a part of it as a CSV file. */
import { Option } from 'commander'
import { documentsCsv, journalCsv, type MonthPart, monthParts, sumsCsv } from '../../orders/month/month-csv.ts'
import {
  closeMonth,
  type MonthReport,
  readJournal,
  readMonthReport,
  readReturnRows,
} from '../../orders/month/month-report.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, printedCsv, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { type Declare, prints } from './command.ts'
import { reasonArgument } from './reason-argument.ts'

export const declareLedgerMonth: Declare = (ledger, run) => {
  ledger
    .command('month')
    .description('a month for the accountant: trial balance, revenue, fees, what went back, documents, journal')
    .addHelpText('after', prints('{month, sums, revenue_by_product, trial_balance, documents, journal}'))
    .argument('<YYYY-MM>')
    .addOption(new Option('--csv <part>', 'this part of it as a CSV file, in rupees').choices(monthParts))
    .action((month: string, { csv }: { csv?: MonthPart }) => run((context) => tell(context, month, csv)))

  ledger
    .command('close')
    .description('close a month that is over: nothing is booked in it any more, and its report stays')
    .addHelpText('after', prints('{month, closed_at, sums, revenue_by_product, trial_balance}'))
    .argument('<YYYY-MM>')
    .requiredOption('--reason <text>', 'who asked for it', reasonArgument)
    .action((month: string, { reason }: { reason: string }) =>
      run((context) =>
        withInstance(context, 'ledger close', async ({ db }) => {
          context.out.answer(await closeMonth(db, month, { actor: 'operator', reason }), shown)
        }),
      ),
    )
}

async function tell(context: CommandContext, month: string, csv: MonthPart | undefined): Promise<void> {
  await withInstance(context, 'ledger month', async ({ db }) => {
    const report = await readMonthReport(db, month)
    const documents = await readReturnRows(db, month)
    const journal = []
    for await (const page of readJournal(db, month)) journal.push(...page)
    const file = csv === 'journal' ? (await Array.fromAsync(journalCsv([journal].values()))).join('') : undefined
    context.out.answer({ ...report, documents, journal }, () => {
      if (csv === undefined) return shown(report)
      if (csv === 'documents') return printedCsv(documentsCsv(documents))
      return printedCsv(csv === 'journal' ? (file ?? '') : sumsCsv(report, csv))
    })
  })
}

const rupees = (paise: number) => (paise / 100).toFixed(2)

function shown({ month, is_over, closed_at, sums, revenue_by_product, trial_balance }: MonthReport): string {
  return [
    `${month}${closed_at === null ? (is_over ? ', open' : ', not over yet') : `, closed at ${closed_at}`}; in rupees`,
    fields(Object.fromEntries(Object.entries(sums).map(([name, paise]) => [name, rupees(paise)]))),
    table(
      ['product', 'earned', 'breakage'],
      revenue_by_product.map(({ product, earned, breakage }) => [product, rupees(earned), rupees(breakage)]),
    ),
    table(
      ['account', 'in', 'debit', 'credit'],
      trial_balance.map(({ account, currency, debit, credit }) =>
        currency === 'paise' ? [account, 'rupees', rupees(debit), rupees(credit)] : [account, 'credits', debit, credit],
      ),
    ),
  ].join('\n\n')
}

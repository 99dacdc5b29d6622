/**
 * `panji ledger month`: the accounting report of a month: totals on the screen, everything as JSON, or a part as CSV.
 */
import { Option } from 'commander'
import { shownInstant } from '../../domain/shown-instant.ts'
import { documentsCsv, journalCsv, type MonthPart, monthParts, sumsCsv } from '../../orders/month/month-csv.ts'
import {
  closeMonth,
  type MonthReport,
  readJournal,
  readMonthReport,
  readReturnRows,
} from '../../orders/month/month-report.ts'
import { sumNames } from '../../orders/month/month-sums.ts'
import { rupees } from '../../orders/rupees-csv.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, printedCsv, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { type Declare, prints } from './command.ts'
import { monthArgument } from './month-argument.ts'
import { onInstance } from './on-instance.ts'
import { reasonArgument } from './worded-arguments.ts'

export const declareLedgerMonth: Declare = (ledger, run) => {
  ledger
    .command('month')
    .description('accounting report of a month: trial balance, revenue, fees, refunds, documents, journal')
    .addHelpText(
      'after',
      prints(
        '{month, closed, trial_balance, revenue, deferred, breakage, fees, refunds, chargebacks, receivables, documents, journal, …}',
      ),
    )
    .argument('<YYYY-MM>', '', monthArgument)
    .addOption(
      new Option('--csv [part]', 'print the trial balance, or this part, as CSV in rupees')
        .choices(monthParts)
        .preset('trial_balance'),
    )
    .action((month: string, { csv }: { csv?: MonthPart }) => run((context) => printMonth(context, month, csv)))

  ledger
    .command('close-month')
    .description('close a month that is over: nothing more is booked in it, and its report no longer changes')
    .addHelpText(
      'after',
      prints('{month, closed, trial_balance, revenue, deferred, breakage, fees, refunds, chargebacks, receivables, …}'),
    )
    .argument('<YYYY-MM>', '', monthArgument)
    .option('--reason <text>', 'who requested it', reasonArgument, 'end of month')
    .action((month: string, { reason }: { reason: string }) =>
      onInstance(run, 'ledger close-month', async ({ db }, context) => {
        context.out.answer(await closeMonth(db, month, { actor: 'operator', reason }), shown)
      }),
    )
}

async function printMonth(context: CommandContext, month: string, csv: MonthPart | undefined): Promise<void> {
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

function shown(report: MonthReport): string {
  const { month, is_over, closed_at, revenue_by_product, trial_balance } = report
  return [
    `${month}${closed_at === null ? (is_over ? ', open' : ', not over yet') : `, closed at ${shownInstant(new Date(closed_at))}`}; in rupees`,
    fields(Object.fromEntries(sumNames.map((name) => [name, rupees(report[name])]))),
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

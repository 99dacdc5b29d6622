/** `panji ledger`: shows, verifies and exports the ledger. */
import { Option } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import {
  type BookFilter,
  type BookTransfer,
  bookAccounts,
  countBookTransfers,
  exportTransfers,
  listTransfers,
} from '../../orders/ledger-accounts.ts'
import { countTransfers, ledgerViolations } from '../../orders/ledger-check.ts'
import { transfersCsv } from '../../orders/ledger-csv.ts'
import { withInstance } from '../instance/with-instance.ts'
import { printedCsv, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import { failWith } from '../work-failed.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { requireOrder } from './day-order.ts'
import { declareLedgerMonth } from './ledger-month.ts'

interface ExportOptions {
  readonly account?: string
  readonly from?: string
  readonly to?: string
  readonly csv?: boolean
}

export const declareLedger: Declare = (program, run) => {
  const ledger = program.command('ledger').description('the ledger: credits and rupees, double entry')

  ledger
    .command('show')
    .alias('list')
    .description('show the accounts of the ledger, or the latest transfers of one account, order, item or reference')
    .addHelpText('after', prints('the accounts, or the transfers'))
    .argument('[what]', 'account or its e-mail, order, item, transfer or reference')
    .action((what: string | undefined) => run((context) => show(context, what)))

  ledger
    .command('check')
    .description('verify every invariant of the ledger from its rows')
    .addHelpText('after', prints('{ok, transfers, violations}'))
    .action(() => run(check))

  ledger
    .command('export')
    .description('list all transfers, oldest first')
    .addHelpText('after', prints('the transfers'))
    .option('--account <user_id>', 'or e-mail')
    .option('--from <YYYY-MM-DD>', 'first day, in India')
    .option('--to <YYYY-MM-DD>', 'last day, in India')
    .addOption(new Option('--csv', 'print CSV'))
    .action((options: ExportOptions) => {
      for (const day of [options.from, options.to]) {
        if (day !== undefined && !isIsoDate(day)) throw new WrongUsage(`"${day}" is not a date YYYY-MM-DD`)
      }
      requireOrder({ first: options.from, last: options.to })
      return run((context) => exportBooks(context, options))
    })

  declareLedgerMonth(ledger, run)
}

async function show(context: CommandContext, what: string | undefined): Promise<void> {
  await withInstance(context, 'ledger show', async ({ db }) => {
    if (what === undefined) {
      const accounts = await bookAccounts(db)
      context.out.answer(accounts, () =>
        table(
          ['account', 'currency', 'balance', 'customers'],
          accounts.map(({ account, currency, balance, customers }) => [account, currency, balance, customers]),
        ),
      )
      return
    }
    const named = await listTransfers(db, { search: what }, shownMax)
    const filter = named.length > 0 ? { search: what } : { userId: await findAccountId(db, what) }
    const transfers = named.length > 0 ? named : await listTransfers(db, filter, shownMax)
    context.out.answer(transfers, transferTable)
    // The longest table of all is only counted where something is left out.
    const total = transfers.length < shownMax ? transfers.length : await countBookTransfers(db, filter)
    noteOthers(context, transfers.length, total, '`panji ledger export` prints all of them')
  })
}

async function check(context: CommandContext): Promise<void> {
  await withInstance(context, 'ledger check', async ({ db }) => {
    const violations = await ledgerViolations(db)
    const ok = violations.length === 0
    const found = { ok, transfers: await countTransfers(db), violations }
    if (ok) return context.out.answer(found, ({ transfers }) => `every invariant holds over ${transfers} transfers`)
    const shown = () =>
      table(
        ['invariant', 'of', 'found'],
        violations.map(({ invariant, subject, detail }) => [invariant, subject, detail]),
      )
    failWith(context.out, found, shown, { code: 'CHECK_FAILED', message: 'the ledger breaks its invariants' })
  })
}

async function exportBooks(context: CommandContext, { account, from, to, csv }: ExportOptions): Promise<void> {
  await withInstance(context, 'ledger export', async ({ db }) => {
    const userId = account === undefined ? undefined : await findAccountId(db, account)
    const filter: BookFilter = { userId, from, to }
    const rows: BookTransfer[] = []
    for await (const page of exportTransfers(db, filter)) rows.push(...page)
    context.out.answer(rows, csv ? (all) => printedCsv(transfersCsv(all)) : transferTable)
  })
}

function transferTable(rows: readonly BookTransfer[]): string {
  const shown = [
    'transfer_id',
    'at',
    'kind',
    'amount',
    'currency',
    'from',
    'to',
    'balance_after',
    'reference',
    'actor',
    'memo',
  ] as const
  return table(
    [...shown],
    rows.map((row) => shown.map((name) => row[name])),
  )
}

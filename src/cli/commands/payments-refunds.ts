/** `panji payments refunds`: the refunds that operators requested, and what became of them. */
import { type Command, Option } from 'commander'
import listRefunds from '../../api/operations/payments/list-refunds.ts'
import { shownRupees } from '../../domain/shown-rupees.ts'
import { refundStates } from '../../orders/payments/find-refunds.ts'
import { withOperations } from '../instance/with-operations.ts'
import { table } from '../output.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import { type Declare, prints } from './command.ts'

const columns = [
  'asked_at',
  'status',
  'payment_id',
  'amount',
  'reference',
  'reason',
  'actor',
  'refund_id',
  'detail',
] as const

interface Options {
  readonly status?: (typeof refundStates)[number]
  readonly search?: string
}

export function declarePaymentsRefunds(payments: Command, run: Parameters<Declare>[1]): void {
  payments
    .command('refunds')
    .description('list the refunds that operators requested, newest first')
    .addHelpText(
      'after',
      prints(
        '[{request_id, payment_id, amount, status, refund_id, detail, takes_back, reference, reason, actor, asked_at, answered_at}], in paise',
      ),
    )
    .addOption(new Option('--status <status>', 'asked: in progress').choices([...refundStates]))
    .option('--search <text>', 'order or purchase, payment or refund of the processor, or reference')
    .action(({ status, search }: Options) =>
      run((context) =>
        withOperations(context, 'payments refunds', async ({ call }) => {
          const { data, total } = await call(listRefunds, { query: { status, search, limit: shownMax } })
          context.out.answer(data, (rows) =>
            table(
              [...columns],
              rows.map((row) => columns.map((name) => (name === 'amount' ? shownRupees(row.amount) : row[name]))),
            ),
          )
          noteOthers(context, data.length, total)
        }),
      ),
    )
}

/** `panji payments`: reconciles with the processor, shows its events, refunds, and closes handled events. */
import { shownMoney, shownRupees } from '../../domain/shown-rupees.ts'
import { quoted } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import { issueRefund } from '../../orders/payments/issue-refund.ts'
import { closeEvent, listEvents } from '../../orders/payments/payment-events.ts'
import { type ReconcileParts, reconcilePayments } from '../../orders/payments/reconcile.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import { paymentSettings } from '../start/payment-settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import type { Declare } from './command.ts'
import { indexesArgument } from './indexes-argument.ts'
import { declarePaymentsEvidence } from './payments-evidence.ts'
import { declarePaymentsOwed } from './payments-owed.ts'
import { declarePaymentsRefunds } from './payments-refunds.ts'
import { paiseArgument, reasonArgument, referenceArgument } from './worded-arguments.ts'

export const declarePayments: Declare = (program, run) => {
  const payments = program.command('payments').description("online payments and the processor's events")

  payments
    .command('reconcile')
    .description('reconcile every pending order and refund with the processor; expire unpaid orders')
    .action(() => run((context) => withInstance(context, 'payments reconcile', (instance) => ask(context, instance))))

  payments
    .command('show')
    .alias('list')
    .description("list the processor's events, newest first; without an ID those that need attention")
    .argument('[id]', 'order or purchase, or order, payment or refund of the processor')
    .action((id: string | undefined) => run((context) => show(context, id)))

  payments
    .command('refund')
    .description(
      'refund a payment through the processor; what was bought is returned in proportion, with a credit note',
    )
    .argument('<id>', 'payment of the processor, or the order or purchase that it was made for')
    .option(
      '--amount <rupees>',
      'such as 590 or 590.50; by default the price of the items, or what is left',
      paiseArgument,
    )
    .option(
      '--items <indexes>',
      'rows of the order that are returned with it, from 0, separated by commas',
      indexesArgument,
    )
    .option('--reference <text>', 'idempotency reference: money is refunded once per reference', referenceArgument)
    .requiredOption('--reason <text>', 'reason; recorded in the audit log', reasonArgument)
    .action((id: string, options: { amount?: number; items?: number[]; reference?: string; reason: string }) =>
      run((context) => withInstance(context, 'payments refund', (instance) => refund(context, instance, id, options))),
    )

  declarePaymentsEvidence(payments, run)
  declarePaymentsOwed(payments, run)
  declarePaymentsRefunds(payments, run)

  payments
    .command('settle')
    .description('ask the processor about one order or payment now, or close a handled event')
    .argument('<id>', 'order or purchase, order or payment of the processor, or number of an event')
    .option('--reason <text>', 'what was done about the event', reasonArgument)
    .action((id: string, { reason }: { reason?: string }) => {
      const isEvent = /^\d{1,15}$/.test(id)
      if (isEvent && !reason) throw new WrongUsage('closing an event requires --reason')
      return run((context) =>
        withInstance(context, 'payments settle', (instance) =>
          isEvent ? close(context, instance, Number(id), reason ?? '') : ask(context, instance, id),
        ),
      )
    })
}

/** The configured processor, with what settles its reports. */
async function withProcessor(
  context: CommandContext,
  instance: OpenInstance,
  work: (parts: ReconcileParts) => Promise<void>,
): Promise<void> {
  // The HTTP client is only loaded by the commands that need it.
  const { razorpay } = await import('../../orders/payments/razorpay.ts')
  const settings = paymentSettings(context.settings)
  if (!settings)
    throw new AppError(
      'CONFLICT',
      'No online payment processor is configured: set PANJI_RAZORPAY_KEY_ID and the others.',
    )
  await withWorker(context, instance, (queue) => work({ db: instance.db, queue, processor: razorpay(settings) }))
}

async function ask(context: CommandContext, instance: OpenInstance, only?: string): Promise<void> {
  await withProcessor(context, instance, async (parts) => {
    const found = await reconcilePayments(parts, only)
    context.out.answer(
      found,
      ({ checked, settled, expired, refused }) =>
        `${checked} checked, ${settled} settled, ${expired} ended unpaid, ${refused} refused`,
    )
  })
}

async function refund(
  context: CommandContext,
  instance: OpenInstance,
  of: string,
  asked: {
    readonly amount?: number
    readonly items?: readonly number[]
    readonly reference?: string
    readonly reason: string
  },
): Promise<void> {
  await withProcessor(context, instance, async (parts) => {
    context.out.answer(await issueRefund(parts, { of, ...asked, actor: 'operator' }), (made) =>
      fields({ ...made, amount: shownRupees(made.amount) }),
    )
  })
}

async function show(context: CommandContext, id: string | undefined): Promise<void> {
  await withInstance(context, 'payments show', async ({ db }) => {
    const filter = id === undefined ? { open: true } : { search: id }
    const { events, total } = await listEvents(db, { ...filter, page: 1, limit: shownMax })
    if (id !== undefined && events.length === 0) {
      throw new AppError('NOT_FOUND', `No payment event matches "${quoted(id)}".`)
    }
    const columns = [
      'event_id',
      'received_at',
      'name',
      'outcome',
      'amount',
      'payment_order_id',
      'payment_id',
      'order_id',
      'purchase_id',
      'detail',
    ] as const
    context.out.answer(events, (rows) =>
      table(
        [...columns],
        rows.map((row) => columns.map((name) => (name === 'amount' ? shownAmount(row) : row[name]))),
      ),
    )
    noteOthers(context, events.length, total)
  })
}

/** For an event that has both; the JSON document is in paise. */
const shownAmount = ({ amount, currency }: { readonly amount: number | null; readonly currency: string | null }) =>
  amount === null || currency === null ? amount : shownMoney({ amount, currency })

async function close(context: CommandContext, { db }: OpenInstance, eventId: number, reason: string): Promise<void> {
  await db.transaction((tx) => closeEvent(tx, eventId, reason, 'operator'))
  context.out.answer({ event_id: eventId, closed: true }, () => `event ${eventId} is closed`)
}

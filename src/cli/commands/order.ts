/** `panji order`: finds and explains orders, refunds credits and decides reports. */
import { quoted } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import { decideReportsById } from '../../orders/decide-reports.ts'
import { listDisputes } from '../../orders/disputes.ts'
import { explainOrder, type FoundOrder, findOrders } from '../../orders/find-orders.ts'
import { refundOrder } from '../../orders/refund-order.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import { type Declare, prints } from './command.ts'
import { indexesArgument } from './indexes-argument.ts'
import { onInstance } from './on-instance.ts'
import { reasonArgument } from './worded-arguments.ts'

export const declareOrder: Declare = (program, run) => {
  const order = program.command('order').description('orders: find, explain, refund; reports of buyers')

  order
    .command('show')
    .description('explain an order and the charge of each item')
    .addHelpText('after', prints('the order'))
    .argument('<order_id>')
    .action((orderId: string) => run((context) => show(context, orderId)))

  order
    .command('find')
    .alias('list')
    .description('find orders by any ID, e-mail, payment or identifier')
    .addHelpText('after', prints('the orders'))
    .argument('<what>')
    .action((what: string) => run((context) => find(context, what)))

  order
    .command('refund')
    .description('refund the credits of an order, for all items or those named')
    .addHelpText('after', prints('{order_id, refunded, credits, money_back, items}'))
    .argument('<order_id>')
    .option('--items <indexes>', 'indexes from 0, separated by commas', indexesArgument)
    .requiredOption('--reason <text>', 'reason; visible to the buyer', reasonArgument)
    .action((orderId: string, { items, reason }: { items?: number[]; reason: string }) =>
      onInstance(run, 'order refund', async ({ db }, context) => {
        const refund = await db.transaction((tx) => refundOrder(tx, { orderId, items, reason, actor: 'operator' }))
        context.out.answer(refund, fields)
      }),
    )

  order
    .command('disputes')
    .description('list reported contacts that wait for a decision')
    .addHelpText('after', prints('the disputes'))
    .option('--all', 'include decided ones')
    .action(({ all }: { all?: boolean }) =>
      onInstance(run, 'order disputes', async ({ db }, context) => {
        const { disputes, total } = await listDisputes(db, {
          status: all ? undefined : 'open',
          page: 1,
          limit: shownMax,
        })
        context.out.answer(disputes, () =>
          table(
            ['dispute', 'order', 'item', 'record', 'reason', 'by', 'status', 'opened'],
            disputes.map((each) => [
              ...[each.dispute_id, each.order_id, each.index, each.number, each.reason],
              ...[each.reported_by, each.status, each.opened_at],
            ]),
          ),
        )
        noteOthers(context, disputes.length, total)
      }),
    )

  for (const [name, accept] of [
    ['accept', true],
    ['reject', false],
  ] as const) {
    order
      .command(name)
      .description(`${name} a report${accept ? ', which refunds the credit' : ''}`)
      .argument('<id>', 'ID of a report, or of an order or account for all of its open reports')
      .option('--refused', 'only rejects of CRMs above the threshold')
      .requiredOption('--reason <text>', 'reason; visible to the buyer', reasonArgument)
      .action((id: string, { reason, refused }: { reason: string; refused?: boolean }) =>
        onInstance(run, `order ${name}`, async ({ db }, context) => {
          const reportedBy = refused ? 'system' : undefined
          const decision = { accept, note: reason, actor: 'operator', reportedBy } as const
          const decided = await db.transaction((tx) => decideReportsById(tx, id, decision))
          context.out.answer(decided, fields)
        }),
      )
  }
}

async function show(context: CommandContext, orderId: string): Promise<void> {
  await withInstance(context, 'order show', async ({ db }) => {
    const { order, items } = await explainOrder(db, orderId)
    context.out.answer({ ...summary(order), items }, () =>
      [
        fields(summary(order)),
        table(
          ['item', 'type', 'number', 'name', 'charged', 'why', 'dispute'],
          items.map((item) => [item.index, item.type, item.number, item.name, item.charged, item.why, item.dispute]),
        ),
      ].join('\n'),
    )
  })
}

async function find(context: CommandContext, what: string): Promise<void> {
  await withInstance(context, 'order find', async ({ db }) => {
    const { orders, total } = await findOrders(db, { search: what, page: 1, limit: shownMax })
    if (orders.length === 0) throw new AppError('NOT_FOUND', `No order matches "${quoted(what)}".`)
    const found = orders.map(summary)
    context.out.answer(found, () =>
      table(
        ['order', 'buyer', 'status', 'payment', 'items', 'credits', 'refunded', 'created'],
        found.map((order) => [
          ...[order.order_id, order.email, order.status, order.payment_status, order.items_count],
          ...[order.total_amount, order.refunded_amount, order.created_at],
        ]),
      ),
    )
    noteOthers(context, orders.length, total)
  })
}

const summary = (order: FoundOrder) => ({
  order_id: order.orderId,
  order_name: order.orderName,
  user_id: order.userId,
  email: order.email,
  payment_option: order.paymentOption,
  status: order.status,
  payment_status: order.paymentStatus,
  items_count: order.itemsCount,
  total_amount: order.totalAmount,
  refunded_amount: order.refundedAmount,
  payment_id: order.payment?.id ?? null,
  created_at: order.createdAt,
  paid_at: order.paidAt,
  cancelled_at: order.cancelledAt,
})

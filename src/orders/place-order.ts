/**
 * Places an order, paid with credits or waiting for its online payment; otherwise nothing is written.
 *
 * With credits, one transaction writes the order, spends a credit for each item that the account does not own,
 * refunds items without a usable contact, and enqueues the lead build; for an online payment this happens when it
 * arrives (payments/settle-payment.ts). Two calls place two orders. Under an Idempotency-Key the caller's `finish`
 * stores the response in the same transaction, so that a repeat finds both order and response, or neither.
 */
import { randomUUID } from 'node:crypto'
import type { Db, Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import { budgetExhausted, exhaustBudget, spendBudgets, takeBudget } from '../limits/daily-budget.ts'
import { holdQuotaAccount, type QuotaAccount } from '../limits/quota-account.ts'
import { requireRoom } from '../limits/stored-quota.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { chooseItems, requireCredits } from './inactive-items.ts'
import { requireSeller } from './invoices/issue-invoice.ts'
import { type Charge, creditByCredit, refundItems, spendOnOrder } from './ledger.ts'
import { announceLowCredits } from './low-credits.ts'
import { type Order, orderColumns } from './order.ts'
import { type OrderGround, readOrderGround } from './order-ground.ts'
import { countContacts, type OrderItem, type RequestedItem, readOrderItems } from './order-items.ts'
import { holdAndFindOwned } from './owned-items.ts'
import { recordAsked } from './payments/payment-events.ts'
import type { PaymentOrder, PaymentProcessor } from './payments/processor.ts'

export interface OrderSettings {
  /** Label that, like `online`, requests online payment. */
  readonly onlineLabel: string
  /** undefined: online payment is refused. */
  readonly payments?: PaymentProcessor | undefined
}

export interface OrderRequest {
  readonly accountId: string
  readonly orderName: string
  readonly paymentOption: string
  readonly items: readonly RequestedItem[]
  /** Leaves out records that are struck off, cancelled, deactivated or disqualified. */
  readonly excludesInactive?: boolean | undefined
  /** Runs first in the order's transaction. */
  readonly begin?: (tx: Tx) => Promise<unknown>
}

interface CheckedItem extends OrderItem {
  readonly hasContact: boolean
}

export function placeOrder(db: Db, queue: JobSender, settings: OrderSettings, request: OrderRequest): Promise<Order> {
  return placeOrderAnd(db, queue, settings, request, async (_tx, order) => order)
}

/**
 * Places the order and runs `finish` in its transaction, with the indexes of the items left out; if `finish` throws,
 * no order is placed.
 */
export async function placeOrderAnd<T>(
  db: Db,
  queue: JobSender,
  settings: OrderSettings,
  request: OrderRequest,
  finish: (tx: Tx, order: Order, excluded: readonly number[]) => Promise<T>,
): Promise<T> {
  const processor = processorFor(request.paymentOption, settings)
  const requested = readOrderItems(request.items)
  const ground = await readOrderGround(db, request.accountId, requested)
  const { account } = ground
  const chosen = chooseItems(ground, requested, request.excludesInactive === true)
  const { items: named, owned: ownedBefore, excluded } = chosen
  // Checks whether the buyer can order at all before whether the records exist, so that one who cannot learns nothing.
  const billed = named.length - ownedBefore.size
  if (processor) await requirePendingRoom(db, account, named.length)
  await requireCredits(db, account, chosen, processor ? Infinity : ground.balance)
  await requireKnown(db, ground, requested)
  const orderId = randomUUID()
  // Outside the transaction, which must not wait for others. If the process stops in between, the payment order is
  // never paid.
  const payment =
    billed > 0 ? ((await processor?.begin({ orderId, amount: billed * processor.creditPaise })) ?? null) : null
  return db.transaction(async (tx) => {
    await request.begin?.(tx)
    if (payment) await requirePendingRoom(tx, await holdQuotaAccount(tx, account.accountId), named.length)
    if (!payment) await queue.send(tx, queues.buildLeads, { orderId })
    // Orders of one account wait for each other only from here on. With money, the amount requested is what is
    // charged. With credits, the charge is decided now, after earlier orders and by the current registers: a contact
    // removed since the quote is not charged.
    const { reached, owned } = payment
      ? { reached: await reachable(tx, account.accountId, named), owned: ownedBefore }
      : await holdAndFindOwned(tx, account.accountId, named)
    const items = named.map((item, index) => ({ ...item, hasContact: reached[index] === true }))
    const credits = items.length - owned.size
    const written = await writeOrder(tx, orderId, request, { itemsCount: items.length, credits, payment })
    if (payment) await recordAsked(tx, orderId, payment)
    const charges = payment || credits === 0 ? [] : await spendOnOrder(tx, request.accountId, { orderId, credits })
    const toRefund = await writeItems(tx, orderId, items, { owned, charges })
    const refunded = payment
      ? []
      : await refundItems(tx, request.accountId, toRefund, 'no_contact', { memo: 'no contact data' })
    if (!payment) await announceLowCredits(tx, request.accountId, credits - refunded.length)
    await spendBudgets(tx, account, [
      ['orders', 1],
      ['orderedItems', items.length],
    ])
    return finish(tx, { ...written, refundedAmount: refunded.length }, excluded)
  })
}

/**
 * @returns undefined for credits. Online payment is refused if no processor is configured, since the order could
 * never be paid.
 */
function processorFor(paymentOption: string, settings: OrderSettings): PaymentProcessor | undefined {
  if (paymentOption === 'credits') return undefined
  if (paymentOption === 'online' || paymentOption === settings.onlineLabel) {
    if (settings.payments) {
      requireSeller(settings.payments.seller)
      return settings.payments
    }
    throw new AppError('BAD_REQUEST', 'No online payment processor is configured here; pay with credits.', {
      extra: { reason: 'online_payment_not_configured' },
    })
  }
  throw new AppError('BAD_REQUEST', `paymentOption must be credits or ${settings.onlineLabel}.`)
}

/** @throws AppError QUOTA_EXCEEDED */
async function requirePendingRoom(db: Queryable, account: QuotaAccount, items: number): Promise<void> {
  await requireRoom(db, account, 'pendingOrders', 1)
  await requireRoom(db, account, 'pendingItems', items)
}

/**
 * Unknown items use up a daily budget. Once it is used up, every order is refused before the registers are read, even
 * one of known items only: otherwise the difference would reveal for free which identifiers exist.
 * @throws AppError NOT_FOUND with the indexes of the items that no register holds, RATE_LIMITED
 */
async function requireKnown(
  db: Db,
  { account, unknownItems: budget, known }: OrderGround,
  items: readonly OrderItem[],
): Promise<void> {
  const { limit } = budget
  if (budget.remaining === 0) throw budgetExhausted('unknownItems', budget)
  const missing = items.flatMap(({ identifier }, index) => (known[index] === true ? [] : [{ identifier, index }]))
  const [first] = missing
  if (first) {
    const taking = await takeBudget(db, account.accountId, 'unknownItems', missing.length, limit)
    if (!taking.taken && limit !== null) {
      throw budgetExhausted('unknownItems', await exhaustBudget(db, account.accountId, 'unknownItems', limit))
    }
    const more =
      missing.length > 1 ? ` ${missing.length - 1} more ${missing.length === 2 ? 'is' : 'are'} not, either.` : ''
    throw new AppError('NOT_FOUND', `items[${first.index}]: ${first.identifier} is not in the register.${more}`, {
      extra: { index: first.index, indexes: missing.map(({ index }) => index) },
    })
  }
}

const reachable = async (tx: Tx, accountId: string, items: readonly OrderItem[]): Promise<boolean[]> =>
  (await countContacts(tx, accountId, items)).map(({ hasContact }) => hasContact)

const insertOrder = {
  name: 'insert-order',
  text: sql`INSERT INTO orders.purchase
           (order_id, account_id, order_name, payment_option, status, payment_status, total_amount, items_count, paid_at, payment)
         SELECT $1, account_id, $3, $5, $6, $7, $9::integer, $4::integer, CASE WHEN $8::jsonb IS NULL THEN now() END, $8::jsonb
         FROM access.account WHERE account_id = $2 AND erased_at IS NULL FOR KEY SHARE
         RETURNING ${orderColumns}`,
}
const insertItems = {
  name: 'insert-order-items',
  text: `INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact, already_owned, charge_id)
         SELECT $1, ordinality - 1, type, identifier, name, has_contact, already_owned, charge_id
         FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::boolean[], $7::bigint[])
           WITH ORDINALITY AS item (type, identifier, name, has_contact, already_owned, charge_id, ordinality)
         RETURNING item_id, has_contact, charge_id`,
}

/**
 * Writes an order of credits as paid, since the spend that follows in the same transaction confirms or undoes it; an
 * online order as pending.
 */
async function writeOrder(
  tx: Tx,
  orderId: string,
  request: OrderRequest,
  {
    itemsCount,
    credits,
    payment,
  }: { readonly itemsCount: number; readonly credits: number; readonly payment: PaymentOrder | null },
): Promise<Order> {
  const [written] = await tx.query<Order>(insertOrder, [
    orderId,
    request.accountId,
    request.orderName,
    itemsCount,
    ...(payment ? ['online', 'pending', 'pending', JSON.stringify(payment)] : ['credits', 'completed', 'paid', null]),
    credits,
  ])
  // The lock waits for an erasure in progress, so that no order of an erased account follows it.
  if (!written) throw new AppError('NOT_FOUND', 'No such account.')
  return written
}

/**
 * Writes each item with the charge that paid for it, except owned ones. Without charges the items wait for their
 * payment, and their contacts are looked up again when it arrives.
 * @returns the charged items without contact data.
 */
async function writeItems(
  tx: Tx,
  orderId: string,
  items: readonly CheckedItem[],
  { owned, charges }: { readonly owned: ReadonlySet<number>; readonly charges: readonly Charge[] },
): Promise<string[]> {
  const paying = creditByCredit(charges).values()
  const rows = await tx.query<{ item_id: string; has_contact: boolean | null; charge_id: number | null }>(insertItems, [
    orderId,
    items.map(({ type }) => type),
    items.map(({ identifier }) => identifier),
    items.map(({ name }) => name),
    items.map(({ hasContact }) => hasContact),
    items.map((_, index) => owned.has(index)),
    items.map((_, index) => (owned.has(index) ? null : (paying.next().value ?? null))),
  ])
  return rows
    .filter(({ has_contact, charge_id }) => has_contact === false && charge_id !== null)
    .map(({ item_id }) => item_id)
}

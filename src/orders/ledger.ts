/**
 * The credits of customers: grants, spends, holds, refunds and revocations, each as transfers of two entries that sum
 * to zero. The database decides what a transfer may be, which accounts it touches and that no balance falls below
 * zero (migrations/functions/ledger.*.sql, docs/ledger.md); this module is the interface to it.
 *
 * Every movement has a reference and happens once: repeating it changes nothing and returns `applied: false`. The
 * customer's account stays locked from the first movement to the end of the caller's transaction, so concurrent
 * orders run one after the other. A transaction moves credits of one customer only, so there is no lock order to
 * keep.
 */
import { settlement } from '../../config/plans.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { counted } from '../domain/counted.ts'
import { AppError } from '../errors.ts'

export const creditTypes = ['purchased', 'plan', 'granted'] as const
export type CreditType = (typeof creditTypes)[number]

export interface Movement {
  /** False if the reference was already used by an identical movement. */
  readonly applied: boolean
  /** The customer's balance after it. */
  readonly balance: number
}

export interface Grant extends Movement {
  readonly transferId: number
  /** The lot of the credits: those of one type with one end. */
  readonly lotId: number
}

/** Who moves credits, and why. */
export interface Cause {
  /** `operator`, `operator:<name>`, `system` or `account:<id>`. */
  readonly actor?: string
  readonly memo?: string
}

export interface GrantTerms extends Cause {
  /** Default: granted. */
  readonly type?: CreditType
  /** When they expire; null, the default: never. */
  readonly endsAt?: Date | null
}

/** A part of the cost of an order, from one lot. */
export interface Charge {
  readonly chargeId: number
  readonly credits: number
}

/** The charge that pays for each item of an order, in order. */
export const creditByCredit = (charges: readonly Charge[]): number[] =>
  charges.flatMap(({ chargeId, credits }) => Array.from({ length: credits }, () => chargeId))

export type RefundReason = 'no_contact' | 'dispute' | 'operator' | 'refused' | 'owned' | 'money_back'

/** More than anyone buys, and far below 2^53 even when summed. */
const creditsMax = 1_000_000_000

/** @throws AppError BAD_REQUEST, CONFLICT for a reference that another movement used. */
export async function grantCredits(
  tx: Tx,
  accountId: string,
  credits: number,
  reference: string,
  { type = 'granted', endsAt = null, actor = 'system', memo }: GrantTerms = {},
): Promise<Grant> {
  const [row] = await tx.query<Grant>(
    `SELECT transfer_id AS "transferId", lot_id AS "lotId", applied, balance
     FROM ledger.grant_credits($1, $2, $3, $4, $5, $6, $7)`,
    [accountId, checked(credits), type, endsAt, reference, actor, memo ?? null],
  )
  if (!row) throw referenceTaken(reference)
  return row
}

/**
 * Spends the credits, or holds them if the account's orders are delivered to a CRM automatically; the balance
 * decreases either way.
 * @throws AppError INSUFFICIENT_CREDITS if fewer are left; nothing was written.
 */
export async function spendOnOrder(
  tx: Tx,
  accountId: string,
  order: { readonly orderId: string; readonly credits: number; readonly reference?: string },
): Promise<Charge[]> {
  const { orderId, credits, reference = `order:${orderId}` } = order
  const transfers = await takeCredits(tx, [
    ...[settlement.onAcknowledgement ? 'charge' : 'spend', accountId, checked(credits), null, orderId, reference],
    ...[`account:${accountId}`, null],
  ])
  return transfers.map(({ transferId, amount }) => ({ chargeId: transferId, credits: amount }))
}

/** Spends, or holds, exactly the credits that the payment of this order brought. */
export async function spendOfSale(
  tx: Tx,
  accountId: string,
  { orderId, credits, lotId }: { readonly orderId: string; readonly credits: number; readonly lotId: number },
): Promise<Charge[]> {
  const kind = settlement.onAcknowledgement ? 'charge' : 'spend'
  const [row] = await tx.query<{ chargeId: number }>(
    'SELECT ledger.charge_lot($1, $2, $3, $4, $5, $6, $7) AS "chargeId"',
    [kind, accountId, lotId, checked(credits), orderId, `order:${orderId}`, `account:${accountId}`],
  )
  return row ? [{ chargeId: row.chargeId, credits }] : []
}

/** Pays for a term of a plan. @throws AppError INSUFFICIENT_CREDITS, CONFLICT for a reference in use. */
export async function spendOnTerm(
  tx: Tx,
  accountId: string,
  { credits, reference, memo, actor = 'system' }: Cause & { readonly credits: number; readonly reference: string },
): Promise<void> {
  await takeCredits(tx, ['subscribe', accountId, checked(credits), null, null, reference, actor, memo ?? null])
}

/**
 * Returns credits that paid for a term into the lots that they came from. @returns how many were returned, as far as
 * their money was not refunded, and the last day on which all of them can be spent.
 */
export async function refundTerm(
  tx: Tx,
  { reference, credits }: { readonly reference: string; readonly credits: number },
  { actor = 'system', memo }: Cause,
): Promise<{ readonly credits: number; readonly lastDay: string | null }> {
  const [row] = await tx.query<{ credits: number; lastDay: string | null }>(
    `SELECT coalesce(sum(credits), 0)::bigint AS credits, (runtime.indian_day(min(ends_at) - interval '1 millisecond'))::text AS "lastDay"
     FROM ledger.refund_term($1, $2, $3, $4)`,
    [reference, credits, actor, memo ?? null],
  )
  return row ?? { credits: 0, lastDay: null }
}

/**
 * Revokes up to the remaining credits of these lots, one after the other: of the first under the reference, of each
 * other under the reference and its lot.
 */
export async function revokeFromLots(
  tx: Tx,
  accountId: string,
  {
    lots,
    credits,
    reference,
  }: { readonly lots: readonly number[]; readonly credits: number; readonly reference: string },
  { actor = 'system', memo }: Cause,
): Promise<void> {
  let due = credits
  for (const [index, lotId] of [...new Set(lots)].entries()) {
    if (due === 0) return
    const [row] = await tx.query<{ gone: number }>('SELECT ledger.revoke_from_lot($1, $2, $3, $4, $5, $6) AS gone', [
      ...[accountId, lotId, due, index === 0 ? reference : `${reference}:lot:${lotId}`],
      ...[actor, memo ?? null],
    ])
    due -= row?.gone ?? 0
  }
}

/** Revokes credits. @throws AppError INSUFFICIENT_CREDITS if fewer are left. */
export async function revokeCredits(
  tx: Tx,
  accountId: string,
  credits: number,
  reference: string,
  { type, actor = 'system', memo }: Cause & { readonly type?: CreditType | undefined } = {},
): Promise<Movement> {
  const [earlier] = await tx.query<{ kind: string; amount: number; owner: string | null }>(
    `SELECT transfer.kind, owner_id AS owner,
            (SELECT sum(part.amount) FROM ledger.transfer AS part
             WHERE part.kind = 'revoke' AND (part.reference = $1 OR part.reference LIKE $2)) AS amount
     FROM ledger.transfer LEFT JOIN ledger.account ON ledger_account_id = customer_id WHERE reference = $1`,
    [reference, `${reference.replace(/[\\%_]/g, '\\$&')}:%`],
  )
  if (earlier) {
    const same = earlier.kind === 'revoke' && earlier.owner === accountId && earlier.amount === credits
    if (!same) throw referenceTaken(reference)
    return { applied: false, balance: await creditBalance(tx, accountId) }
  }
  const values = ['revoke', accountId, checked(credits), type ?? null, null, reference, actor, memo ?? null]
  const transfers = await takeCredits(tx, values)
  return { applied: true, balance: transfers.at(-1)?.balance ?? 0 }
}

/**
 * Returns the credits of order items, one each, to the lots that paid for them, and marks the items: held ones are
 * released, spent ones refunded.
 *
 * Only charged items of this account count, and each charge once, so refunds never exceed spends. If part of the
 * sale's money was refunded before, and the buyer has used more than the rest pays for, their credit goes with that
 * money: they are marked `money_back`.
 * @returns the items whose credit this call returned.
 */
export async function refundItems(
  tx: Tx,
  accountId: string,
  itemIds: readonly string[],
  reason: RefundReason,
  { actor = 'system', memo }: Cause = {},
): Promise<string[]> {
  if (itemIds.length === 0) return []
  const items = await tx.query<{ itemId: string }>(
    'SELECT item_id AS "itemId" FROM ledger.refund_items($1, $2, $3, $4, $5) AS item_id',
    [itemIds, accountId, reason, actor, memo ?? null],
  )
  return items.map(({ itemId }) => itemId)
}

/** A buyer who reads the rows of an order has received them, so their held credits are spent. */
export async function settleRead(db: Queryable, orderId: string, type?: string): Promise<void> {
  await db.query('SELECT ledger.settle_read($1, $2)', [orderId, type ?? null])
}

/** The same for one row, where no other row of its order is shown. */
export async function settleReadItem(db: Queryable, itemId: string): Promise<void> {
  await db.query('SELECT ledger.settle_read_item($1)', [itemId])
}

/** What can be spent now: expired credits do not count, even before the job has lapsed them. */
export async function creditBalance(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.query<{ balance: number }>(balanceStatement, [accountId])
  return row?.balance ?? 0
}

/** For the account $1. */
export const balanceText = `SELECT coalesce(sum(total - used), 0)::bigint AS balance
         FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
         WHERE owner_id = $1 AND account.kind = 'credits' AND total > used AND (ends_at IS NULL OR ends_at > now())`
const balanceStatement = { name: 'credit-balance', text: balanceText }

/** @param kind of the movement that `ledger.take_credits` did not make. */
export function insufficientCredits(required: number, balance: number, kind = 'spend'): AppError {
  const needed = counted(required, 'credit')
  const message =
    kind === 'revoke'
      ? `To take back ${needed} the account must have them, and it has ${balance}.`
      : `It costs ${needed}, and ${balance} can be spent on it.`
  const unused = kind === 'subscribe' ? ' Credits that a plan includes pay for records alone.' : ''
  return new AppError('INSUFFICIENT_CREDITS', `${message}${unused} Nothing was written.`, {
    extra: { required, balance },
  })
}

const takeStatement = {
  name: 'take-credits',
  text: `SELECT transfer_id AS "transferId", amount, balance, known
         FROM ledger.take_credits($1, $2, $3, $4, $5, $6, $7, $8)`,
}

interface TakenCredits {
  readonly transferId: number
  readonly amount: number
  readonly balance: number
}

/** @param values arguments of `ledger.take_credits`: kind, owner, credits, type, order, reference, actor, memo. */
async function takeCredits(tx: Tx, values: readonly unknown[]): Promise<TakenCredits[]> {
  const rows = await tx.query<{ transferId: number | null; amount: number; balance: number; known: boolean }>(
    takeStatement,
    values,
  )
  return rows.map(({ transferId, amount, balance, known }) => {
    if (known) throw referenceTaken(String(values[5]))
    if (transferId === null) throw insufficientCredits(Number(values[2]), balance, String(values[0]))
    return { transferId, amount, balance }
  })
}

function checked(credits: number): number {
  if (Number.isSafeInteger(credits) && credits >= 1 && credits <= creditsMax) return credits
  throw new AppError('BAD_REQUEST', `credits must be a whole number from 1 to ${creditsMax}`)
}

export function referenceTaken(reference: string): AppError {
  return new AppError('CONFLICT', `The reference ${reference} is already used by another movement.`)
}

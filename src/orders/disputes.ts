/**
 * Bad contacts: a buyer reports an item of a paid order, an operator decides, and an accepted report refunds the
 * credit. Each charge can be reported once, and each report decided once.
 */
import { orderTerms } from '../../config/plans.ts'
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { refundItems } from './ledger.ts'
import { isReportedLate } from './order.ts'
import { readOrder } from './read-orders.ts'
import { type DisputeStatus, type Reporter, reporters } from './states.ts'

export interface Dispute {
  readonly dispute_id: string
  readonly order_id: string
  /** Index of the item, counted from 0 as in the request. */
  readonly index: number
  readonly type: string
  readonly number: string
  readonly reason: string
  readonly status: DisputeStatus
  readonly opened_at: Date
  readonly decided_at: Date | null
  /** The operator's answer. */
  readonly note: string | null
}

export interface OperatorDispute extends Dispute {
  readonly user_id: string
  readonly reported_by: Reporter
  readonly decided_by: string | null
}

const shown = `
  SELECT dispute_id, order_id, item.position AS index, type, identifier AS number, reason, dispute.status, opened_at,
         decided_at, note, purchase.account_id AS user_id, reported_by, decided_by
  FROM orders.dispute JOIN orders.item USING (item_id) JOIN orders.purchase USING (order_id)`

/**
 * @throws AppError NOT_FOUND, CONFLICT if there is no charge to dispute, it is too late, or it was already reported,
 * QUOTA_EXCEEDED while too many reports are pending.
 */
export async function openDispute(
  tx: Tx,
  accountId: string,
  { orderId, index, reason }: { readonly orderId: string; readonly index: number; readonly reason: string },
): Promise<Dispute> {
  await readOrder(tx, accountId, orderId)
  // The lock makes concurrent reports of one account count in turn.
  await holdQuotaAccount(tx, accountId)
  const { days, openMax } = orderTerms.disputes
  const [item] = await tx.query<{
    itemId: string
    chargeId: number | null
    back: boolean
    late: boolean
    paid: boolean
  }>(
    sql`SELECT item_id AS "itemId", charge_id AS "chargeId", refunded_at IS NOT NULL AS back, ${isReportedLate} AS late,
            payment_status = 'paid' AND withdrawn_at IS NULL AS paid
     FROM orders.item JOIN orders.purchase USING (order_id) WHERE order_id = $1 AND position = $2 FOR NO KEY UPDATE OF item`,
    [orderId, index],
  )
  if (!item) throw new AppError('NOT_FOUND', `The order has no item ${index}.`)
  if (item.chargeId === null) throw new AppError('CONFLICT', 'Nothing was charged for this item.')
  if (item.back) throw new AppError('CONFLICT', 'The credit of this item was already refunded.')
  if (!item.paid) throw new AppError('CONFLICT', 'The money for this item was refunded.')
  if (item.late) throw new AppError('CONFLICT', `Items can be reported within ${days} days after they were charged.`)
  const [waiting] = await tx.query<{ count: number }>(
    `SELECT count(*) FROM orders.dispute JOIN orders.item USING (item_id) JOIN orders.purchase USING (order_id)
     WHERE dispute.status = 'open' AND reported_by = 'buyer' AND account_id = $1`,
    [accountId],
  )
  if ((waiting?.count ?? 0) >= openMax) {
    throw refusedBy('openDisputes', `${openMax} of your reports are pending; report more once some are decided.`, {
      extra: { quota: 'openDisputes', limit: openMax, used: waiting?.count },
    })
  }
  const [opened] = await tx.query<{ id: string }>(
    `INSERT INTO orders.dispute (item_id, charge_id, reason) VALUES ($1, $2, $3)
     ON CONFLICT (item_id, charge_id) DO NOTHING RETURNING dispute_id AS id`,
    [item.itemId, item.chargeId, reason],
  )
  if (!opened) throw new AppError('CONFLICT', 'This item was already reported.')
  return readDispute(tx, opened.id)
}

export async function readDispute(db: Queryable, disputeId: string): Promise<OperatorDispute> {
  const [found] = isUuid(disputeId)
    ? await db.query<OperatorDispute>(sql`${shown} WHERE dispute_id = $1`, [disputeId])
    : []
  if (!found) throw new AppError('NOT_FOUND', 'There is no such dispute.')
  return found
}

export const disputeSorts = listSorts('opened_at', {
  by: { opened_at: 'opened_at', status: 'dispute.status', reported_by: 'reported_by' },
  tie: 'dispute_id',
})

/** Oldest first by default, since those have waited longest. */
export async function listDisputes(
  db: Queryable,
  {
    status,
    reportedBy,
    accountId,
    page,
    limit,
    sort,
  }: {
    readonly status?: DisputeStatus | undefined
    readonly reportedBy?: Reporter | undefined
    readonly accountId?: string | undefined
    readonly page: number
    readonly limit: number
    readonly sort?: SortOf<'opened_at' | 'status' | 'reported_by'> | undefined
  },
): Promise<{ disputes: OperatorDispute[]; total: number }> {
  const filters = [status ?? null, reportedBy ?? null, accountId ?? null]
  const chosen = sql`($1::text IS NULL OR dispute.status = $1) AND ($2::text IS NULL OR reported_by = $2)
    AND ($3::uuid IS NULL OR dispute.item_id IN (SELECT item_id FROM orders.item JOIN orders.purchase USING (order_id) WHERE account_id = $3))`
  const [counted] = await db.query<{ total: number }>(
    sql`SELECT count(*) AS total FROM orders.dispute WHERE ${chosen}`,
    filters,
  )
  const disputes = await db.query<OperatorDispute>(
    sql`${shown} WHERE ${chosen} ORDER BY ${disputeSorts.orderBy(sort)} LIMIT $4 OFFSET $5`,
    [...filters, limit, (page - 1) * limit],
  )
  return { disputes, total: counted?.total ?? 0 }
}

/** Pending reports by who filed them; 0 if there are none. */
export async function countOpenReports(db: Queryable): Promise<{ reportedBy: Reporter; reports: number }[]> {
  return db.query('SELECT reporter AS "reportedBy", reports FROM orders.count_open_reports($1)', [reporters])
}

export interface Decision {
  readonly disputeId: string
  readonly accept: boolean
  /** Shown to the buyer. */
  readonly note: string
  readonly actor: Actor
}

/**
 * An accepted report refunds the credit, unless it or the order's money was refunded in another way in between.
 * @throws AppError NOT_FOUND, CONFLICT
 */
export async function decideDispute(tx: Tx, { disputeId, accept, note, actor }: Decision): Promise<OperatorDispute> {
  const before = await readDispute(tx, disputeId)
  // Locks the order before its dispute, as an erasure does.
  const [order] = await tx.query<{ paid: boolean }>(
    `SELECT payment_status = 'paid' AS paid FROM orders.purchase WHERE order_id = $1 FOR NO KEY UPDATE`,
    [before.order_id],
  )
  const status = accept ? 'accepted' : 'rejected'
  const decided = await tx.query<{ itemId: string }>(
    `UPDATE orders.dispute SET status = $2, decided_at = now(), decided_by = $3, note = $4
     WHERE dispute_id = $1 AND status = 'open' RETURNING item_id AS "itemId"`,
    [disputeId, status, actor, note],
  )
  const [item] = decided
  if (!item) throw new AppError('CONFLICT', `This dispute is already ${(await readDispute(tx, disputeId)).status}.`)
  if (accept && order?.paid) await refundItems(tx, before.user_id, [item.itemId], 'dispute', { actor, memo: note })
  await audit(tx, {
    actor,
    action: `${accept ? 'accept' : 'reject'} dispute`,
    subject: disputeId,
    accountId: before.user_id,
  })
  return readDispute(tx, disputeId)
}

/**
 * Decides all pending reports of an account or an order at once, oldest first, each as a single decision would. A
 * repeated run decides the reports pending then.
 */
import { orderTerms } from '../../config/plans.ts'
import { type Actor, audit } from '../audit/audit.ts'
import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { decideDispute, type OperatorDispute } from './disputes.ts'
import { refundItems } from './ledger.ts'
import type { Reporter } from './states.ts'

export interface ManyDecided {
  readonly decided: number
  /** Credits refunded. */
  readonly credits: number
  /** Matching reports that are still pending. */
  readonly left: number
}

export interface ReportChoice {
  readonly accountId?: string | undefined
  readonly orderId?: string | undefined
  readonly reportedBy?: Reporter | undefined
}

interface ManyDecision extends ReportChoice {
  readonly accept: boolean
  /** Shown to the buyers. */
  readonly note: string
  readonly actor: Actor
}

const waiting = `FROM orders.dispute JOIN orders.item USING (item_id) JOIN orders.purchase USING (order_id)
  WHERE dispute.status = 'open' AND ($1::uuid IS NULL OR account_id = $1) AND ($2::uuid IS NULL OR order_id = $2)
    AND ($3::text IS NULL OR reported_by = $3)`

/** @returns zeros if none is pending. */
export async function decideReports(tx: Tx, decision: ManyDecision): Promise<ManyDecided> {
  const { accountId, orderId, reportedBy, accept, note, actor } = decision
  const chosen = [accountId ?? null, orderId ?? null, reportedBy ?? null]
  // Locks the orders before their reports, as an erasure does, and in a fixed order.
  await tx.execute(
    sql`SELECT FROM orders.purchase WHERE order_id IN (SELECT order_id ${waiting}) ORDER BY order_id FOR NO KEY UPDATE`,
    chosen,
  )
  const decided = await tx.query<{ itemId: string; accountId: string; paid: boolean }>(
    sql`WITH longest AS (
       SELECT dispute_id, account_id, payment_status = 'paid' AS paid ${waiting}
       ORDER BY opened_at, dispute_id LIMIT $7
     )
     UPDATE orders.dispute SET status = $4, decided_at = now(), decided_by = $5, note = $6
     FROM longest WHERE dispute.dispute_id = longest.dispute_id AND status = 'open'
     RETURNING item_id AS "itemId", account_id AS "accountId", paid`,
    [...chosen, accept ? 'accepted' : 'rejected', actor, note, orderTerms.disputes.decidedMax],
  )
  let credits = 0
  const byAccount = Map.groupBy(decided, (report) => report.accountId)
  for (const [owner, reports] of [...byAccount].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const items = reports.filter(({ paid }) => accept && paid).map(({ itemId }) => itemId)
    const back = await refundItems(tx, owner, items, 'dispute', { actor, memo: note })
    credits += back.length
    await audit(tx, {
      actor,
      action: `${accept ? 'accept' : 'reject'} disputes`,
      subject: orderId ?? owner,
      accountId: owner,
      detail: { reports: reports.length, credits: back.length },
    })
  }
  const [rest] = await tx.query<{ left: number }>(sql`SELECT count(*) AS left ${waiting}`, chosen)
  return { decided: decided.length, credits, left: rest?.left ?? 0 }
}

/**
 * Decides the report with this id, or the pending ones of the order or account with this id. @throws AppError
 * NOT_FOUND, CONFLICT
 */
export async function decideReportsById(
  tx: Tx,
  id: string,
  { reportedBy, ...decision }: Omit<ManyDecision, 'accountId' | 'orderId'>,
): Promise<ManyDecided | OperatorDispute> {
  const [found] = isUuid(id)
    ? await tx.query<{ kind: 'report' | 'order' | 'account' }>(
        `SELECT 'report' AS kind FROM orders.dispute WHERE dispute_id = $1
         UNION ALL SELECT 'order' FROM orders.purchase WHERE order_id = $1
         UNION ALL SELECT 'account' FROM access.account WHERE account_id = $1`,
        [id],
      )
    : []
  if (!found) throw new AppError('NOT_FOUND', 'There is no report, order or account of this id.')
  if (found.kind === 'report') return decideDispute(tx, { disputeId: id, ...decision })
  return decideReports(tx, {
    ...decision,
    reportedBy,
    ...(found.kind === 'order' ? { orderId: id } : { accountId: id }),
  })
}

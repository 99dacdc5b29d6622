/**
 * After an import was undone, withdraws the matches that only it had brought: records that no longer match the restored
 * register. If nobody read a lead and no CRM received it, its credit is refunded; if a CRM received it, it is recalled,
 * unless another order of the account requested it there, too. Idempotent. Matches skipped by a person or a pause stay
 * skipped; all others are found again if a later import brings them back.
 */
import type { Db, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { refundItems } from '../orders/ledger.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { registerTables } from '../registry/register-table.ts'
import { unlessInvalid } from './block.ts'
import { buildMatcherFor, keys } from './matcher.ts'
import { holdStanding, type StandingOrder } from './standing-order.ts'

export interface Withdrawal {
  readonly withdrawn: number
  readonly refunded: number
  readonly recalled: number
}

export async function withdrawUndone(db: Db, queue: JobSender, undoRunId: number): Promise<Withdrawal> {
  const orders = await db.query<{ id: string; undoes: number[] }>(
    `SELECT DISTINCT m.standing_order_id AS id, run.undoes FROM ingest.run
     JOIN orders.standing_match m ON m.import_run_id = ANY (run.undoes)
     WHERE run.run_id = $1 AND run.undo IS NOT NULL AND run.status = 'succeeded' ORDER BY 1`,
    [undoRunId],
  )
  const sum = { withdrawn: 0, refunded: 0, recalled: 0 }
  for (const { id, undoes } of orders) {
    const each = await db.transaction((tx) => withdraw(tx, queue, id, undoes))
    sum.withdrawn += each.withdrawn
    sum.refunded += each.refunded
    sum.recalled += each.recalled
  }
  return sum
}

async function withdraw(tx: Tx, queue: JobSender, id: string, undoes: readonly number[]): Promise<Withdrawal> {
  const order = await holdStanding(tx, null, id)
  const gone = await noLongerThere(tx, order, undoes)
  const items = await tx.query<{ itemId: string; delivered: boolean; read: boolean }>(
    sql`SELECT item.item_id AS "itemId",
       EXISTS (SELECT FROM deliver.delivery d LEFT JOIN deliver.record r USING (destination_id, external_id)
         WHERE d.item_id = item.item_id
           AND (d.state IN ('acknowledged', 'unknown') OR item.item_id = ANY (r.unconfirmed)
             OR r.state = 'sending' AND r.sent_item_id = item.item_id)) AS delivered,
       item.settled_id IS NOT NULL OR EXISTS (SELECT FROM access.audit a
         WHERE a.kind = 'reading' AND a.account_id = p.account_id
           -- An export of several orders names them where others name records.
           AND (a.reason = 'order ' || p.order_id OR a.identifiers @> ARRAY[p.order_id::text])) AS read
     FROM orders.standing_run run JOIN orders.purchase p ON p.standing_run_id = run.run_id JOIN orders.item USING (order_id)
     WHERE run.standing_order_id = $1 AND item.identifier = ANY ($2::text[]) AND item.refunded_at IS NULL`,
    [id, gone],
  )
  const back = items.filter(({ delivered, read }) => !delivered && !read).map(({ itemId }) => itemId)
  const memo = `import ${undoes.join(', ')} was undone`
  const refunded = await refundItems(tx, order.accountId, back, 'operator', { memo })
  const recalled = await tx.execute(
    `INSERT INTO deliver.recall (destination_id, external_id, crm_id, reason)
     SELECT r.destination_id, r.external_id, r.crm_id, 'undone' FROM deliver.record r
     WHERE r.item_id = ANY ($1::uuid[]) AND (r.acknowledged_at IS NOT NULL OR r.state IN ('sending', 'unknown') OR r.unconfirmed IS NOT NULL)
       AND NOT EXISTS (SELECT FROM deliver.delivery d JOIN orders.item i USING (item_id) JOIN orders.purchase p ON p.order_id = i.order_id
         LEFT JOIN orders.standing_run run ON run.run_id = p.standing_run_id
         LEFT JOIN orders.standing_match m
           ON m.standing_order_id = run.standing_order_id AND m.type = i.type AND m.identifier = i.identifier
         WHERE d.destination_id = r.destination_id AND d.external_id = r.external_id
           AND i.refunded_at IS NULL AND i.withdrawn_at IS NULL
           AND NOT coalesce(m.state = 'undone' OR m.import_run_id = ANY ($2::bigint[]), false))
     ON CONFLICT (destination_id, external_id) WHERE status = 'pending' DO NOTHING`,
    [items.filter(({ delivered }) => delivered).map(({ itemId }) => itemId), undoes],
  )
  if (recalled > 0) await queue.send(tx, queues.recallLeads, {})
  const withdrawn = await tx.execute(
    `UPDATE orders.standing_match SET state = 'undone' WHERE standing_order_id = $1 AND identifier = ANY ($2::text[])
       AND state NOT IN ('undone', 'skipped')`,
    [id, gone],
  )
  await tx.execute(
    `UPDATE orders.standing_run run SET state = 'undone', reserved = 0, finished_at = coalesce(finished_at, now()), reason = 'import_undone'
     WHERE standing_order_id = $1 AND import_run_id = ANY ($2::bigint[]) AND state <> 'undone'
       AND NOT EXISTS (SELECT FROM orders.standing_match m WHERE m.run_id = run.run_id AND m.state <> 'undone')`,
    [id, undoes],
  )
  return { withdrawn, refunded: refunded.length, recalled }
}

/** Of these imports' matches, the records that no longer exist or, by a query that is still valid, no longer match. */
async function noLongerThere(tx: Tx, order: StandingOrder, undoes: readonly number[]): Promise<string[]> {
  const matcher = await unlessInvalid(tx, order, () => buildMatcherFor(tx, order))
  const key = keys[order.type]
  const values = [...(matcher?.values ?? []), order.standingOrderId, undoes]
  const rows = await tx.query<{ identifier: string }>(
    sql`SELECT m.identifier FROM orders.standing_match m
     WHERE m.standing_order_id = $${values.length - 1}::uuid AND m.import_run_id = ANY ($${values.length}::bigint[])
       AND NOT EXISTS (SELECT FROM ${registerTables[order.type].table} r
         WHERE ${key} = m.identifier AND r.closed_on IS NULL AND ${matcher?.condition ?? 'true'})`,
    values,
  )
  return rows.map(({ identifier }) => identifier)
}

/** Once a day each account that has standing orders is told what they brought: one e-mail, and nothing where nothing came. */
import { standingTerms } from '../../config/plans.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { daysAfter } from '../domain/iso-date.ts'
import { announce } from '../notify/announce.ts'
import { creditBalance } from '../orders/ledger.ts'

interface Day {
  readonly matches: number
  readonly bought: number
  readonly credits: number
  readonly delivered: number
  readonly rejected: number
  readonly leads: readonly string[]
  readonly rejects: readonly string[]
}

const shownMax = 20

/** Of yesterday in India, from a time of today on. Taken once for each account. @returns how many were written. */
export async function sendDigests(db: Db, from: string = standingTerms.digestAt): Promise<number> {
  const due = await db.query<{ accountId: string; today: string }>(
    `SELECT DISTINCT s.account_id AS "accountId", runtime.indian_day(now()) AS today
     FROM orders.standing_order s JOIN access.account USING (account_id)
     WHERE s.state <> 'draft' AND (s.digest_on IS NULL OR s.digest_on < runtime.indian_day(now()))
       AND account.erased_at IS NULL AND (now() AT TIME ZONE 'Asia/Kolkata')::time >= $1::time
     ORDER BY 1`,
    [from],
  )
  let sent = 0
  for (const { accountId, today } of due) if (await sendDigest(db, accountId, today)) sent += 1
  return sent
}

async function sendDigest(db: Db, accountId: string, today: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const taken = await tx.execute(
      `UPDATE orders.standing_order SET digest_on = $2 WHERE account_id = $1 AND (digest_on IS NULL OR digest_on < $2::date)`,
      [accountId, today],
    )
    if (taken === 0) return false
    const day = daysAfter(today, -1)
    const [told] = await tx.query<Day>(dayText, [accountId, day, shownMax])
    if (!told || told.matches + told.bought + told.delivered + told.rejected === 0) return false
    const { leads, rejects, ...figures } = told
    const data = { day, ...figures, balance: await creditBalance(tx, accountId) }
    // The e-mail names the leads, which are the account's own; a webhook asks for them by the order.
    await announce(tx, accountId, 'standing_order.digest', data, { about: day, data: { ...data, leads, rejects } })
    return true
  })
}

/** Of the account $1 on the Indian day $2, with at most $3 names. */
const dayText = sql`
  WITH run AS (
    SELECT run.*, s.account_id FROM orders.standing_run run JOIN orders.standing_order s USING (standing_order_id) WHERE s.account_id = $1
  ), bought AS (
    SELECT item.item_id, item.name, item.type, item.identifier, purchase.order_id FROM run JOIN orders.purchase ON purchase.standing_run_id = run.run_id
      JOIN orders.item USING (order_id)
    WHERE runtime.indian_day(purchase.paid_at) = $2::date AND item.refunded_at IS NULL
  ), went AS (
    SELECT d.state, d.external_id, d.last_error FROM deliver.delivery d JOIN bought USING (item_id)
  )
  SELECT (SELECT coalesce(sum(matches), 0)::integer FROM run WHERE runtime.indian_day(created_at) = $2::date) AS matches,
         (SELECT count(*)::integer FROM bought) AS bought,
         (SELECT coalesce(sum(total_amount), 0)::integer FROM orders.purchase JOIN run ON run.run_id = standing_run_id
          WHERE runtime.indian_day(paid_at) = $2::date) AS credits,
         (SELECT count(*)::integer FROM went WHERE state = 'acknowledged') AS delivered,
         (SELECT count(*)::integer FROM went WHERE state = 'rejected') AS rejected,
         ARRAY(SELECT name || ' (' || identifier || ')' FROM bought ORDER BY name LIMIT $3) AS leads,
         ARRAY(SELECT external_id || ': ' || coalesce(last_error ->> 'message', last_error ->> 'code', '') FROM went
               WHERE state = 'rejected' ORDER BY 1 LIMIT $3) AS rejects`

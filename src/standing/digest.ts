/**
 * Once a day, each account with standing orders gets one e-mail with their results since the previous digest, or none
 * if there are no results. Last night's imports are in this morning's digest.
 */
import { standingTerms } from '../../config/plans.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { announce } from '../notify/announce.ts'
import { creditBalance } from '../orders/ledger.ts'

interface DigestContent {
  readonly matches: number
  readonly bought: number
  readonly credits: number
  readonly delivered: number
  readonly rejected: number
  readonly noticed: number
  readonly leads: readonly string[]
  readonly notices: readonly string[]
  readonly rejects: readonly string[]
}

const shownMax = 20

/** After days without a worker, a digest looks back no further. */
const daysBackMax = 7

/**
 * Sends the digests that are due at a time of day in India, which is also the end of the period that they report. Each
 * account is claimed once.
 * @returns how many were written.
 */
export async function sendDigests(db: Db, at: string = standingTerms.digestAt): Promise<number> {
  const due = await db.query<{ accountId: string; today: string }>(
    `SELECT DISTINCT s.account_id AS "accountId", runtime.indian_day(now()) AS today
     FROM orders.standing_order s JOIN access.account USING (account_id)
     WHERE s.state <> 'draft' AND (s.digest_on IS NULL OR s.digest_on < runtime.indian_day(now()))
       AND account.erased_at IS NULL AND (now() AT TIME ZONE 'Asia/Kolkata')::time >= $1::time
     ORDER BY 1`,
    [at],
  )
  let sent = 0
  for (const { accountId, today } of due) if (await sendDigest(db, { accountId, today, at })) sent += 1
  return sent
}

interface Due {
  readonly accountId: string
  readonly today: string
  readonly at: string
}

async function sendDigest(db: Db, { accountId, today, at }: Due): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [before] = await tx.query<{ since: string }>(
      // The first digest covers the time since the day before the oldest standing order was created.
      `SELECT greatest(coalesce(max(digest_on), min(runtime.indian_day(created_at)) - 1), $2::date - $3::integer)::text AS since
       FROM (SELECT digest_on, created_at FROM orders.standing_order WHERE account_id = $1
             ORDER BY standing_order_id FOR NO KEY UPDATE) held`,
      [accountId, today, daysBackMax],
    )
    const claimed = await tx.execute(
      `UPDATE orders.standing_order SET digest_on = $2 WHERE account_id = $1 AND (digest_on IS NULL OR digest_on < $2::date)`,
      [accountId, today],
    )
    if (claimed === 0 || !before || before.since === today) return false
    const [content] = await tx.query<DigestContent>(digestText, [accountId, before.since, today, at, shownMax])
    if (!content || content.matches + content.bought + content.delivered + content.rejected === 0) return false
    const { leads, noticed, notices, rejects, ...figures } = content
    const data = { day: today, ...figures, balance: await creditBalance(tx, accountId) }
    // The e-mail names the leads, which belong to the account; a webhook's receiver reads them from the order. A CRM's
    // error message may contain values of the row.
    const mail = { about: today, data: { ...data, leads, noticed, notices, rejects } }
    await announce(tx, accountId, 'standing_order.digest', data, mail)
    return true
  })
}

const within = (moment: string) => sql`${moment} >= bounds.since AND ${moment} < bounds.until`

/** For the account $1, from the day $2 to the day $3, each at the time $4 in India, with at most $5 names. */
const digestText = sql`
  WITH bounds AS (
    SELECT ($2::date + $4::time) AT TIME ZONE 'Asia/Kolkata' AS since, ($3::date + $4::time) AT TIME ZONE 'Asia/Kolkata' AS until
  ), run AS (
    SELECT run.* FROM orders.standing_run run JOIN orders.standing_order s USING (standing_order_id) WHERE s.account_id = $1
  ), made AS (
    SELECT run.* FROM run, bounds WHERE ${within('run.created_at')}
  ), placed AS (
    SELECT purchase.* FROM run JOIN orders.purchase ON purchase.standing_run_id = run.run_id
  ), bought AS (
    SELECT item.name, item.identifier FROM bounds, placed JOIN orders.item USING (order_id)
    WHERE ${within('placed.paid_at')} AND item.refunded_at IS NULL
  ), noticed AS (
    SELECT m.identifier, coalesce(company.name, gst.trade_name, gst.legal_name, m.identifier) AS name
    FROM made JOIN orders.standing_match m ON m.run_id = made.run_id AND m.state = 'notified'
    LEFT JOIN registry.company ON m.type = 'company' AND company.cin = m.identifier
    LEFT JOIN registry.gst_taxpayer gst ON m.type = 'gst' AND gst.gstin = m.identifier
  ), went AS (
    SELECT d.state, d.external_id, d.last_error FROM bounds, placed JOIN deliver.delivery d USING (order_id)
    WHERE d.state = 'acknowledged' AND ${within('d.acknowledged_at')} OR d.state = 'rejected' AND ${within('d.updated_at')}
  )
  SELECT (SELECT coalesce(sum(matches), 0)::integer FROM made) AS matches,
         (SELECT count(*)::integer FROM bought) AS bought,
         (SELECT coalesce(sum(total_amount), 0)::integer FROM placed, bounds WHERE ${within('placed.paid_at')}) AS credits,
         (SELECT count(*)::integer FROM went WHERE state = 'acknowledged') AS delivered,
         (SELECT count(*)::integer FROM went WHERE state = 'rejected') AS rejected,
         (SELECT count(*)::integer FROM noticed) AS noticed,
         ARRAY(SELECT name || ' (' || identifier || ')' FROM bought ORDER BY name LIMIT $5) AS leads,
         ARRAY(SELECT name || ' (' || identifier || ')' FROM noticed ORDER BY name LIMIT $5) AS notices,
         ARRAY(SELECT external_id || coalesce(' (' || (last_error ->> 'code') || ')', '') FROM went
               WHERE state = 'rejected' ORDER BY 1 LIMIT $5) AS rejects`

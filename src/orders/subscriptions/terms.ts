/**
 * The time that an account has bought: adding a term updates the subscription, what it opens and the account's limits
 * in the caller's transaction; reversing one removes its time. Everything is written with its end, so that reads do
 * not depend on a job. The caller locks the account; a term has the reference of its payment and is added once.
 */

import { type Actor, audit } from '../../audit/audit.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { grantCredits } from '../ledger.ts'
import type { ProductTerms } from './products.ts'

export interface NewTerm {
  readonly accountId: string
  readonly terms: ProductTerms
  readonly paidWith: 'online' | 'credits' | 'operator'
  /** Paise with tax, or credits. */
  readonly price: number
  readonly reference: string
  readonly actor: Actor
  /** undefined: unchanged; a new subscription does not renew automatically. */
  readonly autoRenew?: boolean | undefined
}

export interface AddedTerm {
  readonly subscriptionId: string
  readonly termId: string
  /** Lot of its credits and money; null if it has neither. */
  readonly lotId: number | null
  /** The grant of its credits. */
  readonly transferId: number | null
  readonly startsAt: Date
  readonly endsAt: Date
}

/** @throws AppError NOT_FOUND if the account does not exist or is erased. */
export async function holdAccount(tx: Tx, accountId: string): Promise<void> {
  const held = await tx.query(
    'SELECT FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR NO KEY UPDATE',
    [accountId],
  )
  if (held.length === 0) throw new AppError('NOT_FOUND', 'No such account.')
}

/**
 * Adds a term: after the last one while the subscription lives, grace period included; otherwise as a new
 * subscription from now. Resumes a cancelled subscription.
 */
export async function addTerm(tx: Tx, term: NewTerm): Promise<AddedTerm> {
  const { accountId, terms, paidWith, price, reference, actor, autoRenew = null } = term
  const subscriptionId = (await livingSubscription(tx, accountId, terms.id)) ?? (await begin(tx, accountId, terms))
  const [dates] = await tx.query<{ number: number; startsAt: Date; endsAt: Date }>(
    `SELECT (SELECT coalesce(max(number), 0) + 1 FROM access.subscription_term WHERE subscription_id = $1) AS number,
            ends_at AS "startsAt", ends_at + make_interval(hours => 24 * $2) AS "endsAt"
     FROM access.subscription WHERE subscription_id = $1`,
    [subscriptionId, terms.days],
  )
  if (!dates) throw new Error('a subscription that was just found is gone')
  const { number, startsAt, endsAt } = dates
  const hasLot = terms.credits > 0 || (paidWith === 'online' && price > 0)
  const lotId = hasLot ? await openLot(tx, term, { startsAt, endsAt }) : null
  const cause = { actor, memo: terms.name }
  const granted =
    terms.credits > 0
      ? await grantCredits(tx, accountId, terms.credits, grantReference(reference), { type: 'plan', endsAt, ...cause })
      : undefined
  const opens = [...(terms.limits === null ? [] : [terms.limits]), ...terms.datasets]
  const [written] = await tx.query<{ termId: string }>(
    `INSERT INTO access.subscription_term
       (subscription_id, number, reference, paid_with, price, days, credits, lot_id, starts_at, ends_at, opens, name, interval)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING term_id AS "termId"`,
    [
      ...[subscriptionId, number, reference, paidWith, price, terms.days, terms.credits, lotId],
      ...[startsAt, endsAt, opens, terms.name, terms.interval],
    ],
  )
  if (!written) throw new Error('the insert of a term returned no row')
  await tx.execute(
    `UPDATE access.subscription
     SET cancelled_at = NULL, ending_told_at = NULL, auto_renew = coalesce($2, auto_renew), grace_days = $3 WHERE subscription_id = $1`,
    [subscriptionId, autoRenew, terms.graceDays],
  )
  await openFeeds(tx, subscriptionId, terms)
  await keepInStep(tx, subscriptionId)
  const detail = { product: terms.id, number, paidWith, price, startsAt, endsAt }
  await audit(tx, { actor, action: 'add term', subject: subscriptionId, detail, accountId })
  return { subscriptionId, ...written, lotId, transferId: granted?.transferId ?? null, startsAt, endsAt }
}

/** The payment's reference is used for its money, so credits included in a term have their own. */
export const grantReference = (reference: string) => `${reference}:credits`

/** The subscription that a purchase of the product extends. */
export async function livingSubscription(tx: Tx, accountId: string, product: string): Promise<string | undefined> {
  const [found] = await tx.query<{ id: string }>(
    `SELECT subscription_id AS id FROM access.subscription
     WHERE account_id = $1 AND product = $2 AND until_at > now() FOR NO KEY UPDATE`,
    [accountId, product],
  )
  return found?.id
}

/**
 * Removes time that is not over from a term: later terms move up, and the subscription is cancelled, so that time
 * that was not paid for gives no grace period.
 * @param days of the term, possibly a fraction.
 */
export async function shortenTerm(tx: Tx, termId: string, days: number): Promise<void> {
  const [moved] = await tx.query<{ subscriptionId: string }>(
    `WITH term AS (
       SELECT term_id, subscription_id, number, ends_at,
              greatest(ends_at - make_interval(secs => 86400 * $2::float8), least(ends_at, greatest(starts_at, date_trunc('milliseconds', now())))) AS shorter
       FROM access.subscription_term WHERE term_id = $1 FOR NO KEY UPDATE
     ), taken AS (
       UPDATE access.subscription_term AS t SET
         starts_at = CASE WHEN t.number > term.number THEN t.starts_at - (term.ends_at - term.shorter) ELSE t.starts_at END,
         ends_at = t.ends_at - (term.ends_at - term.shorter),
         taken_back_at = CASE WHEN t.term_id = term.term_id THEN now() ELSE t.taken_back_at END
       FROM term WHERE t.subscription_id = term.subscription_id AND t.number >= term.number
     )
     UPDATE access.subscription AS s SET cancelled_at = coalesce(s.cancelled_at, now()), auto_renew = false
     FROM term WHERE s.subscription_id = term.subscription_id RETURNING s.subscription_id AS "subscriptionId"`,
    [termId, days],
  )
  if (moved) await keepInStep(tx, moved.subscriptionId)
}

/**
 * Derives ends, entitlements and limits from the terms: each opens what was sold with it until its own end, the last
 * one including the grace period.
 */
export async function keepInStep(tx: Tx, subscriptionId: string): Promise<void> {
  await tx.execute(
    `UPDATE access.subscription AS s
     SET ends_at = last.ends_at, until_at = last.until_at, ended_at = CASE WHEN last.until_at <= now() THEN s.ended_at END
     FROM (
       SELECT term.ends_at,
         term.ends_at + make_interval(hours => CASE WHEN cancelled_at IS NULL THEN 24 * grace_days ELSE 0 END) AS until_at
       FROM access.subscription
       CROSS JOIN (SELECT max(ends_at) AS ends_at FROM access.subscription_term WHERE subscription_id = $1) AS term
       WHERE subscription_id = $1
     ) AS last
     WHERE s.subscription_id = $1`,
    [subscriptionId],
  )
  await tx.execute(
    sql`UPDATE access.entitlement AS e SET expires_at = coalesce(
       (SELECT max(${openUntil}) FROM ${standingTerms} WHERE s.subscription_id = $1 AND (opens IS NULL OR e.dataset = ANY (opens))),
       least(e.expires_at, now()))
     WHERE subscription_id = $1 AND revoked_at IS NULL`,
    [subscriptionId],
  )
  await tx.execute(
    sql`UPDATE access.account SET premium_until =
       (SELECT max(${openUntil}) FROM ${standingTerms}
        WHERE s.account_id = account.account_id AND CASE WHEN opens IS NULL THEN limits = 'premium' ELSE 'premium' = ANY (opens) END)
     WHERE account_id = (SELECT account_id FROM access.subscription WHERE subscription_id = $1)`,
    [subscriptionId],
  )
}

/** A term that was reversed in full opens nothing. */
const standingTerms = sql`access.subscription AS s JOIN access.subscription_term AS t
  ON t.subscription_id = s.subscription_id AND t.starts_at < t.ends_at`
const openUntil = sql`CASE WHEN t.ends_at = s.ends_at THEN s.until_at ELSE t.ends_at END`

async function begin(tx: Tx, accountId: string, terms: ProductTerms): Promise<string> {
  const [begun] = await tx.query<{ id: string }>(
    `INSERT INTO access.subscription (account_id, product, kind, name, interval, limits, grace_days, started_at, ends_at, until_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, at, at, at FROM date_trunc('milliseconds', now()) AS at RETURNING subscription_id AS id`,
    [accountId, terms.id, terms.kind, terms.name, terms.interval, terms.limits, terms.graceDays],
  )
  if (!begun) throw new Error('the insert of a subscription returned no row')
  return begun.id
}

/** A feed that an operator revoked in between opens again, since it was paid for. */
async function openFeeds(tx: Tx, subscriptionId: string, terms: ProductTerms): Promise<void> {
  await tx.execute(
    `INSERT INTO access.entitlement
       (account_id, dataset, granted_by, plan_name, interval, window_from, anchored, starts_at, expires_at, subscription_id)
     SELECT account_id, dataset, $3, name, interval, CASE WHEN $4 THEN runtime.indian_day(started_at) END, $4, now(), until_at,
            subscription_id
     FROM access.subscription CROSS JOIN unnest($2::text[]) AS dataset WHERE subscription_id = $1
     ON CONFLICT (subscription_id, dataset) WHERE subscription_id IS NOT NULL AND revoked_at IS NULL DO NOTHING`,
    [subscriptionId, terms.datasets, terms.kind === 'plan' ? 'subscription' : 'offer', terms.anchored],
  )
}

/** A lot of its own, so that what goes back is taken from this term alone; its grant finds it by the reference. */
async function openLot(
  tx: Tx,
  { accountId, reference }: NewTerm,
  { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>('SELECT ledger.open_term_lot($1, $2, $3, $4) AS id', [
    accountId,
    endsAt,
    startsAt,
    reference,
  ])
  if (!row) throw new Error('a function returned no row')
  return row.id
}

/**
 * Reverses a term in full or in part when its payment is refunded: as much of its time ends, with its feeds and
 * limits, and as many of its remaining credits. Time that has passed and credits that were spent stay used.
 */

import { type Actor, audit } from '../../audit/audit.ts'
import type { Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { refundTerm, revokeFromLots } from '../ledger.ts'
import { takeBackMoney } from '../ledger-money.ts'
import { holdAccount, shortenTerm } from './terms.ts'

export interface Term {
  readonly termId: string
  readonly accountId: string
  readonly reference: string
  readonly days: number
  readonly credits: number
  /** Its own lot first, then those in which its credits lived on. */
  readonly lots: readonly number[]
}

const columns = `term_id AS "termId", account_id AS "accountId", reference, days, credits, own.lots`
const termTables = sql`access.subscription_term JOIN access.subscription USING (subscription_id)
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(lot.lot_id ORDER BY lot.lot_id <> subscription_term.lot_id, lot.lot_id), '{}') AS lots,
           sum(lot.total - lot.used) AS left
    FROM ledger.lot JOIN ledger.account USING (ledger_account_id)
    WHERE owner_id = account_id AND (lot.lot_id = subscription_term.lot_id OR lot.sale = reference)) AS own`

/** The term that a payment bought. */
export async function findTerm(tx: Queryable, reference: string): Promise<Term | undefined> {
  const [term] = await tx.query<Term>(sql`SELECT ${columns} FROM ${termTables} WHERE reference = $1`, [reference])
  return term
}

export interface Portion {
  /** Reference of the repayment. */
  readonly reference: string
  /** Paise that are refunded. */
  readonly net: number
  readonly tax: number
  readonly isChargeback: boolean
  readonly memo: string
  /** Days of the term, possibly a fraction. */
  readonly days: number
  /** Credits that the term included. */
  readonly credits: number
}

/** Reverses a term after a refund of its payment. */
export async function takeBackPaidTerm(tx: Tx, term: Term, portion: Portion): Promise<void> {
  const { days, credits, ...money } = portion
  await shortenTerm(tx, term.termId, days)
  await revokeCreditsOf(tx, term, credits, money.reference, money.memo)
  await takeBackMoney(tx, term.accountId, { ...money, sale: term.reference })
}

export interface RefundedTerm {
  readonly subscription_id: string
  readonly term: number
  /** Credits returned, as far as their money was not refunded before, and credits that stay spent. */
  readonly credits: number
  readonly used: number
  /** Last day on which all returned credits can be spent; null: they do not expire. */
  readonly last_day: string | null
}

/**
 * An operator reverses a term that was paid with credits or given for free: of its price, the unused share of its
 * time or of its credits is returned, whichever is less.
 * @param number of the term; default: the last one not reversed.
 * @throws AppError NOT_FOUND, CONFLICT for a term that was paid with money, was reversed before or is over.
 */
export async function refundTermByOperator(
  tx: Tx,
  request: {
    readonly subscriptionId: string
    readonly number?: number | undefined
    readonly reason: string
    readonly actor: Actor
  },
): Promise<RefundedTerm> {
  const { subscriptionId, number, reason, actor } = request
  const [owner] = isUuid(subscriptionId)
    ? await tx.query<{ accountId: string }>(
        'SELECT account_id AS "accountId" FROM access.subscription WHERE subscription_id = $1',
        [subscriptionId],
      )
    : []
  if (!owner) throw new AppError('NOT_FOUND', 'There is no such subscription.')
  await holdAccount(tx, owner.accountId)
  const [term] = await tx.query<Standing>(
    sql`SELECT ${columns}, number, paid_with AS "paidWith", taken_back_at IS NOT NULL AS back, subscription_term.ends_at <= now() AS over,
       price, ceil(price * ${unusedShare})::bigint AS due
     FROM ${termTables}
     WHERE subscription_id = $1 AND ($2::integer IS NULL AND taken_back_at IS NULL OR number = $2)
     ORDER BY number DESC LIMIT 1`,
    [subscriptionId, number ?? null],
  )
  if (!term) throw new AppError('NOT_FOUND', 'There is no such term, or all of them were refunded.')
  if (term.back) throw new AppError('CONFLICT', `Term ${term.number} was already refunded.`)
  if (term.paidWith === 'online') {
    throw new AppError('CONFLICT', `Term ${term.number} was paid with money: refund the payment, and the term follows.`)
  }
  if (term.over) throw new AppError('CONFLICT', `Term ${term.number} is over: nothing of it is left to refund.`)
  await shortenTerm(tx, term.termId, term.days)
  await revokeCreditsOf(tx, term, term.credits, `back:${term.termId}`, reason)
  const back = { reference: term.reference, credits: term.due }
  const { credits, lastDay } = await refundTerm(tx, back, { actor, memo: reason })
  const used = term.price - term.due
  const detail = { term: term.number, credits, used }
  await audit(tx, { actor, action: 'refund term', subject: subscriptionId, detail, accountId: owner.accountId })
  return { subscription_id: subscriptionId, term: term.number, credits, used, last_day: lastDay }
}

interface Standing extends Term {
  readonly number: number
  readonly paidWith: string
  readonly back: boolean
  readonly over: boolean
  readonly price: number
  /** Credits of the price that are returned. */
  readonly due: number
}

/** The unused share of a term's time, or of its credits if that is less. */
const unusedShare = sql`least(
  extract(epoch FROM subscription_term.ends_at - greatest(starts_at, now())) / (86400 * days),
  CASE WHEN credits > 0 THEN own.left / credits END, 1)`

async function revokeCreditsOf(tx: Tx, term: Term, credits: number, reference: string, memo: string): Promise<void> {
  await revokeFromLots(tx, term.accountId, { lots: term.lots, credits, reference }, { memo })
}

/**
 * What paid for a term goes back, in part or as a whole: as much of its time goes, its feeds and limits with it, and as
 * much of its credits as are still there. Time that has passed and credits that were spent stay used.
 */
import type { Queryable, Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { type Actor, audit } from '../../trail/audit.ts'
import { refundTerm, revokeFromLot } from '../ledger.ts'
import { takeBackMoney } from '../ledger-money.ts'
import { holdAccount, shortenTerm } from './terms.ts'

export interface Term {
  readonly termId: string
  readonly accountId: string
  readonly reference: string
  readonly days: number
  readonly credits: number
  readonly lotId: number | null
}

const columns = `term_id AS "termId", account_id AS "accountId", reference, days, credits, lot_id AS "lotId"`

/** The term that a payment brought. */
export async function findTerm(tx: Queryable, reference: string): Promise<Term | undefined> {
  const [term] = await tx.query<Term>(
    sql`SELECT ${columns} FROM access.subscription_term JOIN access.subscription USING (subscription_id) WHERE reference = $1`,
    [reference],
  )
  return term
}

export interface Portion {
  /** Of the repayment. */
  readonly reference: string
  /** Paise that go back. */
  readonly net: number
  readonly tax: number
  readonly isChargeback: boolean
  readonly memo: string
  /** Of the term's days, also a part of one. */
  readonly days: number
  /** Of the credits that it brought. */
  readonly credits: number
}

/** Money went back. */
export async function takeBackPaidTerm(tx: Tx, term: Term, portion: Portion): Promise<void> {
  const { days, credits, ...money } = portion
  await shortenTerm(tx, term.termId, days)
  await revokeCreditsOf(tx, term, credits, money.reference, money.memo)
  await takeBackMoney(tx, term.accountId, { ...money, sale: term.reference })
}

/**
 * An operator takes a term back that credits paid for, or nobody: the credits return to where they came from.
 * @param number of the term; the last one that stands unless told.
 * @throws AppError NOT_FOUND, CONFLICT for a term that money paid for or that went back before.
 */
export async function refundTermByOperator(
  tx: Tx,
  asked: {
    readonly subscriptionId: string
    readonly number?: number | undefined
    readonly reason: string
    readonly actor: Actor
  },
): Promise<{ readonly subscription_id: string; readonly term: number; readonly credits: number }> {
  const { subscriptionId, number, reason, actor } = asked
  const [owner] = isUuid(subscriptionId)
    ? await tx.query<{ accountId: string }>(
        'SELECT account_id AS "accountId" FROM access.subscription WHERE subscription_id = $1',
        [subscriptionId],
      )
    : []
  if (!owner) throw new AppError('NOT_FOUND', 'There is no such subscription.')
  await holdAccount(tx, owner.accountId)
  const [term] = await tx.query<Term & { number: number; paidWith: string; back: boolean }>(
    sql`SELECT ${columns}, number, paid_with AS "paidWith", taken_back_at IS NOT NULL AS back
     FROM access.subscription_term JOIN access.subscription USING (subscription_id)
     WHERE subscription_id = $1 AND ($2::integer IS NULL AND taken_back_at IS NULL OR number = $2)
     ORDER BY number DESC LIMIT 1`,
    [subscriptionId, number ?? null],
  )
  if (!term) throw new AppError('NOT_FOUND', 'There is no such term, or none that stands.')
  if (term.back) throw new AppError('CONFLICT', `Term ${term.number} went back before.`)
  if (term.paidWith === 'online') {
    throw new AppError('CONFLICT', `Term ${term.number} was paid with money: refund the payment, and the term follows.`)
  }
  await shortenTerm(tx, term.termId, term.days)
  await revokeCreditsOf(tx, term, term.credits, `back:${term.termId}`, reason)
  const credits = await refundTerm(tx, term.reference, { actor, memo: reason })
  const detail = { term: term.number, credits }
  await audit(tx, { actor, action: 'refund term', subject: subscriptionId, detail, accountId: owner.accountId })
  return { subscription_id: subscriptionId, term: term.number, credits }
}

async function revokeCreditsOf(tx: Tx, term: Term, credits: number, reference: string, memo: string): Promise<void> {
  if (term.lotId === null || credits === 0) return
  await revokeFromLot(tx, term.accountId, { lotId: term.lotId, credits, reference }, { memo })
}

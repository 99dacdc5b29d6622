/**
 * Adds a term of a plan or offer with everything that it includes, paid with credits or given by an operator, in the
 * caller's transaction. A living subscription is renewed: the new term begins where the last one ends.
 */
import { randomUUID } from 'node:crypto'
import type { Actor } from '../../audit/audit.ts'
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { spendOnTerm } from '../ledger.ts'
import { announceLowCredits } from '../low-credits.ts'
import { type Product, productOf } from './products.ts'
import { addTerm, holdAccount } from './terms.ts'

export interface Buying {
  /** Set for a renewal by the job, so that it happens once. */
  readonly reference?: string
  readonly actor?: Actor
  /** Whether it renews automatically from now on; undefined: unchanged. */
  readonly autoRenew?: boolean | undefined
}

/**
 * @returns the subscription. @throws AppError NOT_FOUND, INSUFFICIENT_CREDITS, BAD_REQUEST for products that only
 * money buys.
 */
export async function buyTermWithCredits(
  tx: Tx,
  accountId: string,
  { priceCredits, terms }: Product,
  { reference = `term:${randomUUID()}`, actor = `account:${accountId}`, autoRenew }: Buying = {},
): Promise<string> {
  if (priceCredits === null) throw new AppError('BAD_REQUEST', `${terms.name} is paid online, not with credits.`)
  await holdAccount(tx, accountId)
  await spendOnTerm(tx, accountId, { credits: priceCredits, reference, actor, memo: terms.name })
  const { subscriptionId } = await addTerm(tx, {
    ...{ accountId, terms, reference, actor, autoRenew },
    ...{ paidWith: 'credits', price: priceCredits },
  })
  await announceLowCredits(tx, accountId, priceCredits - terms.credits)
  return subscriptionId
}

/** An operator gives a term of a plan, once per reference. @throws AppError NOT_FOUND, CONFLICT */
export async function giveTerm(
  tx: Tx,
  accountId: string,
  given: { readonly planId: string; readonly reference: string; readonly actor: Actor },
): Promise<string> {
  const { terms } = productOf('plan', given.planId)
  const reference = `given:${given.reference}`
  await holdAccount(tx, accountId)
  const known = await tx.query('SELECT FROM access.subscription_term WHERE reference = $1', [reference])
  if (known.length > 0) throw new AppError('CONFLICT', `The reference ${given.reference} is already used.`)
  const term = { accountId, terms, reference, actor: given.actor, paidWith: 'operator', price: 0 } as const
  return (await addTerm(tx, term)).subscriptionId
}

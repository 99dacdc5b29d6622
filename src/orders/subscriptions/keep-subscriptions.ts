/**
 * The periodic work on subscriptions: renews those with automatic renewal, paid with credits, shortly before their
 * end; notifies owners of those that end without another term; and marks those that are over, with an entry in the
 * audit log. What they include ends by its own date. Each renewal is a transaction of its own under a reference of
 * its term, so a run that dies can be repeated, two runs renew once, and a failure of one subscription does not hold
 * up the others.
 */
import { renewHoursBefore } from '../../../config/sales.ts'
import { isConnectionFault } from '../../db/database-fault.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { counted } from '../../domain/counted.ts'
import { AppError } from '../../errors.ts'
import { buyTermWithCredits } from './buy-term.ts'
import { markEnded, overSubscriptions } from './mark-ended.ts'
import { type EndingReason, notifyOfEnding, unaskedEndings } from './notify-of-ending.ts'
import { type ProductKind, productOf } from './products.ts'
import { holdAccount } from './terms.ts'

export interface KeptSubscriptions {
  readonly renewed: number
  /** Due, but without enough credits or no longer on sale: retried during the grace period. */
  readonly notRenewed: number
  readonly ended: number
}

interface Due {
  readonly subscriptionId: string
  readonly accountId: string
  readonly kind: ProductKind
  readonly product: string
}

/** Suspended accounts are not renewed, and their standing orders do not buy: they could not use it. */
const due = `FROM access.subscription AS s JOIN access.account AS a USING (account_id)
  WHERE auto_renew AND cancelled_at IS NULL AND until_at > now() AND ends_at <= now() + make_interval(hours => $1)
    AND a.suspended_at IS NULL AND a.erased_at IS NULL`

/**
 * @param atOnce how many endings are announced and marked in one run.
 * @throws the first failure, after all other subscriptions were handled.
 */
export async function keepSubscriptions(db: Db, atOnce = 1_000): Promise<KeptSubscriptions> {
  // No limit: those without credits stay due for days and would block others behind a limit.
  const rows = await db.query<Due>(
    sql`SELECT subscription_id AS "subscriptionId", account_id AS "accountId", kind, product ${due} ORDER BY ends_at, subscription_id`,
    [renewHoursBefore],
  )
  const failures: Failure[] = []
  const outcomes = await eachByItself(failures, rows, async (each) => {
    const outcome = await renew(db, each)
    if (outcome === 'credits_short' || outcome === 'not_on_sale') await notifyOfEnding(db, each.subscriptionId, outcome)
    return outcome
  })
  await eachByItself(failures, await unaskedEndings(db, atOnce), (each) =>
    notifyOfEnding(db, each.subscriptionId, 'not_asked'),
  )
  const ended = await eachByItself(failures, await overSubscriptions(db, atOnce), (each) => markEnded(db, each))
  if (failures.length > 0)
    throw new AggregateError(
      failures.map(({ reason }) => reason),
      shownFailures(failures),
    )
  const renewed = outcomes.filter((outcome) => outcome === 'renewed').length
  return { renewed, notRenewed: outcomes.length - renewed, ended: ended.filter((isEnded) => isEnded).length }
}

interface Failure {
  readonly subscriptionId: string
  readonly reason: unknown
}

/**
 * A failure of one row does not hold up those after it and is thrown at the end. A lost connection stops the loop,
 * since all would fail.
 */
async function eachByItself<Row extends { readonly subscriptionId: string }, Outcome>(
  failures: Failure[],
  rows: readonly Row[],
  act: (row: Row) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const row of rows) {
    const [settled] = await Promise.allSettled([act(row)])
    if (settled.status === 'fulfilled') outcomes.push(settled.value)
    else if (settled.reason instanceof Error && isConnectionFault(settled.reason)) throw settled.reason
    else failures.push({ subscriptionId: row.subscriptionId, reason: settled.reason })
  }
  return outcomes
}

function shownFailures(failures: readonly Failure[]): string {
  const first = failures
    .slice(0, 5)
    .map(
      ({ subscriptionId, reason }) => `${subscriptionId}: ${reason instanceof Error ? reason.message : String(reason)}`,
    )
  return `${counted(failures.length, 'subscription')} could not be kept: ${first.join('; ')}`
}

async function renew(
  db: Db,
  { subscriptionId, accountId, kind, product }: Due,
): Promise<'renewed' | 'not_due' | EndingReason> {
  try {
    return await db.transaction(async (tx) => {
      await holdAccount(tx, accountId)
      const [last] = await tx.query<{ number: number }>(
        sql`SELECT max(number) AS number FROM access.subscription_term
         WHERE subscription_id = (SELECT subscription_id ${due} AND subscription_id = $2) HAVING max(number) IS NOT NULL`,
        [renewHoursBefore, subscriptionId],
      )
      // Renewed or cancelled in between.
      if (!last) return 'not_due'
      const reference = `renewal:${subscriptionId}:${last.number + 1}`
      await buyTermWithCredits(tx, accountId, productOf(kind, product), { reference, actor: 'system' })
      return 'renewed'
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'INSUFFICIENT_CREDITS') return 'credits_short'
    if (error.code === 'NOT_FOUND' || error.code === 'BAD_REQUEST') return 'not_on_sale'
    throw error
  }
}

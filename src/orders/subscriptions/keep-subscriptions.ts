/**
 * What time does to subscriptions: those that their owners want renewed are, with credits, shortly before their end; owners are
 * told of those that end without another term, and those that are over are marked, with an entry in the audit log. What they open
 * ends automatically. Each renewal is a transaction of its own under a reference of its term, so a run that dies goes on, two
 * runs renew once, and an error of one keeps no other behind it.
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
  /** Due, and without the credits for it or no longer on sale: tried again while there is grace. */
  readonly notRenewed: number
  readonly ended: number
}

interface Due {
  readonly subscriptionId: string
  readonly accountId: string
  readonly kind: ProductKind
  readonly product: string
}

/** Nothing is bought for an account that is suspended, as standing orders buy nothing for it: it could not use it. */
const due = `FROM access.subscription AS s JOIN access.account AS a USING (account_id)
  WHERE auto_renew AND cancelled_at IS NULL AND until_at > now() AND ends_at <= now() + make_interval(hours => $1)
    AND a.suspended_at IS NULL AND a.erased_at IS NULL`

/**
 * @param atOnce how many of those that end are told and marked in one run.
 * @throws what one of them met, once all others were kept.
 */
export async function keepSubscriptions(db: Db, atOnce = 1_000): Promise<KeptSubscriptions> {
  // All that are due: those without credits stay due for days, and would keep the others out of any first thousand.
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

/** What one meets keeps none behind it: it is thrown in the end. Without a connection none of them would go well. */
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
      // Renewed or cancelled meanwhile.
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

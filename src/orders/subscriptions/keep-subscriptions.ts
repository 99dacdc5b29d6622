/**
 * What time does to subscriptions: those that their owners want renewed are, with credits, shortly before their end; owners are
 * told of those that end without another term, and those that are over are marked, with an entry in the audit log. What they open
 * ends automatically. Each renewal is a transaction of its own under a reference of its term, so a run that dies goes on, and two
 * runs renew once.
 */
import { renewHoursBefore } from '../../../config/sales.ts'
import { audit } from '../../audit/audit.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { buyTermWithCredits } from './buy-term.ts'
import { type ProductKind, productOf } from './products.ts'
import { type EndingReason, tellEnding, tellEndings } from './tell-ending.ts'
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

/** @param atOnce how many of those that end are told and marked in one run. */
export async function keepSubscriptions(db: Db, atOnce = 1_000): Promise<KeptSubscriptions> {
  // All that are due: those without credits stay due for days, and would keep the others out of any first thousand.
  const rows = await db.query<Due>(
    sql`SELECT subscription_id AS "subscriptionId", account_id AS "accountId", kind, product ${due} ORDER BY ends_at, subscription_id`,
    [renewHoursBefore],
  )
  let renewed = 0
  let notRenewed = 0
  for (const each of rows) {
    const outcome = await renew(db, each)
    if (outcome === 'renewed') renewed += 1
    else notRenewed += 1
    if (outcome === 'credits_short' || outcome === 'not_on_sale') await tellEnding(db, each.subscriptionId, outcome)
  }
  await tellEndings(db, atOnce)
  return { renewed, notRenewed, ended: await markEnded(db, atOnce) }
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

async function markEnded(db: Db, atOnce: number): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await tx.query<{ subscriptionId: string; accountId: string; product: string }>(
      `UPDATE access.subscription SET ended_at = now() WHERE subscription_id IN (
         SELECT subscription_id FROM access.subscription WHERE ended_at IS NULL AND until_at <= now()
         ORDER BY account_id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
       RETURNING subscription_id AS "subscriptionId", account_id AS "accountId", product`,
      [atOnce],
    )
    for (const { subscriptionId, accountId, product } of ended) {
      const entry = { actor: 'system', action: 'subscription ended', subject: subscriptionId } as const
      await audit(tx, { ...entry, accountId, detail: { product } })
    }
    return ended.length
  })
}

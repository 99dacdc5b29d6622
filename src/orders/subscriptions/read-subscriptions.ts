/** Subscriptions of an account as of now; whether one is over follows from the time, not from a job. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { runningTerm, soldAs } from './running-term.ts'

/** `cancelled` runs until its end; `grace`: its last term is over, and it can still be renewed. */
export const subscriptionStates = ['active', 'cancelled', 'grace', 'ended'] as const

export interface Subscription {
  readonly subscriptionId: string
  readonly accountId: string
  readonly kind: 'plan' | 'offer'
  readonly product: string
  /** Name, interval and price are those of the current term. */
  readonly name: string
  readonly interval: string
  readonly paidWith: SubscriptionTerm['paid_with']
  readonly price: number
  readonly status: (typeof subscriptionStates)[number]
  readonly autoRenew: boolean
  readonly startedAt: Date
  readonly endsAt: Date
  /** The end of access, grace period included. */
  readonly untilAt: Date
  readonly cancelledAt: Date | null
  readonly terms: readonly SubscriptionTerm[]
}

export interface SubscriptionTerm {
  readonly number: number
  /** As sold. */
  readonly name: string
  readonly interval: string
  readonly paid_with: 'online' | 'credits' | 'operator'
  /** Paise with tax, or credits. */
  readonly price: number
  readonly credits: number
  readonly starts_at: string
  readonly ends_at: string
  readonly taken_back_at: string | null
}

const iso = (column: string) => sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const select = sql`
  SELECT subscription_id AS "subscriptionId", account_id AS "accountId", kind, product,
         running.name, running.interval, running.paid_with AS "paidWith", running.price,
         CASE WHEN until_at <= now() THEN 'ended' WHEN ends_at <= now() THEN 'grace'
              WHEN cancelled_at IS NOT NULL THEN 'cancelled' ELSE 'active' END AS status,
         auto_renew AND until_at > now() AS "autoRenew", started_at AS "startedAt", ends_at AS "endsAt", until_at AS "untilAt",
         cancelled_at AS "cancelledAt",
         (SELECT jsonb_agg(jsonb_build_object('number', number,
                   'name', ${soldAs('t', 's', 'name')}, 'interval', ${soldAs('t', 's', 'interval')}, 'paid_with', paid_with, 'price', price, 'credits', credits,
                   'starts_at', ${iso('t.starts_at')}, 'ends_at', ${iso('t.ends_at')},
                   'taken_back_at', ${iso('t.taken_back_at')}) ORDER BY number)
          FROM access.subscription_term AS t WHERE t.subscription_id = s.subscription_id) AS terms
  FROM access.subscription AS s LEFT JOIN LATERAL ${runningTerm('s')} AS running ON true WHERE account_id = $1`

/** Newest first; `total` counts all pages. */
export async function listSubscriptions(
  db: Queryable,
  accountId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ subscriptions: Subscription[]; total: number }> {
  const [counted] = await db.query<{ total: number }>(
    'SELECT count(*) AS total FROM access.subscription WHERE account_id = $1',
    [accountId],
  )
  const subscriptions = await db.query<Subscription>(
    sql`${select} ORDER BY until_at DESC, subscription_id LIMIT $2 OFFSET $3`,
    [accountId, limit, (page - 1) * limit],
  )
  return { subscriptions, total: counted?.total ?? 0 }
}

/** The account's other open subscriptions, which buying the product does not affect, soonest end first. */
export const openBeside = (db: Queryable, accountId: string, product: string): Promise<Subscription[]> =>
  db.query<Subscription>(sql`${select} AND product <> $2 AND until_at > now() ORDER BY until_at, subscription_id`, [
    accountId,
    product,
  ])

/** @throws AppError NOT_FOUND, also for those of other accounts. */
export async function readSubscription(
  db: Queryable,
  accountId: string,
  subscriptionId: string,
): Promise<Subscription> {
  const [found] = isUuid(subscriptionId)
    ? await db.query<Subscription>(sql`${select} AND subscription_id = $2`, [accountId, subscriptionId])
    : []
  if (!found) throw new AppError('NOT_FOUND', 'There is no such subscription.')
  return found
}

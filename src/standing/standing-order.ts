/** A standing order as stored, with its current query and what it has spent. */
import type { Queryable } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import type { FieldMapping } from '../deliver/destinations/field-mapping.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import type { ScreenerType } from '../registry/screener/fields.ts'

export const standingStates = ['draft', 'active', 'paused', 'blocked', 'ended'] as const
export type StandingState = (typeof standingStates)[number]
export const standingSources = ['screener', 'feed', 'watchlist'] as const
export type StandingSource = (typeof standingSources)[number]

/** Credits; each at least one. */
export interface Budget {
  readonly day: number
  readonly month: number
  readonly run: number
}

export interface Conditions {
  readonly hasMobile: boolean
  readonly hasEmail: boolean
  /** Not struck off, cancelled or deactivated. */
  readonly activeOnly: boolean
}

export type Mappings = Readonly<Record<string, readonly FieldMapping[]>>

export interface StandingQuery extends Conditions {
  readonly source: StandingSource
  readonly type: ScreenerType
  /** In the screener language; null: every record of the source. */
  readonly query: string | null
  readonly screenerId: string | null
  readonly watchlistId: string | null
}

export interface StandingOrder extends StandingQuery {
  readonly standingOrderId: string
  readonly accountId: string
  readonly name: string
  readonly state: StandingState
  readonly reason: string | null
  readonly stateBy: string
  readonly stateAt: Date
  readonly createdAt: Date
  /** Version of the query. */
  readonly version: number
  /** False if it only notifies. */
  readonly buys: boolean
  readonly budget: Budget | null
  readonly prefer: string
  readonly destinations: readonly string[]
  /** By destination: overrides of its own field mapping. */
  readonly mappings: Mappings
  /** `import`, `08:00` or `monday 08:00`. */
  readonly schedule: string
  readonly endsOn: string | null
  /** Credits that its orders cost: today and this month (India), and in total. */
  readonly spent: { readonly day: number; readonly month: number; readonly total: number }
}

/** As callers see it: they name a destination in a member, not as the name of one. */
export const deliveryShown = ({ destinations, mappings }: Pick<StandingOrder, 'destinations' | 'mappings'>) => ({
  destinations,
  mappings: Object.entries(mappings).map(([destination_id, fields]) => ({ destination_id, fields })),
})

const today = 'runtime.indian_day(now())'
const bought = sql`SELECT total_amount, runtime.indian_day(paid_at) AS day
  FROM orders.standing_run run JOIN orders.purchase ON purchase.standing_run_id = run.run_id
  WHERE run.standing_order_id = s.standing_order_id`

export const standingColumns = sql`
  s.standing_order_id AS "standingOrderId", s.account_id AS "accountId", s.name, s.state, s.reason, s.state_by AS "stateBy",
  s.state_at AS "stateAt", s.created_at AS "createdAt", s.version, s.buys, s.prefer, s.destinations, s.mappings, s.schedule,
  s.ends_on AS "endsOn", q.source, q.type, q.query, q.screener_id AS "screenerId", q.watchlist_id AS "watchlistId",
  q.has_mobile AS "hasMobile", q.has_email AS "hasEmail", q.active_only AS "activeOnly",
  CASE WHEN s.buys THEN jsonb_build_object('day', s.budget_day, 'month', s.budget_month, 'run', s.budget_run) END AS budget,
  (SELECT jsonb_build_object(
      'day', coalesce(sum(total_amount) FILTER (WHERE day = ${today}), 0),
      'month', coalesce(sum(total_amount) FILTER (WHERE date_trunc('month', day) = date_trunc('month', ${today})), 0),
      'total', coalesce(sum(total_amount), 0)) FROM (${bought}) bought) AS spent`

export const standingTables = sql`orders.standing_order s JOIN orders.standing_query q USING (standing_order_id, version)`

export const standingSorts = listSorts('created_at-', {
  by: { created_at: 's.created_at', name: 'lower(s.name)', state: 's.state', state_at: 's.state_at' },
  tie: 's.standing_order_id',
})

interface Page {
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'created_at' | 'name' | 'state' | 'state_at'> | undefined
}

/**
 * Newest first by default.
 * @param accountId null: of all accounts.
 */
export async function listStanding(
  db: Queryable,
  accountId: string | null,
  { page, limit, sort }: Page,
): Promise<{ readonly orders: readonly (StandingOrder & { readonly email: string })[]; readonly total: number }> {
  const [counted] = await db.query<{ total: number }>(
    'SELECT count(*) AS total FROM orders.standing_order WHERE $1::uuid IS NULL OR account_id = $1',
    [accountId],
  )
  const orders = await db.query<StandingOrder & { readonly email: string }>(
    sql`SELECT ${standingColumns}, account.email FROM ${standingTables} JOIN access.account USING (account_id)
     WHERE $1::uuid IS NULL OR s.account_id = $1
     ORDER BY ${standingSorts.orderBy(sort)} LIMIT $2 OFFSET $3`,
    [accountId, limit, (page - 1) * limit],
  )
  return { orders, total: counted?.total ?? 0 }
}

/**
 * @param accountId null: of any account.
 * @throws AppError NOT_FOUND, also for another account's order and for an invalid id.
 */
export async function readStanding(db: Queryable, accountId: string | null, id: string): Promise<StandingOrder> {
  const [found] = isUuid(id)
    ? await db.query<StandingOrder>(
        sql`SELECT ${standingColumns} FROM ${standingTables}
         WHERE s.standing_order_id = $1 AND ($2::uuid IS NULL OR s.account_id = $2)`,
        [id, accountId],
      )
    : []
  if (!found) throw noStandingOrder()
  return found
}

/** Locks it until the end of the transaction: a run that buys locks it too, so neither acts on an outdated state. */
export async function holdStanding(tx: Queryable, accountId: string | null, id: string): Promise<StandingOrder> {
  if (isUuid(id)) {
    await tx.execute(
      'SELECT FROM orders.standing_order WHERE standing_order_id = $1 AND ($2::uuid IS NULL OR account_id = $2) FOR NO KEY UPDATE',
      [id, accountId],
    )
  }
  return readStanding(tx, accountId, id)
}

export const noStandingOrder = () => new AppError('NOT_FOUND', 'There is no standing order of this id.')

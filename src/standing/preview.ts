/**
 * What a standing order would have found in the last days, by registration day, and what its budgets would have left
 * out. Writes and reserves nothing.
 */
import { standingTerms } from '../../config/plans.ts'
import type { Db, Tx } from '../db/db.ts'
import { readToday } from '../db/read-today.ts'
import { literal, sql } from '../db/sql.ts'
import { daysAfter } from '../domain/iso-date.ts'
import { boundedRead } from '../registry/paging/bounded-read.ts'
import { registerTables } from '../registry/register-table.ts'
import { aboutAccount, actingAccount } from '../registry/screener/acting-account.ts'
import { fieldNamed } from '../registry/screener/fields.ts'
import { dateColumns } from '../registry/screener/withhold.ts'
import { buildMatcher, keys } from './matcher.ts'
import { orderOf } from './prefer.ts'
import type { StandingOrder, StandingQuery } from './standing-order.ts'

export interface PreviewDay {
  readonly day: string
  readonly matches: number
  readonly with_mobile: number
  readonly with_email: number
  /** Credits: one per record that would be bought. */
  readonly price: number
  /** Records that the budgets would leave out. */
  readonly over_budget: number
}

export interface Preview {
  readonly days: readonly PreviewDay[]
  readonly rows: readonly { readonly number: string; readonly name: string }[]
}

/** An existing standing order, or one that is only being considered. */
export type Previewed = StandingQuery & Pick<StandingOrder, 'accountId' | 'budget' | 'prefer'>

interface Found {
  readonly day: string
  readonly matches: number
  readonly mobile: number
  readonly email: number
  readonly reachable: number
}

const rowsMax = 100

/**
 * @param day the day whose records are shown; by default none are.
 * @throws AppError QUERY_SYNTAX, QUERY_TOO_EXPENSIVE.
 */
export function previewStanding(
  db: Db,
  order: Previewed,
  {
    isEnterprise,
    day,
    timeoutMs,
  }: { readonly isEnterprise: boolean; readonly day?: string | undefined; readonly timeoutMs?: number },
): Promise<Preview> {
  const work = async (tx: Tx): Promise<Preview> => {
    const matcher = await buildMatcher(tx, order, { accountId: order.accountId, isEnterprise })
    const today = await readToday(tx)
    const from = daysAfter(today, 1 - standingTerms.previewDays)
    const { table, name } = registerTables[order.type]
    const key = keys[order.type]
    const registered = dateColumns[order.type]
    const values = [...matcher.values, from, today]
    const bounds = sql`r.closed_on IS NULL AND ${registered} BETWEEN $${values.length - 1}::date AND $${values.length}::date`
    const counted = (condition: string) =>
      sql`count(*) FILTER (WHERE ${aboutAccount(condition, `$${values.length + 1}`)})::integer`
    const found = await tx.query<Found>(
      sql`SELECT ${registered}::text AS day, count(*)::integer AS matches, ${counted(reach(order, 'has_mobile'))} AS mobile,
         ${counted(reach(order, 'has_email'))} AS email,
         ${counted(isReachable(order.type, key))} AS reachable
       FROM ${table} r WHERE ${bounds} AND ${matcher.condition} GROUP BY ${registered}`,
      [...values, order.accountId],
    )
    const rows =
      day === undefined || day < from || day > today
        ? []
        : await tx.query<{ number: string; name: string }>(
            sql`SELECT ${key} AS number, coalesce(${name}, ${key}) AS name FROM ${table} r
             WHERE ${bounds} AND ${registered} = $${values.length + 1}::date AND ${matcher.condition}
             ORDER BY ${orderOf(order.type, order.prefer)} LIMIT ${rowsMax}`,
            [...values, day],
          )
    return { days: simulate(order, found, from), rows }
  }
  return boundedRead(db, work, timeoutMs)
}

/** As src/orders/reach-items.sql decides it. */
const isReachable = (type: Previewed['type'], key: string): string =>
  sql`EXISTS (SELECT FROM registry.ways_to_reach(${literal(type)}, ${key}) AS way
    WHERE NOT (way.barred AND (SELECT excludes_preferences FROM access.account WHERE account_id = ${actingAccount}) IS TRUE))`

const reach = ({ type }: Previewed, name: string): string => fieldNamed(type, name)?.column ?? 'false'

/** One run per day; the monthly budget resets on the first. */
function simulate({ budget }: Previewed, found: readonly Found[], from: string): PreviewDay[] {
  let month = 0
  return Array.from({ length: standingTerms.previewDays }, (_, index) => {
    const day = daysAfter(from, index)
    if (day.endsWith('-01')) month = 0
    const { matches = 0, mobile = 0, email = 0, reachable = 0 } = found.find((each) => each.day === day) ?? {}
    const price = budget ? Math.min(reachable, budget.run, budget.day, budget.month - month) : 0
    month += price
    return { day, matches, with_mobile: mobile, with_email: email, price, over_budget: budget ? reachable - price : 0 }
  })
}

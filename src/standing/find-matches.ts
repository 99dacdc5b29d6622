/**
 * Evaluates all standing orders of one register over the changed records in one pass: each record is read once and
 * tested against every order's condition. The matches go into a temporary table, `standing_found`; keep-matches.ts
 * decides which of them are new.
 */
import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { keys, type Matcher, type Related } from './matcher.ts'
import type { StandingOrder } from './standing-order.ts'
import type { Touched } from './touched.ts'

export interface OrderMatcher {
  readonly order: StandingOrder
  readonly matcher: Matcher
}

export interface Pass {
  readonly importRunId: number
  /** Undefined for an import of the register itself. */
  readonly related: Related | undefined
  readonly touched: Touched
}

/** With more conditions per statement, planning costs more than a further pass; far below the limit of bound values. */
const askedAtOnce = 500

export async function findMatches(tx: Tx, orderMatchers: readonly OrderMatcher[], pass: Pass): Promise<void> {
  await tx.execute('DROP TABLE IF EXISTS pg_temp.standing_found')
  await tx.execute('CREATE TEMPORARY TABLE standing_found (standing_order_id uuid, identifier text) ON COMMIT DROP')
  for (let from = 0; from < orderMatchers.length; from += askedAtOnce) {
    await askTogether(tx, orderMatchers.slice(from, from + askedAtOnce), pass)
  }
  await tx.execute('ANALYZE standing_found')
}

async function askTogether(tx: Tx, orderMatchers: readonly OrderMatcher[], { related, touched }: Pass): Promise<void> {
  const [first] = orderMatchers
  if (!first) return
  const { type } = first.order
  const values: unknown[] = [orderMatchers.map(({ order }) => order.standingOrderId)]
  const conditions = orderMatchers.map(({ order, matcher }) => {
    const { now, before } = conditionsOf(order, matcher, related)
    const others = values.length
    values.push(...matcher.values)
    return { now: behind(now, others), before: before === null ? null : behind(before, others) }
  })
  const [now, before] = [conditions.map((each) => each.now), conditions.map((each) => each.before)]
  const matching = satisfied(type, 'standing_now', now)
  const earlier = touched.before > 0 ? sql`EXCEPT ${satisfied(type, 'standing_before', before)}` : ''
  await tx.execute(
    sql`INSERT INTO standing_found
     SELECT ($1::uuid[])[matched.place], matched.identifier FROM (${matching} ${earlier}) AS matched`,
    values,
  )
}

/**
 * For each record of a table, the positions (from one) of the conditions that it satisfies. They are elements of one
 * array rather than separate queries, because planning time grows with each query.
 */
function satisfied(
  type: StandingOrder['type'],
  table: 'standing_now' | 'standing_before',
  conditions: readonly (string | null)[],
): string {
  const places = conditions.flatMap((condition, index) =>
    condition === null ? [] : [sql`CASE WHEN ${condition} THEN ${index + 1} END`],
  )
  return sql`SELECT ${keys[type]} AS identifier, place
    FROM ${table} r CROSS JOIN LATERAL unnest(ARRAY[${places.join(', ')}]::integer[]) AS place WHERE place IS NOT NULL`
}

/**
 * A feed reports registrations and ignores contacts; a watchlist reports every change of its records; a screener
 * reports only records that did not match before.
 */
function conditionsOf(
  { source }: StandingOrder,
  { condition, before }: Matcher,
  related: Related | undefined,
): { readonly now: string; readonly before: string | null } {
  if (source === 'watchlist') return { now: condition, before: null }
  if (source === 'feed') return { now: sql`r.touched_by = 'insert' AND ${condition}`, before: null }
  return { now: condition, before: related ? before[related] : condition }
}

/** Renumbers its parameters to follow those of the others. */
const behind = (condition: string, others: number): string =>
  condition.replaceAll(/\$(\d+)/g, (_, place: string) => `$${Number(place) + others}`)

/**
 * Standing orders ask about the touched records, all of one register in one pass: each record is read once, and the condition of
 * every standing order is asked of it. What begins to match is written once, whatever was found before; what was taken back with its
 * import is new when it comes again.
 */
import type { Tx } from '../db/db.ts'
import { literal, sql } from '../db/sql.ts'
import { keys, type Matcher } from './matcher.ts'
import type { StandingOrder } from './standing-order.ts'
import type { Touched } from './touched.ts'

export interface Asking {
  readonly order: StandingOrder
  readonly matcher: Matcher
}

export interface Pass {
  readonly importRunId: number
  readonly ofContacts: boolean
  readonly touched: Touched
}

/** More conditions in one statement cost the planner more than a further pass; far below what a statement may bind. */
const askedAtOnce = 500

/** @returns how many records each found, by id; those that found none are absent. */
export async function findMatches(tx: Tx, askings: readonly Asking[], pass: Pass): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  // What is watched changes again and again; whoever only wants to know of it is told each time.
  const isTold = ({ order }: Asking) => order.source === 'watchlist' && !order.buys
  for (const group of [askings.filter((each) => !isTold(each)), askings.filter(isTold)]) {
    for (let from = 0; from < group.length; from += askedAtOnce) {
      const some = group.slice(from, from + askedAtOnce)
      for (const { id, matches } of await askTogether(tx, some, { ...pass, again: some.some(isTold) })) {
        found.set(id, matches)
      }
    }
  }
  return found
}

async function askTogether(
  tx: Tx,
  askings: readonly Asking[],
  { importRunId, ofContacts, touched, again }: Pass & { readonly again: boolean },
): Promise<{ readonly id: string; readonly matches: number }[]> {
  const [first] = askings
  if (!first) return []
  const { type } = first.order
  const values: unknown[] = [importRunId, askings.map(({ order }) => order.standingOrderId)]
  const asked = askings.map(({ order, matcher }) => {
    const { now, before } = conditionsOf(order, matcher, ofContacts)
    const others = values.length
    values.push(...matcher.values)
    return { now: behind(now, others), before: before === null ? null : behind(before, others) }
  })
  const alsoTold = again ? 'true' : sql`standing_match.state = 'undone'`
  const [now, before] = [asked.map((each) => each.now), asked.map((each) => each.before)]
  const matching = satisfied(type, 'standing_now', now)
  const earlier = touched.before > 0 ? sql`EXCEPT ${satisfied(type, 'standing_before', before)}` : ''
  return tx.query(
    sql`WITH found AS (
       INSERT INTO orders.standing_match (standing_order_id, type, identifier, import_run_id)
       SELECT ($2::uuid[])[asked.place], ${literal(type)}, asked.identifier, $1::bigint
       FROM (${matching} ${earlier}) AS asked
       ON CONFLICT (standing_order_id, type, identifier) DO UPDATE
         SET state = 'found', run_id = NULL, import_run_id = excluded.import_run_id, found_at = now()
         WHERE standing_match.import_run_id < excluded.import_run_id AND ${alsoTold}
       RETURNING standing_order_id)
     SELECT standing_order_id AS id, count(*)::integer AS matches FROM found GROUP BY 1`,
    values,
  )
}

/**
 * Of each record of a table the places, from one, of the conditions that it satisfies. They are members of one array and not queries of
 * their own: the planner looks at each for itself, which takes it longer with each that there is.
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
 * A feed tells of registrations, and is not asked about contacts; a watchlist of every change of what is on it; a screener of what
 * begins to match, hence of nothing that matched before.
 */
function conditionsOf(
  { source }: StandingOrder,
  { condition, beforeContacts }: Matcher,
  ofContacts: boolean,
): { readonly now: string; readonly before: string | null } {
  if (source === 'watchlist') return { now: condition, before: null }
  if (source === 'feed') return { now: sql`r.touched_by = 'insert' AND ${condition}`, before: null }
  return { now: condition, before: ofContacts ? beforeContacts : condition }
}

/** Its values stand behind so many others. */
const behind = (condition: string, others: number): string =>
  condition.replaceAll(/\$(\d+)/g, (_, place: string) => `$${Number(place) + others}`)

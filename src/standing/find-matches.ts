/**
 * Standing orders ask about the touched records, all of one register in one pass: each record is read once, and the condition of
 * every standing order is asked of it. What begins to match is written once, whatever was found before.
 */
import type { Tx } from '../db/db.ts'
import { literal, sql } from '../db/sql.ts'
import { keys, type Matcher } from './matcher.ts'
import type { StandingOrder } from './standing-order.ts'

export interface Asking {
  readonly order: StandingOrder
  readonly matcher: Matcher
}

interface Pass {
  readonly importRunId: number
  readonly ofContacts: boolean
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
  { importRunId, ofContacts, again }: Pass & { readonly again: boolean },
): Promise<{ readonly id: string; readonly matches: number }[]> {
  const [first] = askings
  if (!first) return []
  const { type } = first.order
  const values: unknown[] = [importRunId]
  const asked = askings.map(({ order, matcher }) => {
    const condition = conditionOf(order, matcher, ofContacts)
    const before = values.length
    values.push(...matcher.values, order.standingOrderId)
    return sql`SELECT $${values.length}::uuid AS id WHERE ${behind(condition, before)}`
  })
  const conflict = again
    ? sql`UPDATE SET state = 'found', run_id = NULL, import_run_id = excluded.import_run_id, found_at = now()
        WHERE standing_match.import_run_id < excluded.import_run_id`
    : 'NOTHING'
  return tx.query(
    sql`WITH found AS (
       INSERT INTO orders.standing_match (standing_order_id, type, identifier, import_run_id)
       SELECT asked.id, ${literal(type)}, ${keys[type]}, $1::bigint
       FROM standing_now r CROSS JOIN LATERAL (${asked.join(' UNION ALL ')}) AS asked
       ON CONFLICT (standing_order_id, type, identifier) DO ${conflict}
       RETURNING standing_order_id)
     SELECT standing_order_id AS id, count(*)::integer AS matches FROM found GROUP BY 1`,
    values,
  )
}

/** A feed tells of registrations; a watchlist of every change of what is on it; a screener of what begins to match. */
function conditionOf({ source, type }: StandingOrder, matcher: Matcher, ofContacts: boolean): string {
  const { condition, beforeContacts } = matcher
  if (source === 'watchlist') return condition
  if (source === 'feed') return ofContacts ? 'false' : sql`r.touched_by = 'insert' AND ${condition}`
  const key = keys[type]
  return sql`${condition} AND NOT EXISTS (SELECT FROM standing_before b WHERE b.${key.slice(2)} = ${key} AND EXISTS (
    SELECT FROM (SELECT b.*) AS r WHERE ${ofContacts ? beforeContacts : condition}))`
}

/** Its values stand behind so many others. */
const behind = (condition: string, others: number): string =>
  condition.replaceAll(/\$(\d+)/g, (_, place: string) => `$${Number(place) + others}`)

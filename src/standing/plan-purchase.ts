/**
 * Plans what a run may buy now: its matches that still match, are not owned and can be reached, in order of preference,
 * as many as its budgets and the balance allow. They are reserved in the same transaction, so that another run of the
 * same standing order sees less left; the next plan replaces the reservation of a dead process.
 */
import type { Db, Tx } from '../db/db.ts'
import { readToday } from '../db/read-today.ts'
import { sql } from '../db/sql.ts'
import { creditBalance } from '../orders/ledger.ts'
import { countContacts, type RequestedItem } from '../orders/order-items.ts'
import { ownedItems } from '../orders/owned-items.ts'
import { registerTables } from '../registry/register-table.ts'
import { type BlockReason, block, doDestinationsWork, isSuspended, unblock, unlessInvalid } from './block.ts'
import { readLeft } from './budget.ts'
import { buildMatcherFor, keys } from './matcher.ts'
import { orderOf } from './prefer.ts'
import { holdStanding, type StandingOrder } from './standing-order.ts'

export interface OpenRun {
  readonly runId: number
  readonly standingOrderId: string
}

export interface Plan {
  readonly order: StandingOrder
  readonly items: readonly RequestedItem[]
  /** Nothing of the run is left after this plan. */
  readonly isRest: boolean
  /** Indian day of the reservation. */
  readonly day: string
}

/**
 * `over`: nothing more can be bought. `waits`: the order is blocked or its account suspended for now, and its matches
 * stay.
 */
export type Planned =
  | { readonly kind: 'buy'; readonly plan: Plan }
  | { readonly kind: 'over'; readonly order: StandingOrder; readonly short: 'run' | 'day' | 'month' | null }
  | { readonly kind: 'waits' }

/** @param db with the role that sells. */
export function planPurchase(db: Db, run: OpenRun): Promise<Planned> {
  return db.transaction(async (tx) => {
    const order = await holdStanding(tx, null, run.standingOrderId)
    const open = await tx.execute(
      `UPDATE orders.standing_run SET tried_at = clock_timestamp(), reserved = 0 WHERE run_id = $1 AND state = 'open'`,
      [run.runId],
    )
    if (open === 0 || (order.state !== 'active' && order.state !== 'blocked')) return { kind: 'waits' }
    if (await isSuspended(tx, order)) return { kind: 'waits' }
    if (!(await doDestinationsWork(tx, order.standingOrderId))) return waits(tx, order, 'destination_broken')
    const wanted = order.buys ? await choose(tx, order, run.runId) : []
    if (!wanted) return { kind: 'waits' }
    if (wanted.length === 0) return { kind: 'over', order, short: null }
    const left = await readLeft(tx, order, run.runId)
    if (left.credits <= 0) return { kind: 'over', order, short: left.by }
    const balance = await creditBalance(tx, order.accountId)
    if (balance <= 0) return waits(tx, order, 'credits_short')
    const items = wanted.slice(0, Math.min(left.credits, balance))
    const day = await readToday(tx)
    await tx.execute('UPDATE orders.standing_run SET reserved = $2, reserved_on = $3 WHERE run_id = $1', [
      ...[run.runId, items.length, day],
    ])
    if (order.state === 'blocked') await unblock(tx, order)
    return { kind: 'buy', plan: { order, items, isRest: items.length === wanted.length, day } }
  })
}

async function waits(tx: Tx, order: StandingOrder, reason: BlockReason): Promise<Planned> {
  await block(tx, order, reason)
  return { kind: 'waits' }
}

/** Also records why the other matches are not bought. @returns undefined if the query is no longer valid. */
async function choose(tx: Tx, order: StandingOrder, runId: number): Promise<RequestedItem[] | undefined> {
  const { type } = order
  const matcher = await unlessInvalid(tx, order, () => buildMatcherFor(tx, order))
  if (!matcher) return undefined
  const values = [...matcher.values, runId]
  const { table, name } = registerTables[type]
  const found = await tx.query<RequestedItem>(
    sql`SELECT $${values.length + 1}::text AS type, ${keys[type]} AS number, coalesce(${name}, ${keys[type]}) AS name
     FROM orders.standing_match m JOIN ${table} r ON ${keys[type]} = m.identifier
     WHERE m.run_id = $${values.length}::bigint AND m.state = 'found' AND r.closed_on IS NULL AND ${matcher.condition}
     ORDER BY ${orderOf(type, order.prefer)}`,
    [...values, type],
  )
  const items = found.map((each) => ({ type, identifier: each.number }))
  const owned = await ownedItems(tx, order.accountId, items)
  const reached = await countContacts(tx, order.accountId, items)
  const stateOf = (index: number) => (owned.has(index) ? 'owned' : reached[index]?.hasContact ? 'found' : 'no_contact')
  await tx.execute(
    `UPDATE orders.standing_match m SET state = coalesce(outcome.state, 'no_longer_matches')
     FROM orders.standing_match other LEFT JOIN unnest($2::text[], $3::text[]) AS outcome (identifier, state) USING (identifier)
     WHERE m.run_id = $1 AND m.state = 'found' AND (m.standing_order_id, m.type, m.identifier) = (other.standing_order_id, other.type, other.identifier)
       AND coalesce(outcome.state, 'no_longer_matches') <> 'found'`,
    [runId, items.map(({ identifier }) => identifier), items.map((_, index) => stateOf(index))],
  )
  return found.filter((_, index) => stateOf(index) === 'found')
}

/**
 * Activates and pauses standing orders. A run that buys has the standing order locked, so a pause waits for the current
 * purchase, and none follows its response.
 */
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { requireRoom } from '../limits/stored-quota.ts'
import { holdStanding, readStanding, type StandingOrder, type StandingState } from './standing-order.ts'

export interface Switch {
  readonly actor: Actor
  readonly reason?: string | undefined
}

/**
 * Activates a draft or resumes a paused order. Earlier imports are not bought.
 * @throws AppError CONFLICT if it has ended or an operator paused it; QUOTA_EXCEEDED.
 */
export async function resumeStanding(tx: Tx, accountId: string | null, id: string, { actor }: Switch) {
  const owner = (await readStanding(tx, accountId, id)).accountId
  const account = await holdQuotaAccount(tx, owner)
  const before = await holdStanding(tx, accountId, id)
  if (before.state === 'ended') throw new AppError('CONFLICT', 'This standing order has ended; make another one.')
  if (before.state === 'active') return before
  if (before.state === 'paused' && isOperator(before.stateBy) && !isOperator(actor)) {
    throw new AppError('CONFLICT', 'An operator paused this standing order; ask the operator to resume it.')
  }
  if (before.state !== 'blocked') await requireRoom(tx, account, 'standingOrders', 1)
  await tx.execute(
    `UPDATE orders.standing_order SET state = 'active', reason = NULL, state_by = $2, state_at = now(),
       next_run_on = NULL, active_since = CASE WHEN state = 'blocked' THEN active_since ELSE clock_timestamp() END
     WHERE standing_order_id = $1`,
    [id, actor],
  )
  await audit(tx, { actor, action: 'resume standing order', subject: id, accountId: owner })
  return readStanding(tx, accountId, id)
}

/** @throws AppError CONFLICT unless it is active or blocked. */
export const pauseStanding = (tx: Tx, accountId: string | null, id: string, by: Switch): Promise<StandingOrder> =>
  stop(tx, accountId, id, { ...by, to: 'paused', action: 'pause standing order' })

/** Permanently; what it bought stays. */
export const endStanding = (tx: Tx, accountId: string | null, id: string, by: Switch): Promise<StandingOrder> =>
  stop(tx, accountId, id, { ...by, to: 'ended', action: 'end standing order' })

async function stop(
  tx: Tx,
  accountId: string | null,
  id: string,
  { actor, reason, to, action }: Switch & { readonly to: 'paused' | 'ended'; readonly action: string },
): Promise<StandingOrder> {
  const before = await holdStanding(tx, accountId, id)
  if (before.state === to) return before
  const from: readonly StandingState[] =
    to === 'paused' ? ['active', 'blocked'] : ['draft', 'active', 'blocked', 'paused']
  if (!from.includes(before.state)) {
    throw new AppError('CONFLICT', `Only a standing order that is switched on is paused; this one is ${before.state}.`)
  }
  await tx.execute(
    `UPDATE orders.standing_order SET state = $2, reason = $3, state_by = $4, state_at = now() WHERE standing_order_id = $1`,
    [id, to, reason ?? null, actor],
  )
  await closeRuns(tx, [id])
  await audit(tx, { actor, action, subject: id, detail: reason ? { reason } : {}, accountId: before.accountId })
  return readStanding(tx, accountId, id)
}

/**
 * Pauses all orders of the account, or of all accounts if null: for emergencies.
 * @returns how many were paused.
 */
export async function pauseAllStanding(tx: Tx, accountId: string | null, { actor, reason }: Switch): Promise<number> {
  const paused = await tx.query<{ id: string; accountId: string }>(
    `UPDATE orders.standing_order SET state = 'paused', reason = $2, state_by = $3, state_at = now()
     WHERE standing_order_id IN (SELECT standing_order_id FROM orders.standing_order
       WHERE state IN ('active', 'blocked') AND ($1::uuid IS NULL OR account_id = $1)
       ORDER BY standing_order_id FOR NO KEY UPDATE)
     RETURNING standing_order_id AS id, account_id AS "accountId"`,
    [accountId, reason ?? null, actor],
  )
  await closeRuns(
    tx,
    paused.map(({ id }) => id),
  )
  for (const { id, accountId: owner } of paused) {
    await audit(tx, { actor, action: 'pause standing order', subject: id, detail: { all: true }, accountId: owner })
  }
  return paused.length
}

/** Ends those whose last day is over. @returns how many. */
export async function endOverdue(tx: Tx): Promise<number> {
  const ended = await tx.query<{ id: string }>(
    `UPDATE orders.standing_order SET state = 'ended', reason = 'end_date', state_by = 'system', state_at = now()
     WHERE standing_order_id IN (SELECT standing_order_id FROM orders.standing_order
       WHERE state IN ('active', 'blocked', 'paused') AND ends_on < runtime.indian_day(now())
       ORDER BY standing_order_id FOR NO KEY UPDATE)
     RETURNING standing_order_id AS id`,
  )
  await closeRuns(
    tx,
    ended.map(({ id }) => id),
  )
  return ended.length
}

/** Matches not bought yet are not bought later: a pause is not a delay. */
async function closeRuns(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(
    `UPDATE orders.standing_match SET state = 'skipped' WHERE standing_order_id = ANY ($1::uuid[]) AND state = 'found'`,
    [ids],
  )
  await tx.execute(
    `UPDATE orders.standing_run SET state = 'skipped', reason = 'stopped', reserved = 0, finished_at = now()
     WHERE standing_order_id = ANY ($1::uuid[]) AND state IN ('open', 'needs_approval')`,
    [ids],
  )
}

const isOperator = (actor: string) => actor === 'operator' || actor.startsWith('operator:')

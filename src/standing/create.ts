/** Creates and changes standing orders; a changed query is stored as a new version. */
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { requireRevision } from '../db/revision.ts'
import { AppError } from '../errors.ts'
import { holdQuotaAccount } from '../limits/quota-account.ts'
import { requireRoom } from '../limits/stored-quota.ts'
import { unblock } from './block.ts'
import { type CheckedDraft, checkDraft, type Draft, isOtherQuery } from './draft.ts'
import { revisionOfStanding } from './revision.ts'
import { holdStanding, readStanding, type StandingOrder } from './standing-order.ts'

/**
 * @returns a draft; `activate` switches it on.
 * @throws AppError as `checkDraft`, QUOTA_EXCEEDED, NOT_FOUND for an erased account.
 */
export async function createStanding(tx: Tx, accountId: string, draft: Draft, actor: Actor): Promise<StandingOrder> {
  const account = await holdQuotaAccount(tx, accountId)
  const checked = await checkDraft(tx, accountId, draft)
  await requireRoom(tx, account, 'standingDrafts', 1)
  const { name, buys, budget, prefer, destinations, mappings, schedule, endsOn } = checked
  const [made] = await tx.query<{ id: string }>(
    `INSERT INTO orders.standing_order (account_id, name, state_by, buys, budget_day, budget_month, budget_run, prefer,
       destinations, schedule, ends_on, mappings)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING standing_order_id AS id`,
    [
      ...[accountId, name, actor, buys, budget?.day ?? null, budget?.month ?? null, budget?.run ?? null, prefer],
      ...[[...new Set(destinations)], schedule, endsOn, JSON.stringify(mappings)],
    ],
  )
  if (!made) throw new Error('the insert of a standing order returned no row')
  await writeVersion(tx, made.id, 1, checked, actor)
  await audit(tx, { actor, action: 'create standing order', subject: made.id, detail: { budget, buys }, accountId })
  return readStanding(tx, accountId, made.id)
}

/**
 * Omitted members keep their value.
 * @param read the revision that `change` is based on.
 * @throws AppError as `checkDraft`; CONFLICT if the order has ended or has another revision.
 */
export async function changeStanding(
  tx: Tx,
  accountId: string | null,
  id: string,
  change: Partial<Draft>,
  actor: Actor,
  read?: string,
): Promise<StandingOrder> {
  const before = await holdStanding(tx, accountId, id)
  if (before.state === 'ended') throw new AppError('CONFLICT', 'This standing order has ended; make another one.')
  requireRevision('This standing order was', revisionOfStanding(before), read)
  // A changed query is no longer that of the saved screener.
  const isOther = change.query !== undefined && change.query !== before.query
  const given = isOther ? { screenerId: null, ...change } : change
  const wanted = { ...before, ...given }
  // Removing a destination removes its field mappings.
  const kept = Object.entries(wanted.mappings).filter(([destination]) => wanted.destinations.includes(destination))
  const mappings = change.mappings ?? Object.fromEntries(kept)
  const checked = await checkDraft(tx, before.accountId, { ...wanted, mappings }, { given, before })
  const isNewQuery = queryMembers.some((member) => before[member] !== checked[member])
  const version = before.version + (isNewQuery ? 1 : 0)
  if (isNewQuery) await writeVersion(tx, id, version, checked, actor)
  const { name, buys, budget, prefer, destinations, schedule, endsOn } = checked
  await tx.execute(
    `UPDATE orders.standing_order SET name = $2, buys = $3, budget_day = $4, budget_month = $5, budget_run = $6, prefer = $7,
       destinations = $8, schedule = $9, ends_on = $10, version = $11, mappings = $12 WHERE standing_order_id = $1`,
    [
      ...[id, name, buys, budget?.day ?? null, budget?.month ?? null, budget?.run ?? null, prefer],
      ...[[...new Set(destinations)], schedule, endsOn, version, JSON.stringify(mappings)],
    ],
  )
  const { spent } = before
  const hasRoom = budget === null || (spent.day < budget.day && spent.month < budget.month)
  const isReadable = isOtherQuery(checked, before)
  if (before.reason === 'budget_used' ? hasRoom : before.reason === 'query_invalid' && isReadable)
    await unblock(tx, before)
  const detail = { budget, buys, version }
  await audit(tx, { actor, action: 'change standing order', subject: id, detail, accountId: before.accountId })
  return readStanding(tx, accountId, id)
}

const queryMembers = [
  ...(['source', 'type', 'query', 'screenerId', 'watchlistId', 'hasMobile', 'hasEmail', 'activeOnly'] as const),
]

async function writeVersion(tx: Queryable, id: string, version: number, draft: CheckedDraft, actor: Actor) {
  await tx.execute(
    `INSERT INTO orders.standing_query
       (standing_order_id, version, source, type, query, screener_id, watchlist_id, has_mobile, has_email, active_only, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[id, version, draft.source, draft.type, draft.query, draft.screenerId, draft.watchlistId],
      ...[draft.hasMobile, draft.hasEmail, draft.activeOnly, actor],
    ],
  )
}

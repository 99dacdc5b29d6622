/**
 * Runs one push: the leads of an order go into a CRM, each row of the ledger moves only by the CRM's answer for it.
 * Running it twice, or after a crash, sends only what is open: rows in doubt are looked up before they are sent again.
 */
import type { Db } from '../db/db.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { markSetUp } from './destinations.ts'
import { beginAttempt, releaseLease, renewLease } from './lease.ts'
import {
  type DeliveryParts,
  type DestinationRow,
  type OpenDestination,
  openDestination,
  readDestination,
} from './open-destination.ts'
import {
  type Attempt,
  claimLeads,
  countPush,
  enrolLeads,
  giveBack,
  listUnknown,
  nextDueMs,
  type PushCounts,
  recordOutcomes,
  settleUnknown,
} from './push-ledger.ts'

/** Rounds of settling and sending before the rest is left to a later job. */
const roundsMax = 3
const unbuiltRetryMs = 1_000

export interface RunPushOptions {
  readonly signal: AbortSignal
  /** The queue tries no more after this run, so a failure is the push's end. */
  readonly lastAttempt?: boolean
}

/**
 * @returns the counts; every lead of the order stands in exactly one of them.
 * @throws AppError with `afterMs` when leads are left that the CRM will take later; all that happened is recorded.
 */
export async function runPush(parts: DeliveryParts, pushId: string, options: RunPushOptions): Promise<PushCounts> {
  const { db } = parts
  const attempt = await beginAttempt(db, pushId)
  if (!attempt) return readCounts(db, pushId)
  try {
    await deliver(parts, attempt, options.signal)
    const counts = await countPush(db, attempt)
    const waitMs = await nextDueMs(db, attempt)
    if (waitMs !== null) {
      const message = `${counts.pending + counts.unknown} lead(s) wait for the CRM`
      throw new AppError('CRM_UNAVAILABLE', message, { retry: { afterMs: Math.ceil(waitMs) }, extra: { counts } })
    }
    await db.execute(
      `UPDATE deliver.push SET status = 'finished', counts = $3, finished_at = now() WHERE push_id = $1 AND fence = $2`,
      [pushId, attempt.fence, JSON.stringify(counts)],
    )
    return counts
  } catch (error) {
    await noteFailure(db, attempt, error, options.lastAttempt ?? false)
    throw error
  } finally {
    await releaseLease(db, attempt)
  }
}

/** What became of a push so far. */
export interface PushRecord {
  /** `queued` with an error waits for its next try. */
  readonly status: 'queued' | 'running' | 'finished' | 'failed'
  readonly counts: PushCounts
  readonly error: { readonly code: string; readonly message: string } | null
}

/** @throws AppError NOT_FOUND */
export async function readPush(db: Db, pushId: string): Promise<PushRecord> {
  const [push] = isUuid(pushId)
    ? await db.query<Pick<PushRecord, 'status' | 'error'> & { orderId: string; destinationId: string }>(
        `SELECT status, order_id AS "orderId", destination_id AS "destinationId", error
         FROM deliver.push WHERE push_id = $1`,
        [pushId],
      )
    : []
  if (!push) throw new AppError('NOT_FOUND', `There is no push ${pushId}`)
  const { status, error, orderId, destinationId } = push
  return { status, error, counts: await countPush(db, { pushId, orderId, destinationId }) }
}

async function readCounts(db: Db, pushId: string): Promise<PushCounts> {
  const [row] = await db.query<{ counts: PushCounts }>('SELECT counts FROM deliver.push WHERE push_id = $1', [pushId])
  if (!row) throw new AppError('NOT_FOUND', `There is no push ${pushId}`)
  return row.counts
}

async function deliver(parts: DeliveryParts, attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { db } = parts
  await requireLeads(db, attempt.orderId)
  await enrolLeads(db, attempt)
  if ((await nextDueMs(db, attempt)) === null) return
  await renewLease(db, attempt)
  const row = await readDestination(db, attempt.destinationId)
  const open = openDestination(parts, row, signal)
  try {
    await setUpOnce(db, row, open)
    for (let round = 0; round < roundsMax; round += 1) {
      const settled = await settleRound(db, attempt, open)
      const sent = await sendRound(db, attempt, open)
      if (settled + sent === 0) return
    }
  } finally {
    await open.limiter.flush()
  }
}

/** A paid order's leads are built by a job of their own, which may still be on its way. */
async function requireLeads(db: Db, orderId: string): Promise<void> {
  const [row] = await db.query<{ missing: number }>(
    `SELECT count(*)::int AS missing FROM orders.item i
     WHERE i.order_id = $1 AND i.refunded_at IS NULL
       AND NOT EXISTS (SELECT FROM orders.lead l WHERE l.item_id = i.item_id)`,
    [orderId],
  )
  if (row && row.missing > 0) {
    throw new AppError('LEADS_NOT_READY', `${row.missing} lead(s) of the order are still being built`, {
      retry: { afterMs: unbuiltRetryMs },
    })
  }
}

async function setUpOnce(db: Db, row: DestinationRow, { session }: OpenDestination): Promise<void> {
  if (row.setUpAt !== null) return
  const { todo } = await session.setup()
  if (todo.length > 0) throw new AppError('DESTINATION_INVALID', `The CRM is not ready: ${todo.join(' ')}`)
  await markSetUp(db, row.destinationId)
}

async function settleRound(db: Db, attempt: Attempt, { connector, session }: OpenDestination): Promise<number> {
  let settled = 0
  for (;;) {
    const asked = await listUnknown(db, attempt, connector.batchSizeMax)
    if (asked.length === 0) return settled
    await renewLease(db, attempt)
    const found = await session.lookup(asked.map(({ externalId }) => externalId))
    await settleUnknown(db, attempt, asked, found)
    settled += asked.length
  }
}

async function sendRound(db: Db, attempt: Attempt, { connector, session }: OpenDestination): Promise<number> {
  let sent = 0
  for (;;) {
    await renewLease(db, attempt)
    const leads = await claimLeads(db, attempt, connector.batchSizeMax)
    if (leads.length === 0) return sent
    try {
      const outcomes = await session.push(leads)
      await recordOutcomes(db, attempt, leads, outcomes)
    } catch (error) {
      // The contract: an AppError means that nothing was written. Of anything else the CRM must be asked.
      await giveBack(db, attempt, leads, error instanceof AppError ? 'pending' : 'unknown')
      throw error
    }
    sent += leads.length
  }
}

async function noteFailure(db: Db, attempt: Attempt, error: unknown, lastAttempt: boolean): Promise<void> {
  const { code, message, retry } =
    error instanceof AppError ? error : { code: 'INTERNAL', message: 'unexpected failure', retry: 'later' }
  if (code === 'LEASE_LOST') return
  const ended = retry === 'never' || (retry === 'later' && lastAttempt)
  await db.execute(
    `UPDATE deliver.push SET status = $3::text, error = $4, counts = $5, finished_at = CASE WHEN $3::text = 'failed' THEN now() END
     WHERE push_id = $1 AND fence = $2`,
    [
      attempt.pushId,
      attempt.fence,
      ended ? 'failed' : 'queued',
      JSON.stringify({ code, message }),
      JSON.stringify(await countPush(db, attempt)),
    ],
  )
  if (code !== 'CRM_UNAUTHORIZED') return
  // Refused credentials stay refused: no push hammers the sign-in until somebody renews and resumes.
  await db.execute(
    `UPDATE deliver.destination SET status = 'broken', status_reason = $2 WHERE destination_id = $1 AND status = 'active'`,
    [attempt.destinationId, message],
  )
}

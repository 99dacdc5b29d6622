/**
 * Brings a CRM to the state that its destination is to hold: sends the desired records and stores the CRM's answers.
 * Nothing is abandoned: a record that fails stays desired, and the breaker decides when to retry. A concurrent run
 * finds the lease taken; after a crash, rows with an unknown outcome are looked up before they are sent again.
 */
import { databaseFault } from '../../db/database-fault.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import { checkSecretKey } from '../../secrets/canary.ts'
import { announceOfDestination } from '../destinations/announce.ts'
import {
  type DeliveryParts,
  type OpenDestination,
  openDestination,
  readDestination,
} from '../destinations/open-destination.ts'
import { setUp } from '../destinations/set-up.ts'
import { noteFailure, noteSuccess, type StandingFailure } from '../lease/breaker.ts'
import { keepLease, type Lease, releaseLease, requireLease, takeLease } from '../lease/lease.ts'
import { takeOverJob } from '../record/job.ts'
import { countFresh, listUnknown, settleUnknown, somethingIsDue, takeOver } from '../record/ledger.ts'
import { enqueueNext, enqueueWhilePaused, itemsAtOnce } from './enqueue.ts'
import { type EnqueueAhead, enqueueAhead } from './enqueue-ahead.ts'
import { countPush } from './read-push.ts'
import { type Sending, sendBatches } from './send-batches.ts'
import { JobGoesOn, sendJob, suitsJob } from './send-job.ts'
import { untilAborted } from './until-aborted.ts'

export interface ReconcileReport {
  /** True if another holder lives, or the destination accepts nothing now; nothing was done. */
  readonly held: boolean
  /** Records that were looked up in or sent to the CRM. */
  readonly touched: number
  /** Why the rest was not delivered. */
  readonly failure: StandingFailure | null
}

const finishSql = sqlFile(import.meta.url, '../record/finish-pushes.sql')
/** Until a process that does not have the secret key looks whether it is there. */
const keyWaitMs = 15_000
const ownHolds = new Set(['LEASE_LOST', 'ACCOUNT_SUSPENDED', 'CONFLICT'])

/**
 * A wake-up for a destination that is held is dropped, so a holder that has released it checks once more for new work.
 * @throws only what the database throws; every other error is stored with the destination, unless it says nothing about the
 *   CRM.
 */
export async function reconcile(
  parts: DeliveryParts,
  destinationId: string,
  signal: AbortSignal,
): Promise<ReconcileReport> {
  let touched = 0
  for (;;) {
    const { isDone, ...report } = await hold(parts, destinationId, signal)
    touched += report.touched
    const mayBeMore = isDone && report.touched > 0 && (await somethingIsDue(parts.db, destinationId))
    if (!mayBeMore) return { ...report, held: report.held && touched === 0, touched }
  }
}

/** @returns `isDone` if nothing was left to do at release. */
async function hold(
  parts: DeliveryParts,
  destinationId: string,
  signal: AbortSignal,
): Promise<ReconcileReport & { readonly isDone: boolean }> {
  const { db } = parts
  const lease = await takeLease(db, destinationId)
  if (!lease) {
    await enqueueWhilePaused(db, destinationId, signal)
    return { isDone: false, held: true, touched: 0, failure: null }
  }
  const lost = new AbortController()
  const keeper = keepLease(db, lease, (error) => lost.abort(error))
  const progress = { touched: 0 }
  try {
    await takeOverJob(db, lease)
    await takeOver(db, lease)
    const stop = AbortSignal.any([signal, lost.signal])
    const row = await readDestination(db, destinationId)
    if (row.setUpAt === null && row.verifiedAccount !== null) await openReady(parts, lease, stop)
    if (await enqueueUntilDue(db, destinationId, stop)) await deliver(parts, lease, stop, progress)
    return { isDone: true, held: false, ...progress, failure: null }
  } catch (error) {
    if (error instanceof JobGoesOn) {
      await comeBack(db, lease, error)
      return { isDone: false, held: false, ...progress, failure: null }
    }
    return { isDone: false, held: false, ...progress, failure: await keepFailure(parts, lease, error, signal) }
  } finally {
    keeper.stop()
    await finishPushes(parts, destinationId)
    await releaseLease(db, lease)
  }
}

/** @returns false if nothing is due and no waiting push can be enqueued. */
async function enqueueUntilDue(db: DeliveryParts['db'], destinationId: string, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    signal.throwIfAborted()
    if (await somethingIsDue(db, destinationId)) return true
    if (!(await enqueueNext(db, destinationId))) return false
  }
}

async function comeBack(
  db: DeliveryParts['db'],
  { destinationId, fence }: Lease,
  { afterMs }: Pick<JobGoesOn, 'afterMs'>,
): Promise<void> {
  await db.execute(
    `UPDATE deliver.destination SET retry_at = clock_timestamp() + $3 * interval '1 millisecond'
     WHERE destination_id = $1 AND leased_to = $2`,
    [destinationId, fence, afterMs],
  )
}

async function finishPushes({ db }: DeliveryParts, destinationId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const finished = await tx.query<{ pushId: string; orderId: string }>(finishSql, [destinationId])
    for (const { pushId, orderId } of finished) {
      const { created, updated, unchanged, rejected } = await countPush(tx, { pushId, orderId, destinationId })
      const counts = { created, updated, unchanged, rejected }
      await announceOfDestination(tx, destinationId, 'order.delivered', {
        order_id: orderId,
        push_id: pushId,
        ...counts,
      })
    }
  })
}

/** Waits, pauses and the shutdown of the process do not count as failures of the CRM. */
async function keepFailure(
  { db }: DeliveryParts,
  lease: Lease,
  error: unknown,
  signal: AbortSignal,
): Promise<StandingFailure> {
  if (error instanceof Error && databaseFault(error)) throw error
  if (signal.aborted)
    return { code: 'UNAVAILABLE', message: 'The process is stopping; another one continues the delivery' }
  if (error instanceof AppError && ownHolds.has(error.code)) return { code: error.code, message: error.message }
  if (error instanceof AppError && error.code === 'SECRET_KEY_WRONG') {
    await comeBack(db, lease, { afterMs: keyWaitMs })
    return { code: error.code, message: error.message }
  }
  const move = await db.transaction(async (tx) => {
    const noted = await noteFailure(tx, lease, error)
    if (noted?.opened)
      await announceOfDestination(tx, lease.destinationId, 'destination.broken', { reason: noted.failure })
    return noted
  })
  return move?.failure ?? { code: 'LEASE_LOST', message: 'Another worker has taken over this destination' }
}

async function deliver(
  parts: DeliveryParts,
  lease: Lease,
  signal: AbortSignal,
  progress: { touched: number },
): Promise<void> {
  await requireLease(parts.db, lease)
  const enqueuing = enqueueAhead(parts.db, lease.destinationId, signal)
  try {
    await deliverEnqueued(parts, lease, signal, { progress, enqueuing })
  } finally {
    await enqueuing.ended
  }
}

async function deliverEnqueued(
  parts: DeliveryParts,
  lease: Lease,
  signal: AbortSignal,
  { progress, enqueuing }: { readonly progress: { touched: number }; readonly enqueuing: EnqueueAhead },
): Promise<void> {
  const { db } = parts
  const open = await openReady(parts, lease, signal)
  try {
    let closed = false
    const answered = async (leads: number) => {
      progress.touched += leads
      if (!closed) await closeBreaker(parts, lease)
      closed = true
    }
    const sending: Sending = { db, lease, open, signal, answered }
    // A round ends with a call that is not full, and a job takes all there are, so neither should begin with only a
    // few.
    const many = open.session.bulk?.leadsMax ?? itemsAtOnce
    for (let idle = false; ; ) {
      const allEnqueued = await enqueuing.until(async () => !idle && (await countFresh(db, lease, many)) === many)
      const settled = await settleRound(sending)
      const asJob = await suitsJob(sending)
      const sent = (asJob ? 0 : await sendBatches(sending)) + (await sendJob(sending, asJob))
      idle = settled + sent === 0
      if (idle && allEnqueued) return
    }
  } finally {
    await open.limiter.flush()
  }
}

async function closeBreaker({ db }: DeliveryParts, lease: Lease): Promise<void> {
  await db.transaction(async (tx) => {
    if (await noteSuccess(tx, lease)) await announceOfDestination(tx, lease.destinationId, 'destination.recovered', {})
  })
}

/** @returns a destination that is set up and limited by the account that the CRM has named. */
async function openReady(parts: DeliveryParts, lease: Lease, signal: AbortSignal): Promise<OpenDestination> {
  const { destinationId } = lease
  const mayCall = () => requireLease(parts.db, lease)
  // Between a rotation of the key and the restart of this process the settings are only closed to it: the leads wait.
  await checkSecretKey(parts.db, parts.secretKey)
  const row = await readDestination(parts.db, destinationId)
  const open = openDestination(parts, row, signal, mayCall)
  try {
    if (!(await untilAborted(setUp(parts.db, row, open), signal))) return open
  } finally {
    await open.limiter.flush()
  }
  return openDestination(parts, await readDestination(parts.db, destinationId), signal, mayCall)
}

/** Looks up one batch of rows with an unknown outcome in the CRM. @returns how many were settled. */
async function settleRound({ db, lease, open, signal, answered }: Sending): Promise<number> {
  const { connector, session } = open
  const unconfirmed = await listUnknown(db, lease, connector.batchSizeMax)
  const externalIds = [...unconfirmed.keys()]
  if (externalIds.length === 0) return 0
  const found = await untilAborted(session.lookup(externalIds, unconfirmed), signal)
  await settleUnknown(db, lease, externalIds, found)
  await answered(externalIds.length)
  return externalIds.length
}

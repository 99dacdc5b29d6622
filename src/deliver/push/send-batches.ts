/**
 * Sends due records in batches, with several calls in parallel if the CRM allows it. The first batch goes alone, so
 * that a CRM that refuses everything is not called ten times. A worker claims each batch before it sends it and
 * records its answer before it claims the next; two workers never hold the same record.
 */
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import { AppError } from '../../errors.ts'
import { batchSizeOf, rememberBatchSize } from '../destinations/batch-size.ts'
import { requireLease } from '../lease/lease.ts'
import { keepAttempts, takeWritten } from '../record/attempts/keep-attempts.ts'
import { type ClaimPass, claimLeads, claimPass, giveBack } from '../record/ledger.ts'
import { observeDelivered } from './observe-delivered.ts'
import { type Pushing, pushLeads } from './push-leads.ts'
import { recordPush } from './record-push.ts'

export interface Sending extends Pushing {
  /** Called after each recorded answer. */
  answered(leads: number): Promise<void>
}

/** @returns how many leads were sent; 0 if none is due. */
export async function sendBatches(sending: Sending): Promise<number> {
  const { pushesAtOnce = 1 } = sending.open.connector
  const pass = claimPass()
  const size = batchSizeOf(sending.open)
  const first = await sendBatch(sending, await claim(sending, pass))
  if (first < size || pushesAtOnce < 2) return first
  let sent = first
  let failed = false
  let claims: Promise<unknown> = Promise.resolve()
  // One claim at a time: a second one would wait for the first one's rows and find them taken.
  const claimNext = () => {
    const turn = claims.then(() => claim(sending, pass))
    claims = turn.catch(() => {})
    return turn
  }
  const worker = async () => {
    try {
      while (!failed) {
        const count = await sendBatch(sending, await claimNext())
        if (count === 0) return
        sent += count
      }
    } catch (error) {
      failed = true
      throw error
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: pushesAtOnce }, worker))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  return sent
}

async function claim({ db, lease, open, signal }: Sending, pass: ClaimPass): Promise<OutgoingLead[]> {
  signal.throwIfAborted()
  await requireLease(db, lease)
  return claimLeads(db, lease, batchSizeOf(open), pass)
}

async function sendBatch(
  { db, lease, open, signal, answered }: Sending,
  leads: readonly OutgoingLead[],
): Promise<number> {
  if (leads.length === 0) return 0
  let outcomes: readonly PushOutcome[]
  try {
    outcomes = await pushLeads({ db, lease, open, signal }, leads)
  } catch (error) {
    await giveBackFailed({ db, lease, open }, leads, error)
    throw error
  }
  await rememberBatchSize(db, lease, open)
  await recordPush(db, lease, { leads, outcomes, written: takeWritten(open.written, leads) })
  await observeDelivered(db, leads, outcomes)
  await answered(leads.length)
  return leads.length
}

/**
 * A call whose effect is unknown counts as an attempt; the failure of one that wrote nothing is stored with the
 * destination only.
 */
export async function giveBackFailed(
  { db, lease, open }: Pick<Sending, 'db' | 'lease' | 'open'>,
  leads: readonly OutgoingLead[],
  error: unknown,
): Promise<void> {
  const written = takeWritten(open.written, leads)
  if (nothingWasWritten(error)) return giveBack(db, lease, leads, 'pending')
  await giveBack(db, lease, leads, 'unknown')
  const message = error instanceof Error ? error.message : 'the call failed'
  await keepAttempts(
    db,
    lease.destinationId,
    leads,
    leads.map(() => ({ status: 'unknown', message })),
    written,
  )
}

/** By contract an AppError means that nothing was written. After any other error the CRM has to be looked up. */
export function nothingWasWritten(error: unknown): boolean {
  return error instanceof AppError && error.extra['mayHaveWritten'] !== true
}

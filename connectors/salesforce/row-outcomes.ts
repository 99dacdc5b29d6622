/**
 * Sends decided rows in calls of a size that the org accepts, and gives each row an outcome, whatever becomes of its
 * call.
 */
import type { AppError } from '../../src/errors.ts'
import type { BatchSize } from '../batch-size.ts'
import type { OutgoingLead, PushOutcome } from '../contract.ts'
import { mayHaveWritten } from '../crm-network.ts'
import { halves } from '../slices.ts'
import { failureOfCall, isTooMany } from './outcomes.ts'

const notSent: PushOutcome = { status: 'unknown', message: 'the lead was not sent' }

/** By item id. */
type Outcomes = Map<string, PushOutcome>
interface Row {
  readonly lead: OutgoingLead
}
/** Writes the rows and returns their outcomes in order. */
type Send<R> = (batch: readonly R[]) => Promise<readonly PushOutcome[]>

/**
 * Rows that are refused only because of their number are sent again in halves, down to one.
 * @param rowsMax per call, in addition to the org's own limit.
 * @returns the error that ended it; rows without an outcome were not written then.
 */
export async function writeInSize<R extends Row>(
  rows: readonly R[],
  send: Send<R>,
  size: BatchSize,
  outcomes: Outcomes,
  rowsMax = Number.POSITIVE_INFINITY,
): Promise<AppError | null> {
  let stoppedBy: AppError | null = null
  for (let from = 0; from < rows.length && stoppedBy === null; ) {
    const batch = rows.slice(from, from + Math.min(size.rows, rowsMax))
    try {
      stoppedBy = await writeByHalves(batch, send, size, outcomes)
    } finally {
      size.settle()
    }
    from += batch.length
  }
  return stoppedBy
}

async function writeByHalves<R extends Row>(
  batch: readonly R[],
  send: Send<R>,
  size: BatchSize,
  outcomes: Outcomes,
): Promise<AppError | null> {
  const stoppedBy = await writeRows(batch, send, outcomes)
  const over = batch.filter(({ lead }) => {
    const outcome = outcomes.get(lead.itemId)
    return outcome?.status === 'rejected' && isTooMany(outcome)
  })
  if (over.length === 0 && stoppedBy === null) size.accepted(batch.length)
  if (over.length === 0 || batch.length === 1) return stoppedBy
  size.refused()
  for (const { lead } of over) outcomes.delete(lead.itemId)
  if (stoppedBy !== null) return stoppedBy
  if (over.length < batch.length) return writeByHalves(over, send, size, outcomes)
  return inHalves(over, (half) => writeByHalves(half, send, size, outcomes))
}

/** A call that Salesforce refuses as a whole is halved until the row at fault is alone. */
async function writeRows<R extends Row>(
  batch: readonly R[],
  send: Send<R>,
  outcomes: Outcomes,
): Promise<AppError | null> {
  try {
    const results = await send(batch)
    batch.forEach(({ lead }, n) => void outcomes.set(lead.itemId, results[n] ?? notSent))
    return null
  } catch (error) {
    const failure = failureOfCall(error)
    const isOpen = mayHaveWritten(error)
    if (failure !== null && !isOpen) return failure
    if (failure === null && batch.length > 1) return inHalves(batch, (half) => writeRows(half, send, outcomes))
    const outcome = failure === null ? rejectionOf(error) : ({ status: 'unknown', message: failure.message } as const)
    for (const { lead } of batch) outcomes.set(lead.itemId, outcome)
    return null
  }
}

async function inHalves<R>(
  rows: readonly R[],
  write: (half: readonly R[]) => Promise<AppError | null>,
): Promise<AppError | null> {
  for (const half of halves(rows)) {
    const stoppedBy = await write(half)
    if (stoppedBy !== null) return stoppedBy
  }
  return null
}

/** Leads that were created unread but already exist: they are deferred until they are read. */
export const metAmong = (rows: readonly Row[], outcomes: ReadonlyMap<string, PushOutcome>): readonly OutgoingLead[] =>
  rows.flatMap(({ lead }) => {
    const outcome = outcomes.get(lead.itemId)
    return outcome?.status === 'deferred' && outcome.code === 'DUPLICATE_VALUE' ? [lead] : []
  })

function rejectionOf(error: unknown): PushOutcome {
  const { errorCode, message } = error as { errorCode?: unknown; message?: unknown }
  if (typeof errorCode !== 'string') throw error
  return { status: 'rejected', code: errorCode, field: null, message: String(message) }
}

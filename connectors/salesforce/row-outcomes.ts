/** Rows that were decided go out in one call, and each gets its outcome, whatever becomes of the call. */
import { AppError } from '../../src/errors.ts'
import type { BatchSize } from '../batch-size.ts'
import type { PushOutcome } from '../contract.ts'
import { mayHaveWritten } from '../crm-network.ts'
import { deferred } from '../deferrals.ts'
import type { NewRecords } from '../new-records.ts'
import { failureOfCall, isTooMany } from './outcomes.ts'

export const notSent: PushOutcome = { status: 'unknown', message: 'the lead was not sent' }

/**
 * In writes of the size that the org bears, as `writeRows` writes them. Rows that are refused for their number alone go again in
 * halves, down to one.
 */
export async function writeInSize<Row>(
  rows: readonly Row[],
  send: (batch: readonly Row[]) => Promise<readonly PushOutcome[]>,
  outcomes: Map<Row, PushOutcome>,
  size: BatchSize,
): Promise<void> {
  for (let from = 0; from < rows.length; ) {
    const batch = rows.slice(from, from + size.rows)
    const told = new Map<Row, PushOutcome>()
    try {
      await halve(batch, send, told, size)
    } catch (error) {
      if (!(error instanceof AppError) || outcomes.size === 0) throw error
      // What the earlier writes wrote is kept, and nobody is asked for the others.
      for (const row of rows.slice(from)) outcomes.set(row, deferred(error))
      return
    } finally {
      size.settle()
    }
    for (const [row, outcome] of told) outcomes.set(row, outcome)
    from += batch.length
  }
}

async function halve<Row>(
  batch: readonly Row[],
  send: (batch: readonly Row[]) => Promise<readonly PushOutcome[]>,
  outcomes: Map<Row, PushOutcome>,
  size: BatchSize,
): Promise<void> {
  await writeRows(batch, send, outcomes)
  const over = batch.filter((row) => {
    const outcome = outcomes.get(row)
    return outcome?.status === 'rejected' && isTooMany(outcome)
  })
  if (over.length === 0) size.accepted(batch.length)
  if (over.length === 0 || batch.length === 1) return
  size.refused()
  const middle = Math.ceil(over.length / 2)
  const halves = over.length < batch.length ? [over] : [over.slice(0, middle), over.slice(middle)]
  for (const half of halves) await halve(half, send, outcomes, size)
}

/**
 * Fills one outcome per row. A call that Salesforce refuses as a whole is halved until the culprit stands alone.
 * When a later half fails, what the earlier ones wrote is kept and the rest is deferred.
 * @param send writes the rows, and says what became of each in their order.
 * @throws AppError where nothing was written.
 */
async function writeRows<Row>(
  batch: readonly Row[],
  send: (batch: readonly Row[]) => Promise<readonly PushOutcome[]>,
  outcomes: Map<Row, PushOutcome>,
): Promise<void> {
  if (batch.length === 0) return
  try {
    const told = await send(batch)
    batch.forEach((row, n) => void outcomes.set(row, told[n] ?? notSent))
  } catch (error) {
    if (mayHaveWritten(error)) {
      const message = error instanceof Error ? error.message : 'the connection was lost'
      for (const row of batch) outcomes.set(row, { status: 'unknown', message })
      return
    }
    const failure = failureOfCall(error)
    if (failure && outcomes.size === 0) throw failure
    if (failure) {
      for (const row of batch) outcomes.set(row, deferred(failure))
      return
    }
    const [only] = batch
    if (only !== undefined && batch.length === 1) outcomes.set(only, rejectionOf(error))
    else {
      const middle = Math.ceil(batch.length / 2)
      await writeRows(batch.slice(0, middle), send, outcomes)
      await writeRows(batch.slice(middle), send, outcomes)
    }
  }
}

/** Created unread, and there all the same. */
const wasThere = (outcome: PushOutcome | undefined): boolean =>
  outcome?.status === 'deferred' && outcome.code === 'DUPLICATE_VALUE'

/**
 * Of leads that were created unread, those that were there all the same are pushed once more, read like any known ones.
 * @param new records are read from now on.
 */
export async function pushMetAgain<Lead extends { readonly externalId: string }>(
  leads: readonly Lead[],
  outcomes: ReadonlyMap<string, PushOutcome>,
  newRecords: NewRecords,
  push: (met: readonly Lead[]) => Promise<ReadonlyMap<string, PushOutcome>>,
): Promise<ReadonlyMap<string, PushOutcome>> {
  const met = leads.filter(({ externalId }) => wasThere(outcomes.get(externalId)))
  if (met.length === 0) return outcomes
  newRecords.met()
  // Should it fail, they are deferred already.
  const again = await push(met).catch((error: unknown) => {
    if (error instanceof AppError) return new Map<string, PushOutcome>()
    throw error
  })
  return new Map([...outcomes, ...again])
}

/** In calls of at most so many leads. Where a later one fails, what the earlier ones wrote is kept, and the rest is deferred. */
export async function inCalls<Lead extends { readonly externalId: string }>(
  leads: readonly Lead[],
  sizeMax: number,
  push: (batch: readonly Lead[]) => Promise<ReadonlyMap<string, PushOutcome>>,
): Promise<ReadonlyMap<string, PushOutcome>> {
  const outcomes = new Map<string, PushOutcome>()
  for (let from = 0; from < leads.length; from += sizeMax) {
    try {
      for (const [id, outcome] of await push(leads.slice(from, from + sizeMax))) outcomes.set(id, outcome)
    } catch (error) {
      if (!(error instanceof AppError) || from === 0) throw error
      for (const { externalId } of leads.slice(from)) outcomes.set(externalId, deferred(error))
      break
    }
  }
  return outcomes
}

function rejectionOf(error: unknown): PushOutcome {
  const { errorCode, message } = error as { errorCode?: unknown; message?: unknown }
  if (typeof errorCode !== 'string') throw error
  return { status: 'rejected', code: errorCode, field: null, message: String(message) }
}

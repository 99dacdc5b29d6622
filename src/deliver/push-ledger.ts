/**
 * The delivery ledger of one attempt of one push: which leads are to be sent, which are taken, what came of them. Every
 * statement is fenced by the attempt, so one that was taken for dead and wakes up later changes nothing.
 */
import type { OutgoingLead, PushOutcome } from '../../connectors/contract.ts'
import type { Db } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { AppError } from '../errors.ts'
import { withholdFromLeads } from '../suppression/withhold-leads.ts'

export interface PushCounts {
  readonly order_id: string
  readonly destination: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly pending: number
  readonly unknown: number
}

export interface Attempt {
  readonly pushId: string
  readonly orderId: string
  readonly destinationId: string
  /** Token of this attempt. */
  readonly fence: string
}

/** Tries of one lead before it is given up with a reason; a new push starts over. */
const attemptsMax = 10

const sql = {
  enrol: sqlFile(import.meta.url, 'push-enrol.sql'),
  reopen: sqlFile(import.meta.url, 'push-reopen.sql'),
  withhold: sqlFile(import.meta.url, 'push-withhold.sql'),
  claim: sqlFile(import.meta.url, 'push-claim.sql'),
  record: sqlFile(import.meta.url, 'push-record.sql'),
  settle: sqlFile(import.meta.url, 'push-settle.sql'),
  counts: sqlFile(import.meta.url, 'push-counts.sql'),
}

/** Lays out the rows that this push has to send. */
export async function enrolLeads(db: Db, { pushId, orderId, destinationId }: Attempt): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql.enrol, [destinationId, pushId, orderId])
    await tx.execute(sql.reopen, [destinationId, pushId, orderId])
    await tx.execute(sql.withhold, [destinationId, pushId])
  })
}

/** As they may leave now, whatever they held when they were bought. */
export async function claimLeads(db: Db, attempt: Attempt, limit: number): Promise<OutgoingLead[]> {
  const values = [attempt.destinationId, attempt.pushId, attempt.fence, limit]
  return withholdFromLeads(db, await db.query<OutgoingLead>(sql.claim, values))
}

/** @throws AppError LEASE_LOST when a newer attempt took the rows over. */
export async function recordOutcomes(
  db: Db,
  attempt: Attempt,
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
): Promise<void> {
  // A connector that breaks its promise loses no lead: what it said nothing about is unknown.
  const rows = leads.map(({ itemId }, n) => ({ item_id: itemId, ...ledgerRow(outcomes[n]) }))
  const touched = await db.execute(sql.record, [
    JSON.stringify(rows),
    attempt.destinationId,
    attempt.fence,
    attemptsMax,
  ])
  if (touched < leads.length) throw leaseLost()
}

/** After a failed call: rows go back to pending when nothing was written, else to unknown. */
export async function giveBack(
  db: Db,
  attempt: Attempt,
  leads: readonly OutgoingLead[],
  state: 'pending' | 'unknown',
): Promise<void> {
  // Fenced like every outcome. A call that never reached the CRM is no try of the lead.
  await db.execute(
    `UPDATE deliver.delivery SET state = $4::text, fence = NULL, updated_at = now(),
       attempts = attempts - CASE WHEN $4::text = 'pending' THEN 1 ELSE 0 END
     WHERE destination_id = $1 AND item_id = ANY($2::uuid[]) AND fence = $3 AND state = 'sending'`,
    [attempt.destinationId, leads.map(({ itemId }) => itemId), attempt.fence, state],
  )
}

export function listUnknown(
  db: Db,
  { destinationId, pushId }: Attempt,
  limit: number,
): Promise<{ itemId: string; externalId: string }[]> {
  return db.query(
    `SELECT item_id AS "itemId", external_id AS "externalId" FROM deliver.delivery
     WHERE destination_id = $1 AND push_id = $2 AND state = 'unknown' ORDER BY external_id LIMIT $3`,
    [destinationId, pushId, limit],
  )
}

/** @throws AppError LEASE_LOST when a newer attempt has taken over. */
export async function settleUnknown(
  db: Db,
  { destinationId, pushId, fence }: Attempt,
  asked: readonly { readonly itemId: string; readonly externalId: string }[],
  found: ReadonlyMap<string, { readonly crmId: string }>,
): Promise<void> {
  const rows = asked.flatMap(({ itemId, externalId }) => {
    const record = found.get(externalId)
    return record ? [{ item_id: itemId, crm_id: record.crmId }] : []
  })
  const itemIds = asked.map(({ itemId }) => itemId)
  const parameters = [destinationId, pushId, fence, itemIds, JSON.stringify(rows), attemptsMax]
  if ((await db.execute(sql.settle, parameters)) < asked.length) throw leaseLost()
}

export async function countPush(db: Db, attempt: Omit<Attempt, 'fence'>): Promise<PushCounts> {
  const { destinationId, orderId, pushId } = attempt
  const [row] = await db.query<Omit<PushCounts, 'order_id' | 'destination'>>(sql.counts, [
    destinationId,
    orderId,
    pushId,
  ])
  if (!row) throw new Error('a count has a row')
  return { order_id: orderId, destination: destinationId, ...row }
}

/** Milliseconds until the next open lead of the push is due; null when none is open. */
export async function nextDueMs(db: Db, { destinationId, pushId }: Attempt): Promise<number | null> {
  const [row] = await db.query<{ waitMs: number | null }>(
    `SELECT min(greatest(1000, coalesce(extract(epoch FROM next_attempt_at - clock_timestamp()) * 1000, 0)))::float8
       AS "waitMs"
     FROM deliver.delivery WHERE destination_id = $1 AND push_id = $2 AND state IN ('pending', 'unknown', 'sending')`,
    [destinationId, pushId],
  )
  return row?.waitMs ?? null
}

export function leaseLost(): AppError {
  return new AppError('LEASE_LOST', 'Another attempt of this push has taken over; this one wrote nothing more')
}

function ledgerRow(outcome: PushOutcome | undefined): object {
  switch (outcome?.status) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return { state: 'acknowledged', outcome: outcome.status, crm_id: outcome.crmId, values: outcome.values }
    case 'rejected':
      return { state: 'rejected', error: refusalOf(outcome) }
    case 'deferred':
      return { state: 'pending', error: refusalOf(outcome), after_ms: outcome.afterMs }
    case 'unknown':
      return { state: 'unknown', error: { code: 'UNKNOWN', field: null, message: outcome.message } }
    case undefined:
      return { state: 'unknown', error: { code: 'UNKNOWN', field: null, message: 'the connector named no outcome' } }
  }
}

const refusalOf = ({ code, field, message }: { code: string; field: string | null; message: string }) => ({
  code,
  field,
  message,
})

/**
 * Recalls from CRMs what may not leave any more: what was sent is noted first, then erased destination by destination, and
 * the CRM's answer is kept as the receipt. A record that is gone already is as good as erased; one that the customer had before
 * Panji, or into which people merged ours, stays theirs, and the receipt says so. Run again it asks only for what is still
 * pending; a destination that fails holds up no other. What lies where nobody has the credentials any more is told to the customer, and
 * erased once a destination leads there again.
 */
import { randomUUID } from 'node:crypto'
import type { CrmSession, KnownRecord, KnownRecords, LookedUp, ReportRestorable } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import { eraseObjected } from '../../suppression/erase-objected.ts'
import { type DeliveryParts, openDestination, readDestination } from '../destinations/open-destination.ts'
import { verifyAccount } from '../destinations/verify-account.ts'
import { keepLease, type Lease, releaseLease } from '../lease/lease.ts'
import { adoptedAmong } from '../matching/adopted-records.ts'
import { soonestOf } from './soonest.ts'

export interface RecallCounts {
  /** Records that were noted by this call. */
  readonly noted: number
  /** Records that are erased now, those among them that were gone. */
  readonly settled: number
}

const findSql = sqlFile(import.meta.url, 'recall-find.sql')
const settleSql = sqlFile(import.meta.url, 'recall-settle.sql')
const handOverSql = sqlFile(import.meta.url, 'hand-over.sql')
const giveUpSql = sqlFile(import.meta.url, 'give-up.sql')
const leaseSeconds = 12
const busyRetryMs = 3_000

/** @throws after all were asked, what is tried again first of what destinations threw. */
export async function recallLeads(parts: DeliveryParts, signal: AbortSignal): Promise<RecallCounts> {
  const { db } = parts
  const noted = await db.execute(findSql)
  await forgetSent(db)
  // What was sent is noted now, by a link and nothing else.
  await eraseObjected(db)
  await db.execute(handOverSql)
  // Who has no credentials is told of first: what the others tell names what stays there.
  const destinations = await db.query<{ destinationId: string; removed: boolean }>(
    `SELECT destination_id AS "destinationId", bool_or(d.status = 'removed') AS removed
     FROM deliver.recall r JOIN deliver.destination d USING (destination_id)
     WHERE r.status = 'pending' GROUP BY 1 ORDER BY 2 DESC, 1`,
  )
  let settled = 0
  const failures: Error[] = []
  for (const { destinationId, removed } of destinations) {
    if (removed) {
      await db.execute(giveUpSql, [destinationId])
      continue
    }
    try {
      settled += await recallFrom(parts, destinationId, signal)
    } catch (error) {
      // The job tries again; what failed stays pending with its count of attempts.
      await db.execute(
        `UPDATE deliver.recall SET attempts = attempts + 1, answer = coalesce(answer, '{}') || $2 WHERE destination_id = $1 AND status = 'pending'`,
        [destinationId, JSON.stringify({ error: error instanceof AppError ? error.code : 'INTERNAL' })],
      )
      failures.push(error instanceof Error ? error : new Error('a recall failed', { cause: error }))
    }
  }
  if (failures.length > 0) throw soonestOf(failures)
  return { noted, settled }
}

/** What was read anew of somebody who objected, and what was sent, goes now, whatever the CRM answers. */
async function forgetSent(db: Db): Promise<void> {
  await db.execute(
    `UPDATE deliver.record r SET reading = NULL FROM deliver.recall c
     WHERE c.status = 'pending' AND c.reason = 'objection' AND r.destination_id = c.destination_id AND r.external_id = c.external_id
       AND r.reading IS NOT NULL`,
  )
  await db.execute(
    `DELETE FROM deliver.attempt a USING deliver.recall r
     WHERE r.status = 'pending' AND r.reason = 'objection' AND a.external_id = r.external_id AND a.destination_id = r.destination_id`,
  )
}

async function recallFrom(parts: DeliveryParts, destinationId: string, signal: AbortSignal): Promise<number> {
  const { db } = parts
  const lease = await holdDestination(db, destinationId)
  const lost = new AbortController()
  const keeper = keepLease(db, lease, (error) => lost.abort(error))
  try {
    const row = await readDestination(db, destinationId)
    const { connector, session, limiter } = openDestination(parts, row, AbortSignal.any([signal, lost.signal]))
    // What the ledger knows by the CRM's own ids is true of this account alone.
    await verifyAccount(db, row, await session.identify())
    let settled = 0
    let after = ''
    const failures: Error[] = []
    for (;;) {
      const batch = await db.query<KnownRecord & { readonly externalId: string }>(
        `SELECT c.external_id AS "externalId", coalesce(r.crm_id, c.crm_id) AS "crmId", r.pushed_values AS "lastPushed"
         FROM deliver.recall c LEFT JOIN deliver.record r USING (destination_id, external_id)
         WHERE c.destination_id = $1 AND c.status = 'pending' AND c.external_id > $3 ORDER BY c.external_id LIMIT $2`,
        [destinationId, connector.batchSizeMax, after],
      )
      if (batch.length === 0) break
      after = batch.at(-1)?.externalId ?? after
      const ids = batch.map(({ externalId }) => externalId)
      const known = new Map(batch.map((each) => [each.externalId, each]))
      const found = await session.lookup(ids, known)
      await noteFound(db, destinationId, found)
      const kept = await keptAmong(db, destinationId, found, known)
      lost.signal.throwIfAborted()
      const restorable: Record<string, string> = {}
      const ours = ids.filter((id) => !kept.has(id))
      const tell = (externalId: string, why: string) => void Object.assign(restorable, { [externalId]: why })
      const refused = ours.length === 0 ? null : await eraseAmong(session, ours, tell, known)
      if (refused !== null) failures.push(refused.failure)
      const done = ids.filter((id) => refused?.left.has(id) !== true)
      await db.query(settleSql, [destinationId, done, JSON.stringify(restorable), [...kept]])
      settled += done.length
    }
    await limiter.flush()
    if (failures.length > 0) throw soonestOf(failures)
    return settled
  } finally {
    keeper.stop()
    await releaseLease(db, lease)
  }
}

/**
 * One record that the CRM does not let go now, as while it waits for an approval, holds up no other. @returns what is there yet, and why; null
 * where all is gone. @throws what `erase` throws where nothing went, or the CRM does not say what did.
 */
async function eraseAmong(
  session: CrmSession,
  externalIds: readonly string[],
  tell: ReportRestorable,
  known: KnownRecords,
): Promise<{ readonly left: ReadonlySet<string>; readonly failure: AppError } | null> {
  try {
    await session.erase(externalIds, tell, known)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CRM_UNAUTHORIZED') throw error
    const left = await session.lookup(externalIds, known).catch((cause: unknown) => {
      if (cause instanceof AppError) throw error
      throw cause
    })
    if (left.size === externalIds.length && externalIds.length > 1) throw error
    return { left: new Set(left.keys()), failure: error }
  }
}

/** By external id what stays, since it is theirs to delete: the customer had the record before, merged ours into another, or converted it. */
async function keptAmong(
  db: Db,
  destinationId: string,
  found: ReadonlyMap<string, Pick<LookedUp, 'crmId' | 'isTheirs'>>,
  known: KnownRecords,
): Promise<ReadonlySet<string>> {
  const adopted = await adoptedAmong(
    db,
    destinationId,
    [...found.values()].map(({ crmId }) => crmId),
  )
  const isKept = (externalId: string, { crmId, isTheirs = false }: Pick<LookedUp, 'crmId' | 'isTheirs'>) =>
    isTheirs || adopted.has(crmId) || crmId !== (known.get(externalId)?.crmId ?? crmId)
  return new Set([...found].flatMap(([externalId, record]) => (isKept(externalId, record) ? [externalId] : [])))
}

/** Before the erasure: should its answer be lost, a later attempt finds nothing, and the receipt still says what was there. */
async function noteFound(
  db: Db,
  destinationId: string,
  found: ReadonlyMap<string, { readonly crmId: string }>,
): Promise<void> {
  await db.execute(
    `UPDATE deliver.recall r SET crm_id = s.crm_id,
       answer = coalesce(r.answer, '{}') || jsonb_build_object('found', true, 'crm_id', s.crm_id)
     FROM unnest($2::text[], $3::text[]) AS s (external_id, crm_id)
     WHERE r.destination_id = $1 AND r.external_id = s.external_id AND r.status = 'pending'`,
    [destinationId, [...found.keys()], [...found.values()].map(({ crmId }) => crmId)],
  )
}

/**
 * Nobody delivers meanwhile: what was sent before is there to be erased, and what is sent later is withheld. Also of a
 * destination that is paused: to erase is owed, whatever its owner delivers.
 */
async function holdDestination(db: Db, destinationId: string): Promise<Lease> {
  const lease = { destinationId, fence: randomUUID() }
  const taken = await db.execute(
    `UPDATE deliver.destination SET leased_to = $2, leased_until = clock_timestamp() + $3 * interval '1 second'
     WHERE destination_id = $1 AND status <> 'removed' AND (leased_to IS NULL OR leased_until < clock_timestamp())`,
    [destinationId, lease.fence, leaseSeconds],
  )
  if (taken > 0) return lease
  throw new AppError('CONFLICT', 'A delivery is writing into this destination', { retry: { afterMs: busyRetryMs } })
}

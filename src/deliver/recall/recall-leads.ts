/**
 * Recalls leads from CRMs that may no longer be shared: what was sent is noted first, then erased destination by
 * destination, and the CRM's answer is stored as the receipt. A record that is already gone counts as erased. One
 * that existed before Panji, or into which people merged ours, stays theirs, and the receipt says so. A repeated run
 * only handles what is still pending; a destination that fails does not hold up the others. If a destination's
 * credentials are deleted, the customer is notified of what remains there, and it is erased once a destination leads
 * there again.
 */
import { randomUUID } from 'node:crypto'
import type { CrmSession, KnownRecord, KnownRecords, LookedUp, ReportRestorable } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import { checkSecretKey } from '../../secrets/canary.ts'
import { eraseObjected } from '../../suppression/erase-objected.ts'
import { type DeliveryParts, openDestination, readDestination } from '../destinations/open-destination.ts'
import { verifyAccount } from '../destinations/verify-account.ts'
import { keepLease, type Lease, releaseLease } from '../lease/lease.ts'
import { adoptedAmong } from '../matching/adopted-records.ts'
import { soonestOf } from './soonest.ts'

export interface RecallCounts {
  /** Records noted by this call. */
  readonly noted: number
  /** Records that are erased now, including those that were already gone. */
  readonly settled: number
}

const findSql = sqlFile(import.meta.url, 'recall-find.sql')
const settleSql = sqlFile(import.meta.url, 'recall-settle.sql')
const requestedAgainSql = sqlFile(import.meta.url, 'requested-again.sql')
const handOverSql = sqlFile(import.meta.url, 'hand-over.sql')
const giveUpSql = sqlFile(import.meta.url, 'give-up.sql')
const leaseSeconds = 12
const busyRetryMs = 3_000
const jobRetryMs = 60_000

/**
 * Recalls `c` whose record `r` a job in the CRM may still write. A job is long over after a day, also that of a paused
 * destination, whose result nobody reads.
 */
const inJob = sql`(coalesce(r.state = 'sending', false) AND EXISTS (SELECT FROM deliver.job_under_way j
  WHERE j.destination_id = c.destination_id AND j.began_at > now() - interval '1 day'))`

/**
 * @throws AppError SECRET_KEY_WRONG; or after all destinations were tried, the failure that is due for a retry first.
 */
export async function recallLeads(parts: DeliveryParts, signal: AbortSignal): Promise<RecallCounts> {
  const { db } = parts
  const noted = await db.execute(findSql)
  await forgetSent(db)
  // What was sent is noted by now, by a link that holds no personal data.
  await eraseObjected(db)
  await db.execute(handOverSql)
  // Removed destinations first: the reports of the others name what stays there.
  const destinations = await db.query<{ destinationId: string; removed: boolean }>(
    `SELECT destination_id AS "destinationId", bool_or(d.status = 'removed') AS removed
     FROM deliver.recall r JOIN deliver.destination d USING (destination_id)
     WHERE r.status = 'pending' GROUP BY 1 ORDER BY 2 DESC, 1`,
  )
  if (destinations.length > 0) await checkSecretKey(db, parts.secretKey)
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
      // The job retries; what failed stays pending with its number of attempts.
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

/** Deletes readings and sent values of people who objected right away, whatever the CRM answers. */
async function forgetSent(db: Db): Promise<void> {
  await db.execute(
    `UPDATE deliver.record r SET reading = NULL
     FROM (SELECT destination_id, external_id FROM deliver.recall c JOIN deliver.record r USING (destination_id, external_id)
       WHERE c.status = 'pending' AND c.reason = 'objection' AND r.reading IS NOT NULL
       -- All writers lock the rows in this order.
       ORDER BY destination_id, external_id FOR UPDATE OF r) AS held
     WHERE r.destination_id = held.destination_id AND r.external_id = held.external_id`,
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
    // What the ledger knows by the CRM's own ids holds for this account only.
    await verifyAccount(db, row, await session.identify())
    await db.execute(requestedAgainSql, [destinationId])
    let settled = 0
    let after = ''
    const failures: Error[] = []
    for (;;) {
      const batch = await db.query<KnownRecord & { readonly externalId: string }>(
        sql`SELECT c.external_id AS "externalId", coalesce(r.crm_id, c.crm_id) AS "crmId", r.pushed_values AS "lastPushed"
         FROM deliver.recall c LEFT JOIN deliver.record r USING (destination_id, external_id)
         WHERE c.destination_id = $1 AND c.status = 'pending' AND c.external_id > $3 AND NOT ${inJob} ORDER BY c.external_id LIMIT $2`,
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
      const report = (externalId: string, why: string) => void Object.assign(restorable, { [externalId]: why })
      const refused = ours.length === 0 ? null : await eraseAmong(session, ours, report, known)
      if (refused !== null) failures.push(refused.failure)
      const done = ids.filter((id) => refused?.left.has(id) !== true)
      await db.query(settleSql, [destinationId, done, JSON.stringify(restorable), [...kept]])
      settled += done.length
    }
    await limiter.flush()
    if (await waitsForJob(db, destinationId)) failures.push(jobGoesOn())
    if (failures.length > 0) throw soonestOf(failures)
    return settled
  } finally {
    keeper.stop()
    await releaseLease(db, lease)
  }
}

async function waitsForJob(db: Db, destinationId: string): Promise<boolean> {
  const waiting = await db.query(
    sql`SELECT FROM deliver.recall c JOIN deliver.record r USING (destination_id, external_id)
     WHERE c.destination_id = $1 AND c.status = 'pending' AND ${inJob} LIMIT 1`,
    [destinationId],
  )
  return waiting.length > 0
}

const jobGoesOn = () =>
  new AppError('CONFLICT', 'A job in the CRM may still write records that are recalled', {
    retry: { afterMs: jobRetryMs },
  })

/**
 * One record that the CRM does not release now, such as one in an approval process, does not hold up the others.
 * @returns which records remain, and why; null if all are gone. @throws what `erase` throws if nothing was erased, or
 * the CRM does not say what was.
 */
async function eraseAmong(
  session: CrmSession,
  externalIds: readonly string[],
  report: ReportRestorable,
  known: KnownRecords,
): Promise<{ readonly left: ReadonlySet<string>; readonly failure: AppError } | null> {
  try {
    await session.erase(externalIds, report, known)
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

/**
 * Why a record stays with the customer, by external id: it existed before, ours was merged into another, or it was
 * converted.
 */
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

/**
 * Noted before the erasure: if its answer is lost, a later attempt finds nothing, and the receipt still says what was
 * there.
 */
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
 * Takes the lease so that nothing is delivered during the erasure: what was sent before can be erased, and what is
 * sent later is withheld. Also works for a paused destination: erasure is owed whatever its owner delivers.
 */
async function holdDestination(db: Db, destinationId: string): Promise<Lease> {
  const lease = { destinationId, fence: randomUUID() }
  const leased = await db.execute(
    `UPDATE deliver.destination SET leased_to = $2, leased_until = clock_timestamp() + $3 * interval '1 second'
     WHERE destination_id = $1 AND status <> 'removed' AND (leased_to IS NULL OR leased_until < clock_timestamp())`,
    [destinationId, lease.fence, leaseSeconds],
  )
  if (leased > 0) return lease
  throw new AppError('CONFLICT', 'A delivery is writing into this destination', { retry: { afterMs: busyRetryMs } })
}

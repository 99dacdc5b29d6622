/**
 * The delivery ledger as the holder of a destination's lease uses it: which records are due, which are claimed, what
 * became of them. Every statement is fenced by the lease, so a holder that was presumed dead and wakes up changes
 * nothing.
 */
import type { KnownRecord, KnownRecords, OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { withholdFromLeads } from '../../suppression/withhold-leads.ts'
import { type Lease, leaseLost } from '../lease/lease.ts'
import { type CrmAnswer, deliveryTransitions, recordTransitions, stateAfterSql } from './transitions.ts'

const sql = {
  takeOver: sqlFile(import.meta.url, 'take-over.sql'),
  claim: sqlFile(import.meta.url, 'claim.sql'),
  record: sqlFile(import.meta.url, 'record.sql')
    .replace('/* state of the record */', stateAfterSql(recordTransitions, 'sending', 'a.event'))
    .replace('/* state of the delivery */', stateAfterSql(deliveryTransitions, 'pending', 'w.event')),
  settle: sqlFile(import.meta.url, 'settle.sql'),
}

/** Marks what a dead holder left in flight as unknown, and withdraws what is no longer owed. */
export async function takeOver(db: Db, { destinationId, fence }: Lease): Promise<void> {
  await db.execute(sql.takeOver, [destinationId, fence])
}

/** Attempts after which a record is sent in a smaller batch, and finally alone, so that it holds up no others. */
const tiers = [
  { from: 0, to: 2, share: 1 },
  { from: 3, to: 5, share: 0.1 },
  { from: 6, to: 2_147_483_647, share: 0 },
] as const

/** One walk through the due records in order; records before `after` are not read again. */
export interface ClaimPass {
  tier: number
  /** The external id claimed last. */
  after: string
}

export const claimPass = (): ClaimPass => ({ tier: 0, after: '' })

/** @returns the next records to send, marked as `sending`; none at the end of the pass. */
export async function claimLeads(
  db: Db,
  lease: Lease,
  batchSizeMax: number,
  pass: ClaimPass = claimPass(),
): Promise<OutgoingLead[]> {
  for (; pass.tier < tiers.length; pass.tier += 1, pass.after = '') {
    const tier = tiers[pass.tier]
    if (tier === undefined) break
    const { from, to, share } = tier
    const limit = Math.max(1, Math.floor(batchSizeMax * share))
    const { leads, last } = await claimSome(db, lease, { limit, from, to, after: pass.after })
    if (last === null) continue
    pass.after = last
    return mayLeave(db, leads)
  }
  return []
}

/** Claims as many as a job holds, of those that have not failed often. */
export async function claimFresh(db: Db, lease: Lease, limit: number): Promise<OutgoingLead[]> {
  const { leads } = await claimSome(db, lease, { limit, from: 0, to: tiers[0].to, after: '' })
  return mayLeave(db, leads)
}

/** @returns how many a job would claim, at most `limit`. */
export async function countFresh(db: Db, { destinationId }: Lease, limit: number): Promise<number> {
  const [row] = await db.query<{ due: number }>(
    `SELECT count(*)::int AS due FROM (SELECT FROM deliver.record
     WHERE destination_id = $1 AND state = 'pending' AND attempts <= $2
       AND (next_attempt_at IS NULL OR next_attempt_at <= clock_timestamp()) LIMIT $3) AS found`,
    [destinationId, tiers[0].to, limit],
  )
  return row?.due ?? 0
}

interface Claim {
  readonly limit: number
  /** Range of attempts so far. */
  readonly from: number
  readonly to: number
  readonly after: string
}

/** @returns also the last of them in the database's sort order, which may differ from JavaScript's. */
async function claimSome(
  db: Db,
  { destinationId, fence }: Lease,
  { limit, from, to, after }: Claim,
): Promise<{ readonly leads: readonly OutgoingLead[]; readonly last: string | null }> {
  const values = [destinationId, fence, limit, from, to, after]
  const rows = await db.query<OutgoingLead & { readonly last: string }>(sql.claim, values)
  // The statement claims them in order but returns them unordered.
  rows.sort((a, b) => (a.externalId < b.externalId ? -1 : 1))
  return { leads: rows.map(({ last: _last, ...lead }) => lead), last: rows[0]?.last ?? null }
}

/** With values withheld that may not be shared now, whatever the lead had when it was bought. */
async function mayLeave(db: Db, leads: readonly OutgoingLead[]): Promise<OutgoingLead[]> {
  return leads.length === 0 ? [] : withholdFromLeads(db, leads)
}

/** @throws AppError LEASE_LOST if a later holder took over the rows. */
export async function recordOutcomes(
  db: Queryable,
  { destinationId, fence }: Lease,
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
): Promise<void> {
  // If a connector breaks its contract and returns too few outcomes, the missing ones are unknown and no lead is lost.
  const rows = leads.map(({ externalId }, n) => ({ external_id: externalId, ...ledgerRow(outcomes[n]) }))
  const [row] = await db.query<{ touched: number }>(sql.record, [JSON.stringify(rows), destinationId, fence])
  if ((row?.touched ?? 0) < leads.length) throw leaseLost()
}

/** After a failed call: rows become pending if nothing was written, otherwise unknown. */
export async function giveBack(
  db: Db,
  { destinationId, fence }: Lease,
  leads: readonly OutgoingLead[],
  state: 'pending' | 'unknown',
): Promise<void> {
  // Fenced like every outcome. A call that never reached the CRM does not count as an attempt of the lead.
  await db.execute(
    `UPDATE deliver.record r SET state = $4::text, fence = NULL, updated_at = now(),
       unconfirmed = CASE $4::text WHEN 'unknown' THEN deliver.with_unconfirmed(unconfirmed, sent_item_id) ELSE unconfirmed END,
       attempts = attempts - CASE WHEN $4::text = 'pending' THEN 1 ELSE 0 END
     FROM (SELECT destination_id, external_id FROM deliver.record
       WHERE destination_id = $1 AND external_id = ANY($2::text[]) AND fence = $3 AND state = 'sending'
       -- All writers lock the rows in this order.
       ORDER BY external_id FOR UPDATE) AS held
     WHERE r.destination_id = held.destination_id AND r.external_id = held.external_id`,
    [destinationId, leads.map(({ externalId }) => externalId), fence, state],
  )
}

export async function listUnknown(db: Db, { destinationId }: Lease, limit: number): Promise<KnownRecords> {
  const rows = await db.query<KnownRecord & { readonly externalId: string }>(
    `SELECT external_id AS "externalId", crm_id AS "crmId", pushed_values AS "lastPushed" FROM deliver.record
     WHERE destination_id = $1 AND state = 'unknown' ORDER BY external_id LIMIT $2`,
    [destinationId, limit],
  )
  return new Map(rows.map((row) => [row.externalId, row]))
}

/** @throws AppError LEASE_LOST if a later holder has taken over. */
export async function settleUnknown(
  db: Db,
  { destinationId, fence }: Lease,
  externalIds: readonly string[],
  found: ReadonlyMap<string, { readonly crmId: string }>,
): Promise<void> {
  const rows = [...found].map(([externalId, { crmId }]) => ({ external_id: externalId, crm_id: crmId }))
  const settled = await db.execute(sql.settle, [destinationId, fence, externalIds, JSON.stringify(rows)])
  if (settled < externalIds.length) throw leaseLost()
}

/** True if a record is due. */
export async function somethingIsDue(db: Db, destinationId: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM deliver.record WHERE destination_id = $1 AND state IN ('pending', 'sending', 'unknown')
       AND (next_attempt_at IS NULL OR next_attempt_at <= clock_timestamp()) LIMIT 1`,
    [destinationId],
  )
  return rows.length > 0
}

function ledgerRow(
  outcome: PushOutcome | undefined,
): Readonly<Record<string, unknown>> & { readonly answer: CrmAnswer } {
  switch (outcome?.status) {
    case 'created':
    case 'updated':
    case 'unchanged':
      return {
        ...{ answer: 'acknowledged', outcome: outcome.status, crm_id: outcome.crmId, values: outcome.values },
        ...(outcome.leftOut && { error: refusalOf(outcome.leftOut) }),
        ...(outcome.againAfterMs !== undefined && { after_ms: outcome.againAfterMs }),
      }
    case 'rejected':
      return { answer: 'rejected', error: refusalOf(outcome), is_fate: outcome.isFate ?? false }
    case 'deferred':
      return { answer: 'deferred', error: refusalOf(outcome), after_ms: outcome.afterMs }
    case 'unknown':
      return { answer: 'unanswered', error: { code: 'UNKNOWN', field: null, message: outcome.message } }
    case undefined:
      return {
        answer: 'unanswered',
        error: { code: 'UNKNOWN', field: null, message: 'the connector returned no outcome' },
      }
  }
}

const refusalOf = ({ code, field, message }: { code: string; field: string | null; message: string }) => ({
  code,
  field,
  message,
})

/**
 * A bulk job in the CRM, which outlives the process that began it. The connector's state of it is stored next to the
 * lease, under the same fence as the job's records in flight, so one holder at a time continues it and a late one
 * changes nothing.
 */
import type { OutgoingLead } from '../../../connectors/contract.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { withholdFromLeads } from '../../suppression/withhold-leads.ts'
import { type Lease, leaseLost } from '../lease/lease.ts'

export interface JobUnderWay {
  /** Opaque; the connector's own state. */
  readonly kept: unknown
  readonly leads: readonly OutgoingLead[]
}

const sql = {
  takeOver: sqlFile(import.meta.url, 'take-over-job.sql'),
  keep: sqlFile(import.meta.url, 'keep-job.sql'),
  leads: sqlFile(import.meta.url, 'job-leads.sql'),
}

/** Must run before the rows of a dead holder become unknown, so that those of its job do not. */
export async function takeOverJob(db: Db, { destinationId, fence }: Lease): Promise<void> {
  await db.execute(sql.takeOver, [destinationId, fence])
}

/** @returns the job for this holder to continue; undefined if there is none, or none of its leads is in flight. */
export async function readJob(db: Db, { destinationId, fence }: Lease): Promise<JobUnderWay | undefined> {
  const [job] = await db.query<{ kept: unknown }>(
    'SELECT kept FROM deliver.job_under_way WHERE destination_id = $1 AND fence = $2',
    [destinationId, fence],
  )
  if (job === undefined) return undefined
  const leads = await withholdFromLeads(db, await db.query<OutgoingLead>(sql.leads, [destinationId, fence]))
  return leads.length === 0 ? undefined : { kept: job.kept, leads }
}

/** @param kept null: no job is in progress. @throws AppError LEASE_LOST if a later holder has taken over. */
export async function keepJob(db: Db, { destinationId, fence }: Lease, kept: object | null): Promise<void> {
  if (kept === null) return forgetJob(db, { destinationId, fence })
  if ((await db.execute(sql.keep, [destinationId, fence, JSON.stringify(kept)])) === 0) throw leaseLost()
}

/**
 * Runs in the transaction that records the outcomes. Rows that the job did not account for become unknown and are
 * looked up.
 */
export async function endJob(db: Queryable, lease: Lease): Promise<void> {
  await forgetJob(db, lease)
  await db.execute(
    `UPDATE deliver.record SET state = 'unknown', fence = NULL, updated_at = now(),
       unconfirmed = deliver.with_unconfirmed(unconfirmed, sent_item_id)
     WHERE destination_id = $1 AND fence = $2 AND state = 'sending'`,
    [lease.destinationId, lease.fence],
  )
}

async function forgetJob(db: Queryable, { destinationId, fence }: Lease): Promise<void> {
  await db.execute('DELETE FROM deliver.job_under_way WHERE destination_id = $1 AND fence = $2', [destinationId, fence])
}

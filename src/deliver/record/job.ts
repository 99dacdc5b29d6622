/**
 * A job in the CRM that outlives the process which began it. What the connector keeps of it lies beside the lease, under the
 * same fence as the records in flight with it, so one holder at a time goes on with it and a late one changes nothing.
 */
import type { OutgoingLead } from '../../../connectors/contract.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { withholdFromLeads } from '../../suppression/withhold-leads.ts'
import { type Lease, leaseLost } from '../lease/lease.ts'

export interface JobUnderWay {
  /** The connector's own. */
  readonly kept: unknown
  readonly leads: readonly OutgoingLead[]
}

const sql = {
  takeOver: sqlFile(import.meta.url, 'take-over-job.sql'),
  keep: sqlFile(import.meta.url, 'keep-job.sql'),
  leads: sqlFile(import.meta.url, 'job-leads.sql'),
}

/** Before the rows of a dead holder become unknown: those of its job do not. */
export async function takeOverJob(db: Db, { destinationId, fence }: Lease): Promise<void> {
  await db.execute(sql.takeOver, [destinationId, fence])
}

/** @returns the job that this holder is to go on with; undefined where there is none, or none of its leads is in flight. */
export async function readJob(db: Db, { destinationId, fence }: Lease): Promise<JobUnderWay | undefined> {
  const [job] = await db.query<{ kept: unknown }>(
    'SELECT kept FROM deliver.job_under_way WHERE destination_id = $1 AND fence = $2',
    [destinationId, fence],
  )
  if (job === undefined) return undefined
  const leads = await withholdFromLeads(db, await db.query<OutgoingLead>(sql.leads, [destinationId, fence]))
  return leads.length === 0 ? undefined : { kept: job.kept, leads }
}

/** @param kept null: nothing is under way. @throws AppError LEASE_LOST when a later holder has taken over. */
export async function keepJob(db: Db, { destinationId, fence }: Lease, kept: object | null): Promise<void> {
  if (kept === null) return forgetJob(db, { destinationId, fence })
  if ((await db.execute(sql.keep, [destinationId, fence, JSON.stringify(kept)])) === 0) throw leaseLost()
}

/** In the transaction that records what became of the leads. Of what the job no longer accounts for the CRM is asked. */
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

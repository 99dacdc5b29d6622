/**
 * One holder at a time writes into a destination, since CRMs refuse two concurrent upserts of one external id. The
 * lease is short and renewed while its holder lives, so that it frees up within seconds after a crash. Every
 * statement of the ledger checks its fence: a holder that returns late writes nothing.
 */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'

/** Seconds that a lease outlives its last renewal. */
const leaseSeconds = 9
const renewEveryMs = 2_000
/**
 * A CRM with this many failures in a row presumably hangs and blocks its holder. Such CRMs share a fixed number of
 * holders, so that they never occupy all delivery slots of a process.
 */
const hangsFrom = 2
const hangingMax = 2
/** Key of the advisory lock: the letters "hang" as a number. */
const hangingLock = 0x68616e67

/** True of a destination `d` that may have another holder now. */
export const mayHold = (
  d: string,
): string => sql`(${d}.failures < ${hangsFrom} OR (SELECT count(*) FROM deliver.destination h
  WHERE h.failures >= ${hangsFrom} AND h.leased_until > clock_timestamp()) < ${hangingMax})`

export interface Lease {
  readonly destinationId: string
  /** Token of this holder. */
  readonly fence: string
}

/**
 * @returns null while another holder lives, while enough hanging CRMs are held, and for a destination that accepts
 * nothing now.
 */
export async function takeLease(db: Db, destinationId: string): Promise<Lease | null> {
  const fence = randomUUID()
  const leased = await db.transaction(async (tx) => {
    // Hanging CRMs are counted under a lock: two concurrent counts would both find a free slot.
    await tx.query(
      sql`SELECT pg_advisory_xact_lock($2) FROM deliver.destination WHERE destination_id = $1 AND failures >= ${hangsFrom}`,
      [destinationId, hangingLock],
    )
    return await tx.execute(
      sql`UPDATE deliver.destination d
       SET leased_to = $2, leased_until = clock_timestamp() + $3 * interval '1 second'
       WHERE destination_id = $1 AND status IN ('active', 'broken') AND deliver.within_hours(hours, clock_timestamp())
         AND (leased_to IS NULL OR leased_until < clock_timestamp()) AND ${mayHold('d')}`,
      [destinationId, fence, leaseSeconds],
    )
  })
  return leased === 0 ? null : { destinationId, fence }
}

/** Keeps a lease alive until `stop`; `lost` is called once if another holder has taken it. */
export function keepLease(db: Db, lease: Lease, lost: (error: AppError) => void): { stop(): void } {
  // A renewal that fails with the database is retried; if the lease runs out, the fence still holds.
  const timer = setInterval(() => {
    renew(db, lease).then(
      (row) => {
        if (row === undefined) lost(leaseLost())
      },
      () => {},
    )
  }, renewEveryMs)
  return { stop: () => clearInterval(timer) }
}

/**
 * Runs before every call to the CRM. @throws AppError LEASE_LOST; CONFLICT or ACCOUNT_SUSPENDED if nothing may be
 * sent now.
 */
export async function requireLease(db: Db, lease: Lease): Promise<void> {
  const row = await renew(db, lease)
  if (!row) throw leaseLost()
  if (row.suspended) throw new AppError('ACCOUNT_SUSPENDED', accountSuspended)
  if (row.status === 'paused' || row.status === 'removed') {
    throw new AppError('CONFLICT', takesNothing(row.status, row.reason))
  }
  if (!row.open) throw new AppError('CONFLICT', outsideHours(row.hours))
}

/** @param status `paused` or `removed`: requested leads wait until a person acts. */
export const takesNothing = (status: string, reason: string | null): string =>
  status === 'removed'
    ? 'The destination was removed; nothing more is delivered there. Connect the CRM again, and push the order to the new destination.'
    : `The destination is paused: ${reason?.replace(/^paused /, '') ?? 'by request'}. Once it is resumed, delivery continues.`

export const accountSuspended = 'The account is suspended; its leads are not delivered'

/** Requested leads wait until then. */
export const outsideHours = (hours: string | null): string =>
  `The destination takes leads from ${hours?.replace('-', ' to ')} in India; the rest is delivered then`

export async function releaseLease(db: Db, { destinationId, fence }: Lease): Promise<void> {
  await db.execute(
    'UPDATE deliver.destination SET leased_to = NULL, leased_until = NULL WHERE destination_id = $1 AND leased_to = $2',
    [destinationId, fence],
  )
}

export function leaseLost(): AppError {
  return new AppError('LEASE_LOST', 'Another holder of this destination has leased over; this one wrote nothing more')
}

interface Standing {
  readonly status: string
  readonly reason: string | null
  readonly hours: string | null
  /** Within its delivery hours. */
  readonly open: boolean
  readonly suspended: boolean
}

async function renew(db: Db, { destinationId, fence }: Lease): Promise<Standing | undefined> {
  const [row] = await db.query<Standing>(
    `UPDATE deliver.destination d SET leased_until = clock_timestamp() + $3 * interval '1 second'
     WHERE destination_id = $1 AND leased_to = $2
     RETURNING status, status_reason AS reason, hours, deliver.within_hours(hours, clock_timestamp()) AS open, EXISTS (SELECT FROM access.account a WHERE a.account_id = d.account_id
       AND (a.suspended_at IS NOT NULL OR a.erased_at IS NOT NULL)) AS suspended`,
    [destinationId, fence, leaseSeconds],
  )
  return row
}

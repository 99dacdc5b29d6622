/** What became of a push so far: a count per outcome, and what holds the rest up. */
import type { Db, Queryable } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import type { StandingFailure } from './breaker.ts'
import { leadsNotReady } from './leads-ready.ts'
import { outsideHours } from './lease.ts'

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

export interface PushRecord {
  /** `queued` waits for its leads or its time, `running` for answers. */
  readonly status: 'queued' | 'running' | 'finished'
  readonly counts: PushCounts
  /** What holds its destination up now; null when nothing does. */
  readonly failure: StandingFailure | null
  /** The destination takes nothing until somebody or something mends it. */
  readonly held: boolean
}

interface StoredPush {
  readonly status: PushRecord['status']
  readonly orderId: string
  readonly destinationId: string
  readonly destinationStatus: string
  readonly statusReason: string | null
  readonly failure: StandingFailure | null
  /** Its hours, where these are not now. */
  readonly shutUntil: string | null
}

const countsSql = sqlFile(import.meta.url, 'ledger/counts.sql')

/** @throws AppError NOT_FOUND */
export async function readPush(db: Db, pushId: string): Promise<PushRecord> {
  const [push] = isUuid(pushId)
    ? await db.query<StoredPush>(
        `SELECT CASE WHEN p.status = 'queued' AND p.enrolled_through IS NOT NULL THEN 'running' ELSE p.status END AS status,
           p.order_id AS "orderId", p.destination_id AS "destinationId", d.status AS "destinationStatus",
           d.status_reason AS "statusReason", d.failure,
           CASE WHEN NOT deliver.within_hours(d.hours, clock_timestamp()) THEN d.hours END AS "shutUntil"
         FROM deliver.push p JOIN deliver.destination d USING (destination_id) WHERE p.push_id = $1`,
        [pushId],
      )
    : []
  if (!push) throw new AppError('NOT_FOUND', `There is no push ${pushId}`)
  const { status, orderId, destinationId } = push
  const counts = await countPush(db, { pushId, orderId, destinationId })
  return {
    status,
    counts,
    failure: failureOf(push),
    held: push.destinationStatus !== 'active',
  }
}

/** Every lead of the order in exactly one of the counts. */
export async function countPush(
  db: Queryable,
  { pushId, orderId, destinationId }: { pushId: string; orderId: string; destinationId: string },
): Promise<PushCounts> {
  const [row] = await db.query<Omit<PushCounts, 'order_id' | 'destination'>>(countsSql, [
    destinationId,
    orderId,
    pushId,
  ])
  if (!row) throw new Error('a count has a row')
  return { order_id: orderId, destination: destinationId, ...row }
}

function failureOf(push: StoredPush): StandingFailure | null {
  const { status, destinationStatus, statusReason, failure, shutUntil } = push
  if (destinationStatus === 'active' || destinationStatus === 'broken') {
    if (shutUntil !== null && status !== 'finished') return { code: 'CONFLICT', message: outsideHours(shutUntil) }
    if (failure) return { code: failure.code, message: failure.message }
    const waits = { code: 'LEADS_NOT_READY', message: leadsNotReady }
    return status === 'queued' ? waits : null
  }
  return { code: 'CONFLICT', message: `The destination is ${destinationStatus}: ${statusReason ?? 'by request'}` }
}

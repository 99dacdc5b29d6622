/** The progress of a push: a count per outcome, and what holds up the rest. */
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { holdUpOf, type Standing, standingSql } from '../destinations/hold-up.ts'
import type { StandingFailure } from '../lease/breaker.ts'
import { leadsNotReady } from './leads-ready.ts'

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
  /** What holds up its destination now; null if nothing does. */
  readonly failure: StandingFailure | null
  /** True if the destination accepts nothing until that is fixed. */
  readonly held: boolean
}

interface StoredPush {
  readonly status: PushRecord['status']
  readonly orderId: string
  readonly destinationId: string
  readonly standing: Standing
}

const countsSql = sqlFile(import.meta.url, '../record/counts.sql')

/** @throws AppError NOT_FOUND */
export async function readPush(db: Db, pushId: string): Promise<PushRecord> {
  const [push] = isUuid(pushId)
    ? await db.query<StoredPush>(
        sql`SELECT CASE WHEN p.status = 'queued' AND p.enqueued_through IS NOT NULL THEN 'running' ELSE p.status END AS status,
           p.order_id AS "orderId", p.destination_id AS "destinationId", ${standingSql} AS standing
         FROM deliver.push p JOIN deliver.destination d USING (destination_id)
         JOIN access.account a ON a.account_id = d.account_id WHERE p.push_id = $1`,
        [pushId],
      )
    : []
  if (!push) throw new AppError('NOT_FOUND', `There is no push ${pushId}.`)
  const { status, orderId, destinationId } = push
  const counts = await countPush(db, { pushId, orderId, destinationId })
  return {
    status,
    counts,
    failure: failureOf(push),
    held: push.standing.status !== 'active',
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

function failureOf({ status, standing }: StoredPush): StandingFailure | null {
  // Delivery hours do not hold up a finished push.
  const holdUp = holdUpOf(status === 'finished' ? { ...standing, shutUntil: null } : standing)
  return holdUp ?? (status === 'queued' ? { code: 'LEADS_NOT_READY', message: leadsNotReady } : null)
}

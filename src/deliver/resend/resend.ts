/**
 * Sends again what a destination holds: all of it, an order's, or one record. Each goes the way of every delivery, read and compared
 * first, so that what the CRM holds already is not written. With the hash of a plan it happens as planned or not at all. Run twice,
 * the second finds the records waiting.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import { entityTypes } from '../../domain/identity.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { type DeliveryParts, readDestination } from '../destinations/open-destination.ts'
import { type Approval, createdBy, takeRecords } from '../plan/approve-plan.ts'
import { requirePlan } from '../plan/plan-push.ts'
import { nothingThere, planResend } from './plan-resend.ts'
import { type ResendSelection, valuesOf } from './selection.ts'

const resendSql = fillSql(sqlFile(import.meta.url, 'resend.sql'), { chosen: sqlFile(import.meta.url, 'chosen.sql') })

/**
 * Without a plan; no CRM is asked while the caller waits.
 * @returns how many records are due. @throws AppError CONFLICT for a destination that delivers approved plans only, NOT_FOUND where
 * nothing of the order or record is there to send again.
 */
export async function resendUnplanned(
  db: Db,
  queue: JobSender,
  selection: ResendSelection,
  accountId?: string,
): Promise<number> {
  const { deliver } = await readDestination(db, selection.destinationId, accountId)
  if (deliver === 'approved') {
    throw new AppError(
      'CONFLICT',
      'This destination delivers approved plans only: plan the resend, then send with its hash',
      { extra: { reason: 'approval_required' } },
    )
  }
  return requireSome(selection, await db.transaction((tx) => resendWithin(tx, queue, selection)))
}

/** As its plan says. @throws AppError CONFLICT where the CRM or the data has moved since, and as resendUnplanned. */
export async function resendPlanned(
  parts: DeliveryParts,
  queue: JobSender,
  { hash, adopt, ...selection }: ResendSelection & Approval,
  signal: AbortSignal,
  accountId?: string,
): Promise<number> {
  const plan = await requirePlan(() => planResend(parts, selection, signal, accountId), hash)
  await takeRecords(parts, plan, adopt, signal)
  return requireSome(selection, await parts.db.transaction((tx) => resendWithin(tx, queue, selection, createdBy(plan))))
}

/** @param anew records that are made anew where somebody deleted them in the CRM. */
export async function resendWithin(
  tx: Queryable,
  queue: JobSender,
  selection: ResendSelection,
  anew: readonly string[] = [],
): Promise<number> {
  // Who names one record means that very one.
  const named = selection.record === undefined ? [] : namesOf(selection.record)
  const [row] = await tx.query<{ resent: number }>(resendSql, [...valuesOf(selection), [...anew, ...named]])
  const resent = row?.resent ?? 0
  if (resent > 0) await queue.send(tx, queues.deliverLeads, { destinationId: selection.destinationId })
  return resent
}

function requireSome({ orderId, record }: ResendSelection, resent: number): number {
  if (resent === 0 && (orderId !== undefined || record !== undefined)) throw nothingThere()
  return resent
}

const namesOf = (record: string): string[] =>
  record.includes(':') ? [record] : entityTypes.map((type) => `${type}:${record}`)

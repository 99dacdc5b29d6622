/**
 * Sends again what a destination holds: all of it, one order, or one record. Each record takes the usual path, read
 * and compared first, so that nothing is written that the CRM already has. With the hash of a plan it happens exactly
 * as planned or not at all. A second run finds the records already waiting.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import { externalIdsNamed } from '../../domain/entity-identifier.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { requireNoApproval } from '../destinations/deliver-when.ts'
import { type DeliveryParts, readDestination } from '../destinations/open-destination.ts'
import { type Approval, createdBy, takeRecords } from '../plan/approve-plan.ts'
import { requirePlan } from '../plan/plan-push.ts'
import { nothingThere, planResend } from './plan-resend.ts'
import { type ResendSelection, valuesOf } from './selection.ts'

const resendSql = fillSql(sqlFile(import.meta.url, 'resend.sql'), { chosen: sqlFile(import.meta.url, 'chosen.sql') })

/**
 * Resends without a plan; makes no call to the CRM.
 * @returns how many records are due. @throws AppError CONFLICT for a destination that delivers approved plans only,
 * NOT_FOUND if there is nothing of the order or record to send again.
 */
export async function resendUnplanned(
  db: Db,
  queue: JobSender,
  selection: ResendSelection,
  accountId?: string,
): Promise<number> {
  const { deliver } = await readDestination(db, selection.destinationId, accountId)
  requireNoApproval(deliver, 'plan the resend, then send with its hash')
  return requireSome(selection, await db.transaction((tx) => resendWithin(tx, queue, selection)))
}

/** Resends as planned. @throws AppError CONFLICT if the CRM or the data has changed since, and as resendUnplanned. */
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

/** @param anew records that are created again if a user deleted them in the CRM. */
export async function resendWithin(
  tx: Queryable,
  queue: JobSender,
  selection: ResendSelection,
  anew: readonly string[] = [],
): Promise<number> {
  // A caller who names one record wants that very one, also if it was deleted.
  const named = selection.record === undefined ? [] : externalIdsNamed(selection.record)
  const [row] = await tx.query<{ resent: number }>(resendSql, [...valuesOf(selection), [...anew, ...named]])
  const resent = row?.resent ?? 0
  if (resent > 0) await queue.send(tx, queues.deliverLeads, { destinationId: selection.destinationId })
  return resent
}

function requireSome({ orderId, record }: ResendSelection, resent: number): number {
  if (resent === 0 && (orderId !== undefined || record !== undefined)) throw nothingThere()
  return resent
}

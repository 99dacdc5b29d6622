/**
 * What a push would do, lead by lead, without writing into the CRM or the ledger. The hash covers all of it: a push
 * with that hash is refused if the CRM or the data has changed since.
 */
import { createHash } from 'node:crypto'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import { type DeliveryParts, openDestination, readDestination } from '../destinations/open-destination.ts'
import { verifyIfTurned } from '../destinations/replaced-account.ts'
import { requireLeads } from '../push/leads-ready.ts'
import { checkPush, type PushRequest } from '../push/request-push.ts'
import { type LeadToPlan, type PlannedLeads, type PlannedRow, planLeads } from './plan-leads.ts'

export interface PushPlan extends PlannedLeads {
  readonly order_id: string
  readonly destination_id: string
  /** Identifies this plan; a push with it happens exactly as planned or not at all. */
  readonly hash: string
}

const leadsSql = sqlFile(import.meta.url, 'plan-leads.sql')

/**
 * @throws AppError LEADS_NOT_READY while the leads are being built, CONFLICT if known records would be created, and
 * what requestPush and the connector throw.
 */
export async function planPush(
  parts: DeliveryParts,
  request: PushRequest,
  signal: AbortSignal,
  accountId?: string,
): Promise<PushPlan> {
  const { db } = parts
  const row = await readDestination(db, request.destinationId, accountId)
  await checkPush(db, request)
  await requireLeads(db, request.orderId)
  const open = openDestination(parts, row, signal)
  await verifyIfTurned(db, row, open)
  const leads = await db.query<LeadToPlan>(leadsSql, [request.destinationId, request.orderId])
  const planned = await planLeads(db, request.destinationId, open, leads)
  return {
    order_id: request.orderId,
    destination_id: request.destinationId,
    hash: hashOfPlan([request.orderId, request.destinationId], planned.rows),
    ...planned,
  }
}

/** @throws AppError CONFLICT if planning again now gives a different hash. */
export async function requirePlan<P extends { readonly hash: string }>(
  planNow: () => Promise<P>,
  hash: string,
): Promise<P> {
  const now = await planNow()
  if (now.hash === hash) return now
  throw new AppError('CONFLICT', 'The CRM or the data has changed since the plan was made; plan again', {
    extra: { reason: 'plan_moved', hash: now.hash },
  })
}

/** @param what the ids of what is planned: an order, a destination, a record. */
export function hashOfPlan(what: readonly (string | null)[], rows: readonly PlannedRow[]): string {
  const summary = rows.map(({ record, action, fields, reason, crm_id: crmId }) => [
    ...[record, action, fields ?? null, reason ?? null],
    ...(crmId === undefined ? [] : [crmId]),
  ])
  return createHash('sha256')
    .update(JSON.stringify([...what, summary]))
    .digest('hex')
}

/**
 * What a resend would do: every chosen record is read in the CRM, including acknowledged ones, and listed with what
 * would be written. Writes nothing, neither in the CRM nor in the ledger.
 */
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import { grouped } from '../../domain/counted.ts'
import { AppError } from '../../errors.ts'
import { type DeliveryParts, openDestination, readDestination } from '../destinations/open-destination.ts'
import { verifyIfTurned } from '../destinations/replaced-account.ts'
import { type LeadToPlan, type PlannedLeads, planLeads } from '../plan/plan-leads.ts'
import { hashOfPlan } from '../plan/plan-push.ts'
import { type ResendSelection, valuesOf } from './selection.ts'

export interface ResendPlan extends PlannedLeads {
  readonly destination_id: string
  readonly order_id: string | null
  readonly record: string | null
  /** Records that would be sent again. */
  readonly records: number
  /** Identifies this plan; a resend with it happens exactly as planned or not at all. */
  readonly hash: string
}

const leadsSql = fillSql(sqlFile(import.meta.url, 'plan-leads.sql'), {
  chosen: sqlFile(import.meta.url, 'chosen.sql'),
})

/** A plan holds all its records in memory, and reads each in the CRM. */
export const plannedMax = 10_000

/**
 * @throws AppError NOT_FOUND if there is nothing of the order or record to send again, UNPROCESSABLE if it exceeds
 * `plannedMax`, CONFLICT if known records would be created, and what the connector throws.
 */
export async function planResend(
  parts: DeliveryParts,
  selection: ResendSelection,
  signal: AbortSignal,
  accountId?: string,
  recordsMax = plannedMax,
): Promise<ResendPlan> {
  const { db } = parts
  const { destinationId, orderId = null, record = null } = selection
  const row = await readDestination(db, destinationId, accountId)
  const open = openDestination(parts, row, signal)
  const readLeads = () => db.query<LeadToPlan>(leadsSql, [...valuesOf(selection), recordsMax + 1])
  const known = await readLeads()
  if (known.length > recordsMax) throw tooMany(recordsMax)
  const leads = (await verifyIfTurned(db, row, open)) ? await readLeads() : known
  if (leads.length === 0 && (orderId !== null || record !== null)) throw nothingThere()
  const planned = await planLeads(db, destinationId, open, leads)
  return {
    destination_id: destinationId,
    order_id: orderId,
    record,
    records: leads.length,
    hash: hashOfPlan([destinationId, orderId, record], planned.rows),
    ...planned,
  }
}

const tooMany = (recordsMax: number) =>
  new AppError('UNPROCESSABLE', `More than ${grouped(recordsMax)} records; plan them order by order`, {
    extra: { reason: 'too_many_records', max: recordsMax },
  })

export const nothingThere = () => new AppError('NOT_FOUND', 'There is nothing delivered there to send again.')

/**
 * Fixes rejected rows by hand: each one that is still rejected and really changed is requested with the fix and sent
 * again. The purchased lead stays as it is, and a fix applies as long as the register has the value that was fixed. A
 * second run changes nothing.
 */
import { type LeadRow, leadColumns } from '../../../../config/lead-columns.ts'
import type { Queryable } from '../../../db/db.ts'
import { sqlFile } from '../../../db/sql-file.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { AppError } from '../../../errors.ts'
import type { JobSender } from '../../../queue/queue.ts'
import { queues } from '../../../queue/queues.ts'

export interface FixedRow {
  readonly deliveryId: string
  /** New values by column of the lead; columns that are not given stay as they are. */
  readonly values: LeadRow
}

export interface FixReport {
  /** Deliveries that changed and are retried. */
  readonly fixed: number
  /** Those whose values equal what was rejected. */
  readonly unchanged: number
  /** Those that are not rejected now, or no longer owed. */
  readonly not_rejected: number
}

/** Longest text of a cell. */
export const cellCharactersMax = 32_000

/** The identifier cannot be fixed: another identifier is another record. */
const identifiers: Readonly<Record<EntityType, string>> = { gst: 'GSTIN', company: 'CIN', director: 'DIN' }

const fixSql = sqlFile(import.meta.url, 'fix.sql')

/** @throws AppError NOT_FOUND for an unknown delivery, UNPROCESSABLE for a column that the lead does not have. */
export async function fixRejected(
  tx: Queryable,
  queue: JobSender,
  rows: readonly FixedRow[],
  accountId?: string,
): Promise<FixReport> {
  const ids = rows.map(({ deliveryId }) => deliveryId)
  if (new Set(ids).size < ids.length) throw new AppError('UNPROCESSABLE', 'A delivery is named twice.')
  const types = await readTypes(tx, ids, accountId)
  const fixes = rows.map(({ deliveryId, values }) => {
    const type = types.get(deliveryId)
    if (type === undefined) throw new AppError('NOT_FOUND', `There is no delivery ${deliveryId}.`)
    return { delivery_id: deliveryId, values: checkedRow(type, deliveryId, values) }
  })
  const found = await tx.query<{ destinationId: string; became: keyof FixReport }>(fixSql, [
    JSON.stringify(fixes),
    accountId ?? null,
  ])
  const fixed = found.filter(({ became }) => became === 'fixed')
  for (const destinationId of new Set(fixed.map((row) => row.destinationId))) {
    await queue.send(tx, queues.deliverLeads, { destinationId })
  }
  const count = (word: keyof FixReport) => found.filter(({ became }) => became === word).length
  return { fixed: fixed.length, unchanged: count('unchanged'), not_rejected: count('not_rejected') }
}

async function readTypes(tx: Queryable, ids: readonly string[], accountId: string | undefined) {
  const found = await tx.query<{ id: string; type: EntityType }>(
    `SELECT d.delivery_id AS id, split_part(d.external_id, ':', 1) AS type
     FROM deliver.delivery d JOIN deliver.destination o ON o.destination_id = d.destination_id
     WHERE d.delivery_id = ANY($1::uuid[]) AND ($2::uuid IS NULL OR o.account_id = $2)`,
    [ids, accountId ?? null],
  )
  return new Map(found.map(({ id, type }) => [id, type]))
}

/** With the column's types, and without empty texts. */
function checkedRow(type: EntityType, deliveryId: string, values: LeadRow): LeadRow {
  const columns = new Map(leadColumns[type].map((column) => [column.name, column.kind]))
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name !== identifiers[type])
      .map(([name, value]) => {
        const kind = columns.get(name)
        if (kind === undefined) throw new AppError('UNPROCESSABLE', `${deliveryId}: a lead has no column ${name}`)
        if (value === null || (typeof value === 'string' && value.trim() === '')) return [name, null]
        if (kind !== 'number') return [name, String(value)]
        const number = Number(value)
        if (Number.isFinite(number)) return [name, number]
        throw new AppError('UNPROCESSABLE', `${deliveryId}: ${name} is a number, "${value}" is none`)
      }),
  )
}

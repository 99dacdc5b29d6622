/**
 * Refused rows, fixed by hand, go in; each that is still refused and really changed is desired as it was fixed, and sent
 * again. The bought lead stays as it is, and a fix stands while the register says what was fixed. Run twice, the second
 * finds nothing changed.
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
  /** Columns of the lead as they are to be; those that are not named stay. */
  readonly values: LeadRow
}

export interface FixReport {
  /** Deliveries that changed and are tried again. */
  readonly fixed: number
  /** Those that say what was refused already. */
  readonly unchanged: number
  /** Those that are not refused now, or owed no more. */
  readonly not_rejected: number
}

/** Longest text of a cell. */
export const cellCharactersMax = 32_000

/** What a record is, nobody fixes: another identifier is another record. */
const identifiers: Readonly<Record<EntityType, string>> = { gst: 'GSTIN', company: 'CIN', director: 'DIN' }

const fixSql = sqlFile(import.meta.url, 'fix.sql')

/** @throws AppError NOT_FOUND for a delivery that is not there, UNPROCESSABLE for a column that a lead has not. */
export async function fixRejected(
  tx: Queryable,
  queue: JobSender,
  rows: readonly FixedRow[],
  accountId?: string,
): Promise<FixReport> {
  const ids = rows.map(({ deliveryId }) => deliveryId)
  if (new Set(ids).size < ids.length) throw new AppError('UNPROCESSABLE', 'A delivery is named twice.')
  const types = await readTypes(tx, ids, accountId)
  const asked = rows.map(({ deliveryId, values }) => {
    const type = types.get(deliveryId)
    if (type === undefined) throw new AppError('NOT_FOUND', `There is no delivery ${deliveryId}.`)
    return { delivery_id: deliveryId, values: checkedRow(type, deliveryId, values) }
  })
  const found = await tx.query<{ destinationId: string; became: keyof FixReport }>(fixSql, [
    JSON.stringify(asked),
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

/** As a lead holds them: no empty text, numbers where the column has numbers. */
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

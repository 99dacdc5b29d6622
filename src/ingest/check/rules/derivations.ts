/** Values that several rules derive from an identifier: its industry digits, and their vintage. */
import { sql } from '../../../db/sql.ts'
import { type CheckLayers, snake } from '../layers.ts'
import { preparedDate } from './date.ts'

/** The identifier that the key column's rule has prepared. */
export const identifierIn = (layers: CheckLayers, from: string): string => {
  layers.field(from)
  return `id_${snake(from)}`
}

/**
 * The digits over layer p: the source's own five, restoring the zero that spreadsheets strip and removing the decimals
 * that they add; otherwise those in the CIN; otherwise the source's fewer, which are a division or a group.
 */
export function digitsOf(layers: CheckLayers, from: string, prefer: string | undefined): string {
  const inside = sql`CASE WHEN length(prepared.${identifierIn(layers, from)}) = 21 THEN substr(prepared.${identifierIn(layers, from)}, 2, 5) END`
  if (prefer === undefined || !layers.has(prefer)) return inside
  const stated = sql`ingest.ascii_form(prepared.${layers.field(prefer)})`
  const whole = sql`split_part(${stated}, '.', 1)`
  return sql`coalesce(CASE WHEN ${stated} ~ '^[0-9]{4,5}(\\.0+)?$' THEN lpad(${whole}, 5, '0') END, ${inside},
    CASE WHEN ${stated} ~ '^[0-9]{1,3}(\\.0+)?$' THEN lpad(${whole}, greatest(length(${whole}), 2), '0') END)`
}

/** NIC-2008 for registrations from 2023 on, NIC-2004 before (measured: 91 % against 12 % of codes found). */
export function vintageOf(layers: CheckLayers, from: string, dateFrom: string): string {
  const id = `prepared.${identifierIn(layers, from)}`
  const date = `prepared.${preparedDate(layers, dateFrom)}`
  return sql`CASE WHEN coalesce(extract(year FROM ${date}), CASE WHEN length(${id}) = 21 THEN substr(${id}, 9, 4)::integer END)
                 >= 2023 THEN 2008 ELSE 2004 END`
}

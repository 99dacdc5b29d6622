/**
 * SQL for earlier states of records: the current row with its later changes undone, except those of runs that were
 * undone. The dates of a record's changes never decrease, because the merge skips a row that a newer snapshot changed.
 * So a field's value on a day is what the first later change of that field replaced, else the current one.
 */

import { changesOf, type HistoriedRegister } from '../../db/history-with-inserts.ts'
import { literal, sql } from '../../db/sql.ts'

export const registers = {
  company: { entity: 'company', table: 'registry.company', key: 'cin', impliesInserts: true },
  gst: { entity: 'gst', table: 'registry.gst_taxpayer', key: 'gstin', impliesInserts: true },
  director: { entity: 'director', table: 'registry.director', key: 'din', impliesInserts: true },
  directorship: { entity: 'directorship', table: 'registry.directorship', key: 'id', impliesInserts: true },
  contact: { entity: 'contact', table: 'registry.contact', key: 'id', impliesInserts: true },
} as const satisfies Record<string, HistoriedRegister>

/**
 * The register's rows as of the day `$2`, as a subquery with the table's columns. Rows not known by then are missing.
 * `condition` refers to the current row `p` and may only use columns that never change. name_key and the bookkeeping
 * columns except closed_on keep their current values.
 */
export const rowsAsOf = ({ entity, table, key, impliesInserts }: HistoriedRegister, condition: string): string => sql`(
  SELECT past.* FROM ${table} p
  CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(p) || ${undone(entity, `p.${key}`, sql`h.as_of > $2::date AND ${inEffect}`)}) past
  WHERE ${condition} AND (${impliesInserts ? 'p.insert_change_id IS NOT NULL AND p.as_of <= $2::date OR ' : ''}EXISTS (
    SELECT FROM ingest.change h
    WHERE h.entity = ${literal(entity)} AND h.identifier = p.${key} AND h.as_of <= $2::date AND ${inEffect})))`

/**
 * The rows that the changes `$1` of the records `$2` inserted: `change_id` and the row as `first`. If the run was
 * undone, the row is the one that was then removed from the register, else the current one, with the changes in between
 * undone.
 */
export const firstRows = (register: HistoriedRegister): string => sql`
  SELECT i.change_id, coalesce(gone.before, to_jsonb(p)) || ${undone(
    register.entity,
    'i.identifier',
    'h.change_id > i.change_id AND (gone.change_id IS NULL OR h.change_id < gone.change_id)',
  )} AS first
  FROM ${changesOf(register)} i
    LEFT JOIN LATERAL (
      SELECT w.change_id, w.before FROM ingest.change w
      WHERE w.entity = i.entity AND w.identifier = i.identifier AND w.kind = 'withdraw' AND w.change_id > i.change_id
      ORDER BY w.change_id LIMIT 1) gone ON true
    LEFT JOIN ${register.table} p ON p.${register.key} = i.identifier
  WHERE i.identifier = ANY($2::text[]) AND i.change_id = ANY($1::bigint[])`

/** An undone run and the run that undid it cancel each other out: their changes `h` say nothing about the past. */
export const inEffect = `NOT EXISTS (SELECT FROM ingest.run cancelled WHERE cancelled.run_id = h.run_id
                        AND (cancelled.undone_by IS NOT NULL OR cancelled.undo IS NOT NULL))`

const undone = (entity: string, identifier: string, later: string): string => sql`
  coalesce((
    SELECT jsonb_object_agg(earliest.field, earliest.value) FROM (
      SELECT DISTINCT ON (found.key) found.key AS field, found.value
      FROM ingest.change h CROSS JOIN LATERAL jsonb_each(h.before) found
      WHERE h.entity = ${literal(entity)} AND h.identifier = ${identifier} AND ${later}
      ORDER BY found.key, h.change_id) earliest), '{}')`

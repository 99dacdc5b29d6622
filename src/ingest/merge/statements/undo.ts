/**
 * Undoes the changes of some runs. The temporary table `undoing` has the records that they changed, each with the first
 * of those changes. Parameters: $1 run_id of the undoing run, $2 its day, $3 the runs being undone.
 */

import type { Source } from '../../../../config/sources/source.ts'
import { changesOf } from '../../../db/history-with-inserts.ts'
import { literal, sql } from '../../../db/sql.ts'
import { scopeOf } from './target.ts'

/** Columns about the row rather than the record. */
export const bookkeeping = [
  ...['first_run_id', 'last_run_id', 'as_of', 'fingerprint'],
  ...['insert_change_id', 'insert_record_no'],
] as const

/** True for a change `h` of a run that neither was undone nor undoes another. */
export const inEffect = (change: string): string =>
  sql`NOT EXISTS (SELECT FROM ingest.run cancelled WHERE cancelled.run_id = ${change}.run_id
               AND (cancelled.undone_by IS NOT NULL OR cancelled.undo IS NOT NULL))`

/** Joins to a record `t` the change in effect that gave it the present value of a column, as `latest`. */
export const latestGiving = (source: Source, column: string): string => sql`
    CROSS JOIN LATERAL (
      SELECT h.change_id, h.kind, h.before, h.after FROM ${changesOf(source)} h
      WHERE h.identifier = t.${source.key} AND (h.kind = 'insert' OR h.after ? ${literal(column)}) AND ${inEffect('h')}
      ORDER BY h.change_id DESC LIMIT 1) latest`

/** Fills `undoing`. */
export const findUndoing = (source: Source): string => sql`
INSERT INTO undoing (record_key, first_change, entered)
SELECT h.identifier, min(h.change_id), (array_agg(h.kind ORDER BY h.change_id))[1] = 'insert'
FROM ${changesOf(source, '= ANY ($1::bigint[])')} h
GROUP BY h.identifier`

/**
 * The later effective runs that changed one of a run's records, or confirmed it: a delta found it as it is, or a full
 * file of its partition, there or still absent. Each with one such record. $1 the run, $2 the maximum number.
 */
export const findOverlaying = (source: Source): string => sql`
WITH touched AS (
  SELECT h.identifier, max(h.change_id) AS change_id
  FROM ${changesOf(source, '= $1::bigint')} h GROUP BY h.identifier
), overlaid AS (
  SELECT later.run_id, later.identifier
  FROM touched
    JOIN ingest.change later ON later.entity = ${literal(source.entity)} AND later.identifier = touched.identifier
                            AND later.change_id > touched.change_id
  WHERE later.run_id <> $1::bigint AND ${inEffect('later')}
  UNION ALL
  SELECT later.run_id, touched.identifier
  FROM ingest.run target
    CROSS JOIN touched
    JOIN ingest.confirmation seen ON seen.entity = ${literal(source.entity)} AND seen.identifier = touched.identifier
    JOIN ingest.run later ON later.run_id = ANY (seen.run_id || seen.others) AND later.turn > target.turn
  WHERE target.run_id = $1::bigint
  UNION ALL
  SELECT seen.run_id, touched.identifier
  FROM ingest.run target
    JOIN ingest.run seen ON seen.source = target.source AND seen.status = 'succeeded' AND seen.mode = 'snapshot'
                        AND seen.undo IS NULL AND seen.undone_by IS NULL AND seen.as_of >= target.as_of
                        AND seen.turn > target.turn
    CROSS JOIN touched
    JOIN ${source.table} t ON t.${source.key} = touched.identifier AND coalesce(${scopeOf(source)}, '*') = ANY (seen.scopes)
  WHERE target.run_id = $1::bigint
)
SELECT run_id, min(identifier) AS record FROM overlaid GROUP BY run_id ORDER BY run_id LIMIT $2`

/** Records that the runs inserted leave the register; their rows stay in the history. */
export function withdrawStatement({ entity, table, key }: Source): string {
  return sql`
WITH gone AS (
  DELETE FROM ${table} t USING undoing WHERE t.${key} = undoing.record_key AND undoing.entered
  RETURNING t.${key} AS record_key, to_jsonb(t) - ARRAY[${bookkeeping.map(literal).join(', ')}] AS before
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before)
  SELECT ${literal(entity)}, record_key, $1::bigint, 'withdraw', $2::date, before FROM gone
)
SELECT count(*) AS rows FROM gone`
}

/**
 * All other records get back, field by field, the values before the first of the changes, and the day and run of the
 * previous change. The row that they were written from is no longer known, so the next snapshot checks them in full.
 */
export function restoreStatement(source: Source): string {
  const { entity, table, key } = source
  const columns = Object.entries(source.columns).filter(([name]) => name !== key)
  const restored = [
    ...columns.map(([name, rule]) =>
      rule.kind === 'name-key'
        ? sql`${name} = registry.name_key(coalesce(${[...rule.of.map((of) => `(found.past).${of}`), `''`].join(', ')}))`
        : `${name} = (found.past).${name}`,
    ),
    'closed_on = (found.past).closed_on',
  ]
  return sql`
WITH earliest AS (
  SELECT DISTINCT ON (h.identifier, field.key) h.identifier, field.key, field.value
  FROM undoing
    JOIN ingest.change h ON h.entity = ${literal(entity)} AND h.identifier = undoing.record_key
                        AND h.change_id >= undoing.first_change AND h.run_id = ANY ($3::bigint[])
    CROSS JOIN LATERAL jsonb_each(h.before) field
  WHERE NOT undoing.entered
  ORDER BY h.identifier, field.key, h.change_id
), target AS (
  SELECT identifier, jsonb_object_agg(key, value) AS before FROM earliest GROUP BY identifier
), found AS MATERIALIZED (
  SELECT t.${key} AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         target.before AS values, jsonb_populate_record(t, target.before) AS past, prior.run_id, prior.as_of,
         (SELECT jsonb_object_agg(now.key, now.value) FROM jsonb_each(to_jsonb(t)) now WHERE target.before ? now.key) AS present
  FROM target
    JOIN undoing ON undoing.record_key = target.identifier
    JOIN ${table} t ON t.${key} = target.identifier
    LEFT JOIN LATERAL (
      SELECT h.run_id, h.as_of FROM ingest.change h
      WHERE h.entity = ${literal(entity)} AND h.identifier = target.identifier AND h.change_id < undoing.first_change
        AND ${inEffect('h')}
      ORDER BY h.change_id DESC LIMIT 1) prior ON true
), restored AS (
  UPDATE ${table} t
  SET ${restored.join(',\n      ')},
      fingerprint = NULL, last_run_id = coalesce(found.run_id, t.last_run_id), as_of = coalesce(found.as_of, t.as_of)
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING found.closed_before, t.closed_on
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT ${literal(entity)}, record_key, $1::bigint,
         CASE WHEN closed_before IS NULL AND (past).closed_on IS NOT NULL THEN 'close'
              WHEN closed_before IS NOT NULL AND (past).closed_on IS NULL THEN 'reopen' ELSE 'update' END,
         $2::date, present, values
  FROM found
)
SELECT count(*) AS rows, count(*) FILTER (WHERE closed_before IS NULL AND closed_on IS NOT NULL) AS closed FROM restored`
}

/** Inserts new records and writes changed ones. */

import { literal, sql } from '../../../db/sql.ts'
import { isLater } from './confirm.ts'
import type { Column, MergeTarget } from './target.ts'

/**
 * The checked rows to be written: new ones, those that differ, and those of closed records; $2 and $3 as in all
 * statements.
 */
export function foundRows({ source, checked, columns, search, scope, usable }: MergeTarget): string {
  const { table, key } = source
  const differs = columns.map(({ name, next: value }) => sql`t.${name} IS DISTINCT FROM ${value}`)
  const isNew = sql`t.${key} IS NULL`
  return sql`
  SELECT c.${key} AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.closed_on AS closed_before,
         ${[...columns.map(({ name, next: value }) => sql`${value} AS ${name}`), ...(search ? [sql`${search.next} AS ${search.name}`] : [])].join(', ')},
         c.fingerprint, c.ordinal,
         ${changedFields(key, columns, (column) => `t.${column.name}`)} AS before,
         ${changedFields(key, columns, (column) => column.next)} AS after
  FROM ${checked} c LEFT JOIN ${table} t ON t.${key} = c.${key}
  WHERE ${usable}
    AND (${isNew} OR NOT (coalesce(${scope}, '*') = ANY($3::text[]))
                 AND (${['t.closed_on IS NOT NULL', ...differs].join(' OR ')}) AND NOT (${isLater(source)}))`
}

export function writeStatement(target: MergeTarget): string {
  const { source, written, columns, search, all } = target
  const { table, key } = source
  return sql`
-- Invariant: an identifier is inserted into the register once. A row is written only if a covered column changed or a
-- closed record reappeared. Each write adds exactly one history row, with the changed fields before and after if there
-- was a record. A row that a newer file changed or a newer delta confirmed is skipped, and so is one that a newer
-- snapshot of its own partition contained, whatever partition an older file claims for it. The source's advisory lock excludes other
-- writers of the register, so neither the absence of a row nor its place can become stale. ctids are unique only within
-- one physical partition of the table. New rows are sorted by key, so that the indexes are filled in order.
WITH found AS MATERIALIZED (${foundRows(target)}
), updated AS (
  UPDATE ${table} t
  SET ${[...columns.map(({ name }) => name), ...(search ? [search.name] : [])].map((name) => `${name} = found.${name}`).join(', ')},
      fingerprint = found.fingerprint, closed_on = NULL, last_run_id = $1::bigint, as_of = $2::date
  FROM found WHERE t.ctid = found.place AND t.tableoid = found.stored_in
  RETURNING 1
), inserted AS (
  INSERT INTO ${table} AS t (${all.join(', ')})
  SELECT ${[...written.map((name) => (name === key ? 'record_key' : name)), ...(search ? [search.name] : [])].join(', ')},
         fingerprint, $1::bigint, $1::bigint, $2::date
  FROM found WHERE place IS NULL ORDER BY record_key
  RETURNING 1
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no, before, after)
  SELECT ${literal(source.entity)}, record_key, $1::bigint,
         CASE WHEN place IS NULL THEN 'insert' WHEN closed_before IS NULL THEN 'update' ELSE 'reopen' END, $2::date, ordinal,
         before || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('closed_on', closed_before) END,
         after || CASE WHEN closed_before IS NULL THEN '{}'::jsonb ELSE '{"closed_on": null}'::jsonb END
  FROM found
)
SELECT (SELECT count(*) FROM inserted) AS inserted, (SELECT count(*) FROM updated) AS updated`
}

/**
 * The changed fields of an existing row, as one object. It is composed as text, because building objects of all fields
 * and removing the unchanged ones takes several times as long as the rest of the statement.
 */
const changedFields = (key: string, columns: readonly Column[], value: (column: Column) => string): string =>
  sql`CASE WHEN t.${key} IS NOT NULL THEN ('{' || concat_ws(',', ${columns
    .map(
      (column) =>
        sql`CASE WHEN t.${column.name} IS DISTINCT FROM ${column.next}
              THEN ${literal(`"${column.name}":`)} || coalesce(to_json(${value(column)})::text, 'null') END`,
    )
    .join(', ')}) || '}')::jsonb END`

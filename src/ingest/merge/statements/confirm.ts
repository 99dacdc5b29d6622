/**
 * A delta sets the day of the records that it writes. For those that it finds as they are, the day is stored beside the
 * register (`ingest.confirmation`), for nothing about the record has changed.
 */
import type { Source } from '../../../../config/sources/source.ts'
import { literal, sql } from '../../../db/sql.ts'
import type { MergeTarget } from './target.ts'

/** True for a record that a delta of a later day than `asOf` found as it is. */
export const confirmedLater = (entity: string, identifier: string, asOf: string): string =>
  sql`EXISTS (SELECT FROM ingest.confirmation seen
              WHERE seen.entity = ${literal(entity)} AND seen.identifier = ${identifier} AND seen.as_of > ${asOf})`

/** True for a record `t` that a file of a later day wrote, or a delta of a later day found as it is. */
export const isLater = ({ entity, key }: Source): string =>
  sql`t.as_of > $2::date OR ${confirmedLater(entity, sql`t.${key}`, sql`$2::date`)}`

/** Parameters as in all statements. Runs after the rows were written. */
export function confirmStatement({ source, checked, scope, usable }: MergeTarget): string {
  const { entity, table, key } = source
  return sql`
-- Invariant: the day of a confirmation never decreases, and is later than that of the record and of its partition.
INSERT INTO ingest.confirmation AS known (entity, identifier, run_id, as_of)
SELECT ${literal(entity)}, t.${key}, $1::bigint, $2::date
FROM ${checked} c JOIN ${table} t ON t.${key} = c.${key}
WHERE ${usable} AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint AND t.as_of < $2::date
  AND NOT EXISTS (SELECT FROM ingest.scope s
                  WHERE s.source = ${literal(source.name)} AND s.scope = coalesce(${scope}, '*') AND s.as_of >= $2::date)
ON CONFLICT (entity, identifier) DO UPDATE SET run_id = excluded.run_id, as_of = excluded.as_of
WHERE known.as_of < excluded.as_of`
}

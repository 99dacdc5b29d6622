/**
 * A delta sets the day of the records that it writes. For those that it finds as they are, the day is stored beside the
 * register (`ingest.confirmation`), for nothing about the record has changed.
 */
import type { Source } from '../../../../config/sources/source.ts'
import { literal, sql } from '../../../db/sql.ts'
import type { MergeTarget } from './target.ts'

/** Runs that are kept beside the newest; an undo concerns the last few. */
const othersMax = 8

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
ON CONFLICT (entity, identifier) DO UPDATE
SET run_id = CASE WHEN known.as_of < excluded.as_of THEN excluded.run_id ELSE known.run_id END,
    others = (CASE WHEN known.as_of < excluded.as_of THEN known.run_id ELSE excluded.run_id END || known.others)[1:${othersMax}],
    as_of = greatest(known.as_of, excluded.as_of)`
}

/** What is left of confirmations when runs no longer count. $1 those runs. */
export const forgetConfirmations = ({ entity }: Source): string => sql`
WITH kept AS (
  SELECT seen.identifier, array_agg(r.run_id ORDER BY r.as_of DESC, r.run_id DESC) AS runs, least(max(r.as_of), seen.as_of) AS as_of
  FROM ingest.confirmation seen
    CROSS JOIN LATERAL unnest(seen.run_id || seen.others) AS confirmed(run_id)
    JOIN ingest.run r ON r.run_id = confirmed.run_id
  WHERE seen.entity = ${literal(entity)} AND (seen.run_id || seen.others) && $1::bigint[] AND r.run_id <> ALL ($1::bigint[])
  GROUP BY seen.identifier, seen.as_of
), reduced AS (
  -- Invariant: a lowered day stays lowered.
  UPDATE ingest.confirmation seen SET run_id = kept.runs[1], others = kept.runs[2:], as_of = kept.as_of
  FROM kept WHERE seen.entity = ${literal(entity)} AND seen.identifier = kept.identifier
)
DELETE FROM ingest.confirmation seen
WHERE seen.entity = ${literal(entity)} AND (seen.run_id || seen.others) && $1::bigint[]
  AND NOT EXISTS (SELECT FROM kept WHERE kept.identifier = seen.identifier)`

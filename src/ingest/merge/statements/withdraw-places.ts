/**
 * Removes what rows of the PIN directory provided to the records of a register, after an undo removed those rows. A
 * district came only from them if no remaining row gives it, the record's own address does not name it, and the record
 * has had it since they were loaded. The record gets back the value before that change; a record that is newer, or
 * whose address changed with it, gets the district that the remaining rows give to its PIN. If they have none, the next
 * import of its row provides the value. Parameters: $1 run_id of the undoing run, $2 its day. `undoing` has the rows of
 * the directory.
 */
import type { Source } from '../../../../config/sources/source.ts'
import { literal, sql } from '../../../db/sql.ts'
import { latestGiving } from './undo.ts'

/** Columns that the directory fills. */
const filled = ['district', 'city', 'state'] as const

export const hasPlaces = ({ place, columns }: Source): boolean =>
  place !== undefined && [...filled, 'pincode'].every((name) => columns[name]?.kind === 'place')

export function withdrawPlacesStatement(source: Source): string {
  const { entity, table, key } = source
  const addresses = addressColumns(source)
  const names = (column: string) => sql`strpos(lower(coalesce(t.${column}, '')), lower(gone.district)) = 0`
  const moved = ['pincode', ...addresses].map((column) => sql`latest.before ? ${literal(column)}`)
  return sql`
WITH gone AS MATERIALIZED (
  SELECT undoing.first_change, taken.pincode, taken.district
  FROM ingest.change w
    JOIN undoing ON undoing.record_key = w.identifier
    LEFT JOIN reference.pincode closed ON closed.id = w.identifier
    CROSS JOIN LATERAL (SELECT coalesce(closed.pincode, w.before ->> 'pincode') AS pincode,
                               coalesce(closed.district, w.before ->> 'district') AS district) taken
  WHERE w.entity = 'pincode' AND w.run_id = $1::bigint AND w.kind IN ('withdraw', 'close') AND taken.district <> ''
    AND NOT EXISTS (SELECT FROM reference.pincode p
                    WHERE p.closed_on IS NULL AND p.pincode = taken.pincode AND p.district = taken.district)
), given AS MATERIALIZED (
  SELECT DISTINCT ON (t.${key}) t.${key} AS record_key, t.tableoid AS stored_in, t.ctid AS place, t.pincode, t.district, t.city, t.state,
         latest.after, CASE WHEN latest.kind <> 'insert' AND NOT (${moved.join(' OR ')}) THEN latest.before END AS before
  FROM gone
    JOIN ${table} t ON t.pincode = gone.pincode AND t.district = gone.district${latestGiving(source, 'district')}
  WHERE latest.change_id > gone.first_change${addresses.map((column) => sql` AND ${names(column)}`).join('')}
), past AS MATERIALIZED (
  SELECT given.*, CASE WHEN before IS NULL THEN remaining.district ELSE before ->> 'district' END AS past_district,
         CASE WHEN city IS DISTINCT FROM given.district THEN city WHEN before IS NULL THEN remaining.district
              WHEN before ? 'city' THEN before ->> 'city' ELSE city END AS past_city,
         CASE WHEN before ? 'state' AND before ->> 'state' IS NULL AND after ->> 'state' = state THEN NULL ELSE state END AS past_state
  FROM given LEFT JOIN LATERAL (
    SELECT p.district FROM reference.pincode p
    WHERE p.closed_on IS NULL AND p.pincode = given.pincode AND p.state = given.state AND p.district <> ''
    ORDER BY p.offices DESC, p.id LIMIT 1) remaining ON true
), restored AS (
  UPDATE ${table} t SET district = past_district, city = past_city, state = past_state, fingerprint = NULL
  FROM past WHERE t.ctid = past.place AND t.tableoid = past.stored_in
  RETURNING past.record_key, jsonb_build_object('district', past.district, 'city', past.city, 'state', past.state) AS present,
    jsonb_build_object('district', past_district, 'city', past_city, 'state', past_state) AS earlier
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT ${literal(entity)}, record_key, $1::bigint, 'update', $2::date,
         (SELECT jsonb_object_agg(key, value) FROM jsonb_each(present) WHERE value IS DISTINCT FROM earlier -> key),
         (SELECT jsonb_object_agg(key, value) FROM jsonb_each(earlier) WHERE value IS DISTINCT FROM present -> key)
  FROM restored
)
SELECT count(*) AS rows FROM restored`
}

/** The columns in which a record names its own place. */
function addressColumns({ place, columns }: Source): string[] {
  return Object.entries(columns).flatMap(([name, rule]) => {
    const isText = rule.kind === 'text' && rule.from === place?.address
    return isText || rule.kind === 'address' ? [name] : []
  })
}

/** Closes the records of the temporary table `closing`. */

import type { Source } from '../../../../config/sources/source.ts'
import { literal, sql } from '../../../db/sql.ts'

export function closeStatement({ entity, table, key }: Source): string {
  return sql`
-- Invariant: only open records are closed, each with one history row.
WITH closed AS (
  UPDATE ${table} t SET closed_on = $2::date, last_run_id = $1::bigint, as_of = $2::date
  FROM closing WHERE t.${key} = closing.record_key AND t.closed_on IS NULL
  RETURNING t.${key} AS record_key
), history AS (
  INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, before, after)
  SELECT ${literal(entity)}, record_key, $1::bigint, 'close', $2::date, '{"closed_on": null}',
         jsonb_build_object('closed_on', $2::date)
  FROM closed
)
SELECT count(*) AS rows FROM closed`
}

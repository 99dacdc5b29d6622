/** Fills the temporary table `closing` with the records that a snapshot should contain but does not. */

import type { Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import { confirmedLater } from './confirm.ts'
import { scopeOf } from './target.ts'

/**
 * SQL for the snapshot's day and for the partitions that it may close: literals rather than parameters, for the
 * statement creates a table.
 */
export interface AbsentBounds {
  readonly asOf: string
  readonly scopes: string
}

/**
 * @param unmatched table of the open records that no row of the file matched; without it, every open record may be
 *   absent.
 */
export function absentStatement(
  source: Source,
  checked: string,
  { asOf, scopes }: AbsentBounds,
  unmatched?: string,
): string {
  const { entity, table, key } = source
  const absent =
    unmatched ??
    sql`(SELECT ${key} AS record_key, ${scopeOf(source)} AS scope_name, as_of FROM ${table} t WHERE closed_on IS NULL)`
  return sql`
-- A record that is in the file is not absent, even if its line was rejected: neither one whose identifier the check
-- could read, nor one whose identifier occurs in a reject's raw text.
CREATE TEMPORARY TABLE closing ON COMMIT DROP AS
SELECT absent.record_key, absent.scope_name
FROM ${absent} absent
WHERE absent.as_of <= ${asOf} AND absent.scope_name = ANY(${scopes})
  AND NOT EXISTS (SELECT FROM ${checked} c WHERE c.${key} = absent.record_key)
  AND NOT ${confirmedLater(entity, 'absent.record_key', asOf)}`
}

/** Fills the temporary table `closing` with the records that a snapshot should hold and does not. */
import type { Source } from '../../../../config/sources/source.ts'
import { scopeOf } from './target.ts'

/**
 * `:as_of` and `:scopes` are to be replaced by literals: a statement that makes a table takes no parameters.
 *
 * @param unmatched table of the open records that no row of the file matched; without it every open record may be absent.
 */
export function absentStatement(source: Source, checked: string, unmatched?: string): string {
  const { table, key } = source
  const absent =
    unmatched ??
    `(SELECT ${key} AS record_key, ${scopeOf(source)} AS scope_name, as_of FROM ${table} t WHERE closed_on IS NULL)`
  return `
-- A record that stands in the file is not absent, even where its line was rejected: neither one whose identifier the
-- check could read, nor one whose identifier occurs in a reject's raw text.
CREATE TEMPORARY TABLE closing ON COMMIT DROP AS
SELECT absent.record_key, absent.scope_name
FROM ${absent} absent
WHERE absent.as_of <= :as_of AND absent.scope_name = ANY(:scopes)
  AND NOT EXISTS (SELECT FROM ${checked} c WHERE c.${key} = absent.record_key)`
}

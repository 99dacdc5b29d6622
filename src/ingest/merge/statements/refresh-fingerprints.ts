/** Writes the new fingerprints of rows whose content is unchanged. */
import { sql } from '../../../db/sql.ts'
import { isLater } from './confirm.ts'
import type { MergeTarget } from './target.ts'

/** $4 is the maximum number of rows to write. */
export function refreshFingerprints({ source, checked, scope, usable }: MergeTarget): string {
  const { table, key } = source
  return sql`
-- Rows with the same content in other words, or checked by other rules, will be recognized by their new fingerprint. No
-- content changes, so no history. A row that was held back may differ from the record, and is not one of these. Limited,
-- because a re-exported file would rewrite the whole register.
UPDATE ${table} t SET fingerprint = same.fingerprint
FROM (SELECT t.${key} AS record_key, c.fingerprint
      FROM ${table} t JOIN ${checked} c ON c.${key} = t.${key}
      WHERE ${usable} AND t.closed_on IS NULL AND t.last_run_id <> $1::bigint
        AND NOT (${isLater(source)}) AND NOT (coalesce(${scope}, '*') = ANY($3::text[]))
        AND t.fingerprint IS DISTINCT FROM c.fingerprint
      LIMIT $4::bigint) same
WHERE t.${key} = same.record_key`
}

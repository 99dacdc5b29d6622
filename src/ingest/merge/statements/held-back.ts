/** Counts what a merge skips because the register, or the row's partition, has a later day. */
import { sql } from '../../../db/sql.ts'
import { isLater } from './confirm.ts'
import type { MergeTarget } from './target.ts'

/** Among the checked rows: the complement of what the write statement selects. */
export function heldBack({ source, checked, scope }: MergeTarget): string {
  const { table, key } = source
  return sql`
SELECT count(*) AS rows, ${staleOf(['c.scope_name', scope])} AS scopes
FROM ${checked} c LEFT JOIN ${table} t ON t.${key} = c.${key}
WHERE c.fault IS NULL AND t.last_run_id IS DISTINCT FROM $1::bigint
  AND (coalesce(c.scope_name, '*') = ANY($3::text[])
       OR t.${key} IS NOT NULL AND (${isLater(source)} OR coalesce(${scope}, '*') = ANY($3::text[])))`
}

/** Among the rows found unchanged: the open records matched by one of them and not named by a checked row. */
export function heldBackMatched({ source, checked, scope }: MergeTarget, unmatched: string): string {
  const { table, key } = source
  return sql`
SELECT count(*) AS rows, ${staleOf([scope])} AS scopes
FROM ${table} t
WHERE t.closed_on IS NULL AND t.last_run_id <> $1::bigint
  AND (${isLater(source)} OR coalesce(${scope}, '*') = ANY($3::text[]))
  AND NOT EXISTS (SELECT FROM ${unmatched} u WHERE u.record_key = t.${key})
  AND NOT EXISTS (SELECT FROM ${checked} c WHERE c.${key} = t.${key} AND c.fault IS NULL)`
}

/** The partitions with a later day. */
const staleOf = (scopes: readonly string[]): string =>
  scopes
    .map(
      (scope) =>
        sql`coalesce(array_agg(DISTINCT coalesce(${scope}, '*')) FILTER (WHERE coalesce(${scope}, '*') = ANY($3::text[])), '{}')`,
    )
    .join(' || ')

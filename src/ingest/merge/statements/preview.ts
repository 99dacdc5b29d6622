/**
 * The statements of a preview: what the write statement finds, counted and shown instead of written. The parameters are
 * the same and all have to occur, so the run is mentioned without having an effect.
 */
import { literal, sql } from '../../../db/sql.ts'
import type { MergeTarget } from './target.ts'
import { bookkeeping } from './undo.ts'
import { foundRows } from './write.ts'

/** Per partition of the file. */
export const scopesFound = (target: MergeTarget): string => sql`
WITH found AS MATERIALIZED (${foundRows(target)})
SELECT coalesce(c.scope_name, '*') AS scope, count(*) FILTER (WHERE found.place IS NULL) AS inserted,
       count(*) FILTER (WHERE found.place IS NOT NULL) AS updated
FROM found JOIN ${target.checked} c ON c.${target.source.key} = found.record_key AND c.fault IS NULL
WHERE $1::bigint IS NOT NULL GROUP BY 1`

/** $4 examples of each kind: new records with their fields, changed ones with the changed fields before and after. */
export const sampleFound = (target: MergeTarget): string => sql`
WITH found AS MATERIALIZED (${foundRows(target)})
(SELECT found.record_key AS identifier,
        jsonb_strip_nulls(jsonb_build_object(${target.columns.map(({ name }) => sql`${literal(name)}, found.${name}`).join(', ')})) AS fields,
        NULL::jsonb AS before, NULL::jsonb AS after
 FROM found WHERE place IS NULL AND $1::bigint IS NOT NULL ORDER BY record_key LIMIT $4)
UNION ALL
(SELECT found.record_key, NULL, found.before || jsonb_build_object('closed_on', found.closed_before),
        CASE WHEN found.closed_before IS NULL THEN found.after ELSE found.after || '{"closed_on": null}' END
 FROM found WHERE place IS NOT NULL ORDER BY record_key LIMIT $4)`

/** $1 records of the temporary table \closing. */
export const sampleClosed = ({ source }: MergeTarget): string => sql`
SELECT closing.record_key AS identifier, closing.scope_name AS scope,
       jsonb_strip_nulls(to_jsonb(t)) - ARRAY[${[...bookkeeping, 'name_key'].map(literal).join(', ')}] AS fields
FROM closing JOIN ${source.table} t ON t.${source.key} = closing.record_key
ORDER BY closing.record_key LIMIT $1`

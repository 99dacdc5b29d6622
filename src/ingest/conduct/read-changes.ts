/** Which records a run changed, a page at a time, in the order in which it wrote them; what they held, the record's history says. */
import { sources } from '../../../config/sources/index.ts'
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { changesOf } from '../../db/told-changes.ts'
import { getRun } from '../run/runs.ts'

export const changeKinds = ['insert', 'update', 'close', 'reopen', 'withdraw'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface RunChange {
  readonly change_id: number
  readonly entity: string
  readonly identifier: string
  readonly kind: ChangeKind
  readonly fields: readonly string[]
}

export interface ChangesAsked {
  /** Of one record alone. */
  readonly identifier?: string | undefined
  readonly kind?: ChangeKind | undefined
  /** The last one that was shown. */
  readonly after: number
  readonly limit: number
}

/** @throws AppError NOT_FOUND for a run that there never was. */
export async function readChanges(
  db: Queryable,
  runId: number,
  { identifier, kind, after, limit }: ChangesAsked,
): Promise<{ readonly data: readonly RunChange[]; readonly more: boolean }> {
  const run = await getRun(db, runId)
  const source = sources.find(({ name }) => name === run.source)
  const changes = source ? changesOf(source, '= $1') : 'ingest.change'
  const found = await db.query<RunChange>(
    // Sorted by an expression: in the order of the key itself all that older runs changed would be walked through first.
    sql`SELECT change_id, entity, identifier, kind,
       ARRAY(SELECT jsonb_object_keys(coalesce(after, before, '{}')) ORDER BY 1) AS fields
     FROM ${changes} written
     WHERE run_id = $1 AND change_id > $2 AND ($3::text IS NULL OR identifier = $3) AND ($4::text IS NULL OR kind = $4)
     ORDER BY change_id + 0 LIMIT $5`,
    [runId, after, identifier ?? null, kind ?? null, limit + 1],
  )
  return { data: found.slice(0, limit), more: found.length > limit }
}

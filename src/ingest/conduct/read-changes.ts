/** Which records a run changed, by page, in the order of writing; their contents are in the record's history. */
import { sources } from '../../../config/sources/index.ts'
import type { Queryable } from '../../db/db.ts'
import { changesOf } from '../../db/history-with-inserts.ts'
import { sql } from '../../db/sql.ts'
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

export interface ChangeFilters {
  /** Only changes of records with one of these. */
  readonly identifiers?: readonly string[] | undefined
  readonly kind?: ChangeKind | undefined
  /** The last change shown. */
  readonly after: number
  readonly limit: number
}

/** @throws AppError NOT_FOUND for an unknown run. */
export async function readChanges(
  db: Queryable,
  runId: number,
  { identifiers, kind, after, limit }: ChangeFilters,
): Promise<{ readonly data: readonly RunChange[]; readonly more: boolean }> {
  const run = await getRun(db, runId)
  const source = sources.find(({ name }) => name === run.source)
  const changes = source ? changesOf(source, '= $1') : 'ingest.change'
  const read = (upTo: number) =>
    db.query<RunChange>(
      // Sorted by an expression: in the order of the key itself, all changes of older runs would be scanned first.
      sql`SELECT change_id, entity, identifier, kind,
       ARRAY(SELECT jsonb_object_keys(coalesce(after, before, '{}')) ORDER BY 1) AS fields
     FROM ${changes} written
     WHERE run_id = $1 AND change_id > $2 AND change_id <= $6 AND ($3::text[] IS NULL OR identifier = ANY ($3)) AND ($4::text IS NULL OR kind = $4)
     ORDER BY change_id + 0 LIMIT $5`,
      [runId, after, identifiers ?? null, kind ?? null, limit + 1, upTo],
    )
  let found: RunChange[] = []
  for (const upTo of await readBounds(db, runId, after, limit)) {
    found = await read(upTo)
    if (found.length > limit) break
  }
  return { data: found.slice(0, limit), more: found.length > limit }
}

/**
 * Upper limits of the changes scanned for a page, first near and then farther: records of a first load are stored in
 * the order of their numbers, and are found among millions without reading them all. Numbers of other runs may be in
 * between.
 */
async function readBounds(db: Queryable, runId: number, after: number, limit: number): Promise<number[]> {
  const [run] = await db.query<{ from: number | null; through: number | null }>(
    'SELECT inserted_from AS from, inserted_through AS through FROM ingest.run WHERE run_id = $1',
    [runId],
  )
  if (!run || run.from === null || run.through === null) return [Number.MAX_SAFE_INTEGER]
  const bounds: number[] = []
  const start = Math.max(after, run.from)
  for (let span = 4 * limit; start + span < run.through; span *= 10) bounds.push(start + span)
  return [...bounds, Number.MAX_SAFE_INTEGER]
}

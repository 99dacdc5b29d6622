/** Whether a file's content is in the registers already, so that ingesting it again would change nothing. */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { RunRecord } from '../run/runs.ts'
import { overlap } from '../run/turns.ts'
import type { Validators } from './transport/validators.ts'

/** The map requested with the run; without one, any map by which the bytes were read matches. */
const mapOf = ({ column_map: map }: RunRecord): string | null => (map ? JSON.stringify(map) : null)

/** @returns true if content of this size was read; files of other sizes need not be hashed before they are staged. */
export async function sizeSeen(db: Queryable, run: RunRecord, size: number): Promise<boolean> {
  const seen = await db.query(
    `SELECT 1 FROM ingest.run WHERE source = $1 AND bytes = $2 AND status IN ('succeeded', 'needs_approval', 'discarded') LIMIT 1`,
    [run.source, size],
  )
  return seen.length > 0
}

/**
 * Content counts as ingested if it was completely applied, including closures, and nothing that changed what it covers
 * was applied later: runs are ordered by when they were applied, not requested. A file without a partition column may
 * have changed any partition. With another column map, the same bytes are different content.
 * @returns the partitions that it covers, else undefined.
 */
export async function partitionsIngested(
  db: Queryable,
  run: RunRecord,
  sha256: string,
): Promise<readonly string[] | undefined> {
  const [same] = await db.query<{ scopes: string[] }>(
    sql`SELECT same.scopes FROM ingest.run same
     WHERE same.source = $1 AND same.sha256 = $2 AND same.status = 'succeeded' AND same.mode IN ('snapshot', $3)
       AND ($4::jsonb IS NULL OR same.column_map = $4::jsonb)
       AND coalesce(same.report -> 'stale_scopes', '[]') = '[]' AND same.skipped = 0
       AND same.undone_by IS NULL AND same.undo IS NULL
       AND NOT EXISTS (SELECT FROM ingest.run later
                       WHERE later.source = same.source AND later.turn > same.turn
                         AND later.status = 'succeeded'
                         AND (later.sha256, later.column_map) IS DISTINCT FROM (same.sha256, same.column_map)
                         AND ${overlap('later.scopes', 'same.scopes')}
                         AND (later.undo IS NOT NULL OR later.inserted + later.updated + later.closed > 0))
     ORDER BY same.turn DESC LIMIT 1`,
    [run.source, sha256, run.mode, mapOf(run)],
  )
  return same?.scopes
}

/**
 * The same bytes of the same day that await a decision or were skipped: unless a run of the source was applied or a day
 * of its partitions lowered since, a second run of them would end like the first. Likewise bytes that `readDecided`
 * finds.
 * @returns the reason, naming that run.
 */
export async function readAlready(db: Queryable, run: RunRecord, sha256: string): Promise<string | undefined> {
  const [same] = await db.query<{ run_id: number; status: string; reason: string | null }>(
    sql`SELECT same.run_id, same.status, same.report ->> 'reason' AS reason FROM ingest.run same
     WHERE same.source = $1 AND same.sha256 = $2 AND same.mode = $3 AND same.as_of = $4 AND same.run_id <> $5
       AND ($6::jsonb IS NULL OR same.column_map = $6::jsonb)
       AND (same.status = 'needs_approval' OR same.status = 'succeeded' AND same.skipped > 0 AND same.undone_by IS NULL
            AND same.inserted + same.updated + same.closed = 0
            AND coalesce(same.report -> 'stale_scopes', '[]') <> '[]'
            AND NOT EXISTS (SELECT FROM jsonb_array_elements_text(same.report -> 'stale_scopes') AS stale(scope)
                            WHERE NOT EXISTS (SELECT FROM ingest.scope s WHERE s.source = same.source AND s.scope = stale.scope
                                                AND s.as_of > same.as_of)))
       AND NOT EXISTS (SELECT FROM ingest.run later
                       WHERE later.source = same.source AND later.turn > same.turn AND later.status = 'succeeded'
                         AND (later.undo IS NOT NULL OR later.inserted + later.updated + later.closed > 0))
     ORDER BY same.turn DESC LIMIT 1`,
    [run.source, sha256, run.mode, run.as_of, run.run_id, mapOf(run)],
  )
  if (!same) return readDecided(db, run, sha256)
  if (same.status === 'needs_approval') return `Import ${same.run_id} read the same bytes and needs approval.`
  return [`Import ${same.run_id} read the same bytes.`, ...(same.reason === null ? [] : [same.reason])].join(' ')
}

/**
 * The same bytes that a schedule fetched before and an operator discarded or undid: no schedule imports them again. An
 * import that was undone only together with an earlier one may be right, and a dropped file is another one for another
 * day. What was decided about an import by hand, or of another mode or column map, concerns that import.
 */
async function readDecided(db: Queryable, run: RunRecord, sha256: string): Promise<string | undefined> {
  if (run.requested_by !== 'schedule') return undefined
  const [same] = await db.query<{ run_id: number; status: string; undone_by: number | null }>(
    `SELECT same.run_id, same.status, undoing.run_id AS undone_by
     FROM ingest.run own
       JOIN ingest.run same ON same.source = own.source AND same.sha256 = $2 AND same.status IN ('succeeded', 'discarded')
         AND (same.requested_by = own.requested_by OR same.status = 'succeeded' AND same.undone_by IS NULL)
         AND same.mode = own.mode AND ($3::jsonb IS NULL OR same.column_map = $3::jsonb)
         AND (own.drop_folder IS NULL OR own.as_of = same.as_of)
       LEFT JOIN ingest.run undoing ON undoing.run_id = same.undone_by AND (undoing.undo ->> 'run_id')::bigint = same.run_id
     WHERE own.run_id = $1 ORDER BY same.turn DESC LIMIT 1`,
    [run.run_id, sha256, mapOf(run)],
  )
  const isUndone = same?.undone_by != null
  if (!same || (!isUndone && same.status !== 'discarded')) return undefined
  const decided = isUndone ? `undone by import ${same.undone_by}` : 'discarded'
  return `Import ${same.run_id} read the same bytes and was ${decided}, so no schedule imports them again. Import the file by hand if it is right.`
}

/** A file identified by its bytes, and by its server's validators. */
export interface Content {
  readonly sha256: string
  readonly bytes: number
  readonly validators: Validators | null
}

export interface FetchedBefore extends Content {
  readonly validators: Validators
}

/**
 * The address's content when it was last fetched, if that is still what the registers show, or what schedules leave
 * out: only then may the server be asked for newer content only.
 */
export async function fetchedBefore(db: Queryable, run: RunRecord): Promise<FetchedBefore | undefined> {
  const [last] = await db.query<FetchedBefore>(
    `SELECT sha256, bytes, validators FROM ingest.run
     WHERE source = $1 AND input = $2 AND validators IS NOT NULL AND status IN ('succeeded', 'no_op')
     ORDER BY run_id DESC LIMIT 1`,
    [run.source, run.input],
  )
  if (!last) return undefined
  const known = (await partitionsIngested(db, run, last.sha256)) ?? (await readDecided(db, run, last.sha256))
  return known === undefined ? undefined : last
}

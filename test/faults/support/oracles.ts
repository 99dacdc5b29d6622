/**
 * What must hold after every fault, whatever it was. O1: the tables equal those of an undisturbed twin (`fingerprint`).
 * O4 and O5, and that nothing was counted twice: `expectSound`.
 */
import { expect } from 'vitest'
import type { Db } from '../../../src/db/db.ts'
import { checkCounts } from '../../../src/registry/counts/recount.ts'
import { stagingTables } from '../../support/ingest.ts'

/** Everything that ingest writes and readers see, with the columns that put its rows in order. */
const tables = {
  'registry.company': 'cin',
  'registry.version': 'entity',
  'feed.registration': 'dataset, identifier',
  'ingest.scope': 'source, scope',
  'ingest.change': 'entity, identifier, change_id',
  'ingest.reject': 'run_id, line',
} as const

/** Numbers and clock times that two equal histories may differ in. */
const incidental = ['first_run_id', 'last_run_id', 'run_id', 'change_id', 'changed_at']

/** @returns rows and hash of each table; two databases that took in the same snapshots have equal ones. */
export async function fingerprint(db: Db): Promise<Record<string, { readonly rows: number; readonly hash: string }>> {
  const prints: Record<string, { rows: number; hash: string }> = {}
  for (const [table, order] of Object.entries(tables)) {
    const [print] = await db.query<{ rows: number; hash: string }>(
      `SELECT count(*) AS rows, coalesce(md5(string_agg(md5((to_jsonb(t) - $1::text[])::text), '' ORDER BY ${order})), '') AS hash
       FROM ${table} t`,
      [incidental],
    )
    if (print) prints[table] = print
  }
  return prints
}

/** No run open, no staging table left, counts that add up, totals that are those of their registers, and every record written and counted at most once per run. */
export async function expectSound(db: Db): Promise<void> {
  expect(await stuckRuns(db)).toEqual([])
  expect(await stagingTables(db)).toEqual([])
  expect(await miscountedRuns(db)).toEqual([])
  expect((await checkCounts(db)).filter(({ differing }) => differing > 0)).toEqual([])
  const twice = await db.query(
    `SELECT run_id, entity, identifier, count(*) FROM ingest.change GROUP BY 1, 2, 3 HAVING count(*) > 1
     UNION ALL
     SELECT 0, entity, identifier, count(*) FROM ingest.change WHERE kind = 'insert' GROUP BY 2, 3 HAVING count(*) > 1`,
  )
  expect(twice).toEqual([])
  const unexplained = await db.query(
    `SELECT * FROM ingest.reject WHERE line < 1 OR code = '' OR message = '' OR raw = ''`,
  )
  expect(unexplained).toEqual([])
}

/** Runs that wait or work; after a fault there must be none. */
export function stuckRuns(db: Db): Promise<object[]> {
  return db.query(
    `SELECT run_id, status, attempt, error FROM ingest.run
     WHERE status NOT IN ('succeeded', 'no_op', 'failed', 'discarded', 'needs_approval')`,
  )
}

/** Runs whose counts do not add up, or do not equal the history and the rejects that they left. */
function miscountedRuns(db: Db): Promise<object[]> {
  return db.query(
    `SELECT r.run_id, r.rows_read, r.inserted, r.updated, r.unchanged, r.skipped, r.closed, r.rejected, found.*
     FROM ingest.run r,
       LATERAL (SELECT count(*) FILTER (WHERE kind = 'insert') AS inserts,
                       count(*) FILTER (WHERE kind IN ('update', 'reopen')) AS updates,
                       count(*) FILTER (WHERE kind = 'close') AS closures
                FROM ingest.change c WHERE c.run_id = r.run_id) found,
       LATERAL (SELECT count(*) AS kept FROM ingest.reject j WHERE j.run_id = r.run_id) rejects
     WHERE r.status = 'succeeded'
       AND (r.rows_read <> r.inserted + r.updated + r.unchanged + r.skipped + r.rejected
            OR (r.inserted, r.updated, r.closed, r.rejected)
               IS DISTINCT FROM (found.inserts, found.updates, found.closures, rejects.kept))`,
  )
}

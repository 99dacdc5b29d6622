/**
 * Removes sample records from the registers completely: rows, history, partitions, rejects and runs, in the caller's
 * transaction. Records that an effective real snapshot has confirmed since are real and stay, with the runs that their
 * history names: either the snapshot changed them other than by closing them, or it was a full file or a later delta
 * that contained them unchanged. Idempotent.
 */

import { sources } from '../../../config/sources/index.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { queues } from '../../queue/queues.ts'
import { forgetConfirmations } from '../merge/statements/confirm.ts'
import { scopeOf } from '../merge/statements/target.ts'
import { holdSource } from '../run/claim.ts'
import { raiseVersion } from '../run/register-version.ts'
import { sampleRequester } from '../run/sample-world.ts'
import { removedSampleRequester, restoreScopes } from '../run/scopes.ts'
import { finishedStatuses } from '../run/transitions.ts'

export interface RemovedSample {
  /** By source: its records removed, and those that a real snapshot has confirmed. */
  readonly registers: Readonly<Record<string, Removed>>
  readonly runs: number
}

interface Removed {
  readonly removed: number
  readonly kept: number
}

/** @throws AppError RUN_IN_PROGRESS while one of its sources is being ingested. */
export async function removeSample(tx: Tx, queue: JobSender): Promise<RemovedSample> {
  const runs = await tx.query<{ run_id: number; source: string; open: boolean }>(
    'SELECT run_id, source, status <> ALL ($2::text[]) AS open FROM ingest.run WHERE requested_by = $1',
    [sampleRequester, finishedStatuses],
  )
  const open = runs.find((run) => run.open)
  if (open)
    throw new AppError(
      'RUN_IN_PROGRESS',
      `Run ${open.run_id} of the sample world has not ended. Wait for it, or cancel or discard it.`,
    )
  const runIds = runs.map(({ run_id }) => run_id)
  const registers: Record<string, Removed> = {}
  const named: number[] = []
  for (const source of sources.filter(({ name }) => runs.some((run) => run.source === name))) {
    await holdSource(tx, source.name)
    const { entered, ...counts } = await removeRecords(tx, source, runIds)
    registers[source.name] = counts
    named.push(...entered)
    await restoreScopes(tx, source.name, runIds)
  }
  await tx.execute('DELETE FROM ingest.reject WHERE run_id = ANY ($1::bigint[])', [runIds])
  await tx.execute('UPDATE ingest.run SET requested_by = $2 WHERE run_id = ANY ($1::bigint[])', [
    ...[runIds, removedSampleRequester],
  ])
  await tx.execute(
    `DELETE FROM ingest.run r WHERE run_id = ANY ($1::bigint[]) AND run_id <> ALL ($2::bigint[])
       AND NOT EXISTS (SELECT FROM ingest.change h WHERE h.run_id = r.run_id)`,
    [runIds, named],
  )
  if (runs.length > 0) await queue.send(tx, queues.collectWords, {})
  return { registers, runs: runs.length }
}

/**
 * @returns the counts, and the runs that inserted the records that stay: a record's insert may be derived from the
 *   record.
 */
async function removeRecords(
  tx: Tx,
  source: Source,
  runIds: readonly number[],
): Promise<Removed & { readonly entered: readonly number[] }> {
  const { table, key, entity } = source
  await tx.execute('DROP TABLE IF EXISTS invented')
  await tx.execute('CREATE TEMPORARY TABLE invented (record_key text PRIMARY KEY) ON COMMIT DROP')
  const removed = await tx.execute(
    sql`WITH gone AS (
       DELETE FROM ${table} t
       WHERE first_run_id = ANY ($1::bigint[])
         AND NOT EXISTS (SELECT FROM ingest.change h LEFT JOIN ingest.run r USING (run_id)
                         WHERE h.entity = $2 AND h.identifier = t.${key} AND h.run_id <> ALL ($1::bigint[]) AND h.kind <> 'close'
                           AND r.undone_by IS NULL AND r.undo IS NULL)
         AND NOT EXISTS (SELECT FROM ingest.confirmation seen
                         WHERE seen.entity = $2 AND seen.identifier = t.${key} AND NOT (seen.run_id || seen.others) <@ $1::bigint[])
         AND NOT ${isSeenWhole(source)}
       RETURNING t.${key} AS record_key)
     INSERT INTO invented SELECT record_key FROM gone`,
    [runIds, entity, removedSampleRequester],
  )
  await tx.execute('DELETE FROM ingest.change h USING invented i WHERE h.entity = $1 AND h.identifier = i.record_key', [
    entity,
  ])
  await tx.execute(forgetConfirmations(source), [runIds])
  const left = await tx.query<{ run_id: number; kept: number }>(
    sql`SELECT first_run_id AS run_id, count(*) AS kept FROM ${table} WHERE first_run_id = ANY ($1::bigint[]) GROUP BY 1`,
    [runIds],
  )
  if (removed > 0) await raiseVersion(tx, source, null)
  const kept = left.reduce((sum, each) => sum + each.kept, 0)
  return { removed, kept, entered: left.map(({ run_id }) => run_id) }
}

/**
 * True for an open record t that a full real file of its partition contained unchanged after the sample ($1, or $3 for
 * one removed before) had last written it: otherwise it would be closed. $2 is the entity.
 */
const isSeenWhole = (source: Source): string => sql`(t.closed_on IS NULL AND EXISTS (
  SELECT FROM ingest.run seen
  WHERE seen.source = ${literal(source.name)} AND seen.status = 'succeeded' AND seen.mode = 'snapshot'
    AND seen.undo IS NULL AND seen.undone_by IS NULL
    AND seen.run_id <> ALL ($1::bigint[]) AND seen.requested_by IS DISTINCT FROM $3
    AND seen.as_of >= t.as_of AND ${scopeOf(source)} = ANY (seen.scopes)
    AND NOT coalesce(seen.report -> 'stale_scopes', '[]') ? ${scopeOf(source)}
    AND seen.turn > (SELECT max(own.turn) FROM ingest.run own
                     WHERE own.run_id = t.first_run_id OR own.run_id = ANY ($1::bigint[])
                       AND EXISTS (SELECT FROM ingest.change h
                                   WHERE h.entity = $2 AND h.identifier = t.${source.key} AND h.run_id = own.run_id))))`

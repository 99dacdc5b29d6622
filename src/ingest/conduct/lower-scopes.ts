/**
 * Lowers the day as of which partitions of a register count as complete, if a wrong one holds back every file since:
 * the partitions, the records with that day, what deltas confirmed of them, and their changes, so that no record's
 * dates decrease. Idempotent. The runs keep their original day.
 */

import type { Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import type { JobSender } from '../../queue/queue.ts'
import { type PayloadOf, queues } from '../../queue/queues.ts'
import { scopeOf } from '../merge/statements/target.ts'
import { holdSource } from '../run/claim.ts'
import { raiseVersion } from '../run/register-version.ts'
import { sourceNamed } from '../run/request-run.ts'
import { requireSnapshotDay } from '../run/snapshot-day.ts'

export interface LoweredScopes {
  readonly source: string
  readonly to: string
  readonly scopes: readonly { readonly scope: string; readonly before: string; readonly after: string }[]
  /** Records and changes that had a later day. */
  readonly records: number
  readonly changes: number
}

export interface ScopeDay {
  readonly scope: string
  /** Day as of which it was last complete, and the run that established it. */
  readonly as_of: string
  readonly run_id: number
}

export async function listScopes(tx: Pick<Tx, 'query'>, source: string): Promise<ScopeDay[]> {
  return tx.query<ScopeDay>('SELECT scope, as_of, run_id FROM ingest.scope WHERE source = $1 ORDER BY scope', [
    sourceNamed(source).name,
  ])
}

/**
 * @param scopes by default all of the source.
 * @throws AppError RUN_IN_PROGRESS, NOT_FOUND for an unknown partition, BAD_REQUEST for a day after today
 */
export async function lowerScopes(
  tx: Tx,
  wish: { readonly source: string; readonly to: string; readonly scopes?: readonly string[] | undefined },
): Promise<LoweredScopes> {
  const source = sourceNamed(wish.source)
  await requireSnapshotDay(tx, source, wish.to)
  await holdSource(tx, source.name)
  const lowered = await laterThan(tx, source.name, wish)
  await tx.execute('UPDATE ingest.scope SET as_of = $2 WHERE source = $1 AND scope = ANY ($3::text[])', [
    source.name,
    wish.to,
    lowered.map(({ scope }) => scope),
  ])
  const { records, changes } = await lowerRecords(tx, source, wish.to, wish.scopes)
  if (records > 0) await raiseVersion(tx, source, null)
  return {
    source: source.name,
    to: wish.to,
    scopes: lowered.map(({ scope, as_of }) => ({ scope, before: as_of, after: wish.to })),
    records,
    changes,
  }
}

/**
 * Requests it from a worker, in the caller's transaction: HTTP requests change no register.
 * @returns what is currently to be lowered.
 * @throws AppError NOT_FOUND, BAD_REQUEST
 */
export async function requestLowering(
  tx: Tx,
  queue: JobSender,
  wish: PayloadOf<typeof queues.lowerScope>,
): Promise<LoweredScopes['scopes']> {
  const source = sourceNamed(wish.source)
  await requireSnapshotDay(tx, source, wish.to)
  const lowered = await laterThan(tx, source.name, wish)
  await queue.send(tx, queues.lowerScope, wish)
  return lowered.map(({ scope, as_of }) => ({ scope, before: as_of, after: wish.to }))
}

/**
 * The selected partitions that count as complete after the day.
 * @throws AppError NOT_FOUND
 */
async function laterThan(
  tx: Tx,
  source: string,
  { to, scopes }: { readonly to: string; readonly scopes?: readonly string[] | undefined },
): Promise<ScopeDay[]> {
  const known = await listScopes(tx, source)
  const unknown = scopes?.filter((scope) => !known.some((each) => each.scope === scope)) ?? []
  if (unknown.length > 0) {
    const names = known.map(({ scope }) => scope).join(', ') || 'none'
    throw new AppError('NOT_FOUND', `${source} was not seen with the scope ${unknown.join(', ')}. Seen: ${names}.`)
  }
  return known.filter(({ scope, as_of }) => as_of > to && (scopes?.includes(scope) ?? true))
}

/** A delta sets its day only on its records, so they are checked whatever their partition's day. */
async function lowerRecords(
  tx: Tx,
  source: Source,
  to: string,
  scopes: readonly string[] | undefined,
): Promise<{ records: number; changes: number }> {
  const ofScopes = sql`($2::text[] IS NULL OR coalesce(${scopeOf(source)}, '*') = ANY ($2::text[]))`
  await tx.execute(
    `CREATE TEMPORARY TABLE lowered ON COMMIT DROP AS
     SELECT ''::text AS record_key, false AS tells_insert WHERE false`,
  )
  const records = await tx.execute(
    sql`WITH changed AS (
       -- Invariant: an open record stays open, and a closed one stays closed.
       UPDATE ${source.table} t
       SET as_of = $1::date, closed_on = CASE WHEN closed_on > $1::date THEN $1::date ELSE closed_on END
       WHERE as_of > $1::date AND ${ofScopes}
       RETURNING ${source.key} AS record_key, ${source.impliesInserts ? 'insert_change_id IS NOT NULL' : 'false'} AS tells_insert)
     INSERT INTO lowered SELECT record_key, tells_insert FROM changed`,
    [to, scopes ?? null],
  )
  await tx.execute(
    sql`UPDATE ingest.confirmation seen SET as_of = $1::date
     FROM ${source.table} t
     WHERE seen.entity = $3 AND seen.identifier = t.${source.key} AND seen.as_of > $1::date AND ${ofScopes}`,
    [to, scopes ?? null, source.entity],
  )
  const [history] = await tx.query<{ changes: number }>(
    // The day of a derived insert is the record's own.
    `SELECT ingest.lower_changes($1, ARRAY(SELECT record_key FROM lowered), $2)
            + (SELECT count(*) FROM lowered WHERE tells_insert) AS changes`,
    [source.entity, to],
  )
  return { records, changes: history?.changes ?? 0 }
}

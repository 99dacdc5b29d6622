/** What imports, partitions and history lose. */

import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { counted } from '../../domain/counted.ts'
import { listScopes } from '../../ingest/conduct/lower-scopes.ts'
import { runsToUndo } from '../../ingest/conduct/request-undo.ts'
import { getRun } from '../../ingest/run/runs.ts'
import { sampleRequester } from '../../ingest/run/sample-world.ts'
import { isFinished } from '../../ingest/run/transitions.ts'
import type { Figures } from './figures.ts'

interface Sums {
  readonly runs: number
  readonly inserted: number
  readonly updated: number
  readonly closed: number
}

const sums = sql`count(*) AS runs, coalesce(sum(inserted), 0)::bigint AS inserted,
  coalesce(sum(updated), 0)::bigint AS updated, coalesce(sum(closed), 0)::bigint AS closed`

/** With the runs that are counted, for the request to undo no others. */
export async function undoFigures(
  db: Db,
  runId: number,
  through: boolean,
): Promise<{ readonly runs: readonly number[]; readonly text: string }> {
  const target = await getRun(db, runId)
  const { undoes } = await runsToUndo(db, target, through)
  const [sum] = await db.query<Sums>(sql`SELECT ${sums} FROM ingest.run WHERE run_id = ANY ($1::bigint[])`, [undoes])
  const named = `Run ${target.run_id} of ${target.source} (${target.mode} of ${target.as_of})`
  const later = undoes.length > 1 ? ` and ${counted(undoes.length - 1, 'run')} after it` : ''
  const text = `${named}${later}: ${counted(sum?.inserted ?? 0, 'inserted record')}, ${sum?.updated ?? 0} updated and ${sum?.closed ?? 0} closed are undone.`
  return { runs: undoes, text }
}

export const ofOpenRun: Figures = async ({ db, args }) => {
  const run = await getRun(db, Number(args[0]))
  if (isFinished(run.status)) return undefined
  const read = `${counted(run.rows_read, 'row')} read, ${run.rejected} rejected`
  return `Run ${run.run_id} of ${run.source} (${run.mode} of ${run.as_of}) is ${run.status}: ${read}. It ends, and nothing of it is applied.`
}

export const ofLoweredScopes: Figures = async ({ db, args, options }) => {
  const [source = ''] = args
  const { to = '' } = options
  const only = options.scope?.split(',').map((each) => each.trim())
  const known = await listScopes(db, source)
  const later = known.filter(({ scope, as_of }) => as_of > to && (only?.includes(scope) ?? true))
  const named = later.slice(0, 5).map(({ scope, as_of }) => `${scope} (${as_of})`)
  const more = later.length > named.length ? `, and ${later.length - named.length} more` : ''
  const which = later.length > 0 ? `: ${named.join(', ')}${more}` : ''
  return `${counted(later.length, 'partition')} of ${source} complete as of a day after ${to}${which}. They, their records and their changes get the as-of day ${to}.`
}

export const ofPrunedHistory: Figures = async ({ db, options }) => {
  const { before = '' } = options
  const [found] = await db.query<{ runs: number; since: string | null }>(
    `SELECT (SELECT count(*) FROM ingest.run WHERE status = 'succeeded' AND as_of < $1) AS runs,
            (SELECT retained_from FROM ingest.history_retention) AS since`,
    [before],
  )
  const now = found?.since ? `is readable from ${found.since} now` : 'is complete now'
  return `The history ${now}. Changes of ${counted(found?.runs ?? 0, 'run')} before ${before} are pruned for good; earlier days can no longer be read.`
}

export const ofSample: Figures = async ({ db }) => {
  const [sum] = await db.query<Sums>(sql`SELECT ${sums} FROM ingest.run WHERE requested_by = $1`, [sampleRequester])
  return `The sample world: ${counted(sum?.runs ?? 0, 'run')} with ${counted(sum?.inserted ?? 0, 'record')}, and the demo account with its keys and destinations, are removed for good.`
}

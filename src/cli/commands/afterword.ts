/** What `panji ingest` adds to the counts of a run: that everything was skipped, or that the register is a sample. */
import type { Queryable } from '../../db/db.ts'
import { skippedEverything, whyNothingChanged } from '../../ingest/conduct/nothing-changed.ts'
import { type RunRecord, readRun } from '../../ingest/run/runs.ts'
import { holdsSample, sampleRequester } from '../../ingest/run/sample-world.ts'
import type { Failure } from '../work-failed.ts'

export interface Afterword {
  /** Set where the run counts as failed although its whole snapshot was read. */
  readonly error?: { readonly code: 'SNAPSHOT_STALE'; readonly message: string }
  readonly notes: readonly string[]
}

export async function readAfterword(
  db: Queryable,
  run: RunRecord,
  { allowStale }: { readonly allowStale: boolean },
): Promise<Afterword> {
  // A file that could not be read says nothing about the content of the register.
  if (hasEnded(run)) return { notes: [] }
  const read = run.status === 'no_op' ? await readBefore(db, run) : run.status === 'succeeded' ? run : undefined
  const left = read && skippedEverything(read) ? whyNothingChanged(run, read) : undefined
  const sample =
    run.requested_by !== sampleRequester && (await holdsSample(db, run.source))
      ? `The register of ${run.source} holds the invented records of the sample world. Remove it with \`npx panji sample remove\`, then ingest the file again.`
      : undefined
  const remedy =
    sample ??
    `\`npx panji scope list ${run.source}\` shows the as-of days; give the day that the file describes with --as-of, or lower a wrong day with \`npx panji scope lower\`.`
  if (left === undefined) return { notes: sample ? [sample] : [] }
  if (allowStale) return { notes: [left] }
  return { error: { code: 'SNAPSHOT_STALE', message: `${left} ${remedy}` }, notes: [] }
}

/** Failed or stopped: nothing of it is or will be applied. */
export const hasEnded = ({ status }: Pick<RunRecord, 'status'>): boolean =>
  status === 'failed' || status === 'cancelled'

export const whyNotApplied = ({ run_id, status, error }: Pick<RunRecord, 'run_id' | 'status' | 'error'>): Failure =>
  error ?? { code: 'CONFLICT', message: `run ${run_id} is ${status}` }

/** The run that ingested the same bytes for the same day. */
async function readBefore(db: Queryable, { source, sha256, as_of, mode }: RunRecord): Promise<RunRecord | undefined> {
  const [same] = await db.query<{ run_id: number }>(
    `SELECT run_id FROM ingest.run
     WHERE source = $1 AND sha256 = $2 AND as_of = $3 AND mode = $4 AND status = 'succeeded' AND undone_by IS NULL
     ORDER BY run_id DESC LIMIT 1`,
    [source, sha256, as_of, mode],
  )
  return same && readRun(db, same.run_id)
}

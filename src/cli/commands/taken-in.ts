/** What `panji ingest` says of a run beside its counts: that all of it was skipped, or that the register is a sample. */
import type { Queryable } from '../../db/db.ts'
import { skippedEverything, whyNothingChanged } from '../../ingest/conduct/nothing-changed.ts'
import type { RunRecord } from '../../ingest/run/runs.ts'

export interface Afterword {
  /** Present where the run counts as failed work although its snapshot was read whole. */
  readonly error?: { readonly code: 'SNAPSHOT_STALE'; readonly message: string }
  readonly notes: readonly string[]
}

export async function readAfterword(db: Queryable, run: RunRecord, allowStale: boolean): Promise<Afterword> {
  // What keeps a file from being read has nothing to do with what the register holds.
  if (run.status === 'failed' || run.status === 'cancelled') return { notes: [] }
  const left = run.status === 'succeeded' && skippedEverything(run) ? whyNothingChanged(run, run) : undefined
  const sample = (await holdsSample(db, run))
    ? `The register of ${run.source} holds the sample world, which is invented. Take it out with \`npx panji sample remove\`, then ingest the file again.`
    : undefined
  const remedy =
    sample ??
    `\`npx panji scope list ${run.source}\` tells the days; give the day that the file describes with --as-of, or lower a day that was wrong with \`npx panji scope lower\`.`
  if (left === undefined) return { notes: sample ? [sample] : [] }
  if (allowStale) return { notes: [left] }
  return { error: { code: 'SNAPSHOT_STALE', message: `${left} ${remedy}` }, notes: [] }
}

async function holdsSample(db: Queryable, run: RunRecord): Promise<boolean> {
  if (run.requested_by === 'sample') return false
  const found = await db.query(
    `SELECT 1 FROM ingest.run WHERE source = $1 AND requested_by = 'sample' AND status = 'succeeded' LIMIT 1`,
    [run.source],
  )
  return found.length > 0
}

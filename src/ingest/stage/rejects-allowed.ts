/** How many of a file's records may be rejected before the whole file is refused. */
import type { RejectBounds } from '../../../config/input-bounds.ts'
import type { RunMode, Source } from '../../../config/sources/source.ts'
import { AppError } from '../../errors.ts'
import type { RunLease } from '../run/run-lease.ts'
import type { RejectSink } from './reject-sink.ts'

/**
 * A delta has no expected length, so its rejects are compared with the rows read so far, once no more of them are
 * stored.
 */
const deltaRejectsShareMax = 0.5

/** @returns how many of the records read so far may be rejected. */
export function rejectsAllowed(
  { bounds: { rejectedShareMax, rowsMax } }: Source,
  mode: RunMode,
  { keptMax }: RejectBounds,
): (rowsRead: number) => number {
  const ofLongest = Math.max(keptMax, rejectedShareMax * rowsMax)
  if (mode !== 'delta') return () => ofLongest
  const share = Math.max(rejectedShareMax, deltaRejectsShareMax)
  return (rowsRead) => Math.min(ofLongest, Math.max(keptMax, Math.floor(share * rowsRead)))
}

/**
 * Whatever follows, the file cannot be accepted: it has more rejects than their share of the longest file that the
 * source may have, or most of a delta is rejected. The run's row records how far it was read.
 */
export async function refuseRejects(
  lease: RunLease,
  sink: RejectSink,
  at: { readonly name: string; readonly staged: number; readonly rejectedMax: number },
): Promise<never> {
  await sink.flush(true)
  const rowsRead = at.staged + sink.rejected
  const report = { rejects: Object.fromEntries(sink.byCode), rejects_kept: sink.kept }
  await lease.fenced((tx) => lease.update(tx, { rows_read: rowsRead, rejected: sink.rejected, report }))
  throw new AppError(
    'TOO_MANY_REJECTS',
    `${at.name}: ${sink.rejected} of the first ${rowsRead} records are rejected; ${at.rejectedMax} may be at ` +
      'most (rejectedShareMax and rowsMax in config/sources, rejectBounds in config/input-bounds.ts). Nothing was applied.',
  )
}

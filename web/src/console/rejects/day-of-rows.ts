/** The day of rows that an import rejected: its own, or the last day on which a later import found the same file. */
import type { components } from '../../../../client/api-types.ts'

type Found = Pick<components['schemas']['IngestRun'], 'run_id' | 'status' | 'sha256' | 'scopes' | 'as_of'>

/**
 * Its partitions are complete as of that day, and rows of an earlier one are skipped.
 * @param newest runs of its source.
 */
export function dayOfRows(run: Found, newest: readonly Found[]): string {
  // Without partitions, the file was left out.
  const again = newest.filter(
    ({ run_id, status, sha256, scopes }) =>
      run_id > run.run_id && status === 'no_op' && sha256 === run.sha256 && scopes !== null,
  )
  const days = [run, ...again].map(({ as_of }) => as_of)
  return days.toSorted().at(-1) ?? run.as_of
}

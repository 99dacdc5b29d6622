/**
 * The statuses of a run and the moves between them: written once, mirrored by a CHECK constraint of its column, read
 * by every statement that changes a status or asks for several.
 */
export const runStatuses = [
  'queued',
  'fetching',
  'staging',
  'checking',
  'merging',
  'needs_approval',
  'succeeded',
  'no_op',
  'failed',
  'discarded',
  'cancelled',
  'previewed',
] as const
export type RunStatus = (typeof runStatuses)[number]

/** A job stands behind a run of these: it waits for a worker, or one works on it. */
export const openStatuses = ['queued', 'fetching', 'staging', 'checking', 'merging'] as const satisfies RunStatus[]

/** A run of these waits for nobody and changes no more, but that a failed one may be tried anew. */
export const finishedStatuses = [
  'succeeded',
  'no_op',
  'failed',
  'discarded',
  'cancelled',
  'previewed',
] as const satisfies RunStatus[]

/**
 * An attempt that died is followed by another, which begins with the fetch from wherever the run stood; one that failed
 * for a passing reason queues the run again. A run that was approved goes from its claim to its merge at once, or back to
 * wait where another was applied meanwhile. One that takes others back has no file, and goes from its claim to its merge too.
 */
export const runMoves: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  queued: ['fetching', 'failed', 'cancelled'],
  fetching: ['fetching', 'staging', 'merging', 'needs_approval', 'succeeded', 'no_op', 'queued', 'failed', 'cancelled'],
  staging: ['fetching', 'checking', 'queued', 'failed', 'cancelled'],
  checking: ['fetching', 'merging', 'queued', 'failed', 'cancelled'],
  merging: ['fetching', 'needs_approval', 'succeeded', 'previewed', 'queued', 'failed', 'cancelled'],
  needs_approval: ['queued', 'discarded', 'cancelled'],
  succeeded: [],
  no_op: [],
  failed: ['fetching'],
  discarded: [],
  cancelled: [],
  previewed: [],
}

/** The statuses from which `target` may be reached, for the WHERE clause of the statement that moves there. */
export const statusesBefore = (target: RunStatus): RunStatus[] =>
  runStatuses.filter((status) => runMoves[status].includes(target))

export const isFinished = (status: RunStatus): boolean => finishedStatuses.some((finished) => finished === status)

/** No worker will touch the run unasked: it has ended, or an operator has to decide about it. */
export const isAtRest = (status: RunStatus): boolean => isFinished(status) || status === 'needs_approval'

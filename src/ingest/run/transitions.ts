/**
 * The statuses of a run and the transitions between them: defined once, mirrored by a CHECK constraint of the column,
 * and used by every statement that changes or selects statuses.
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

/** A run with one of these has a job: it waits for a worker or is being worked on. */
export const openStatuses = ['queued', 'fetching', 'staging', 'checking', 'merging'] as const satisfies RunStatus[]

/** A run with one of these is final, except that a failed one may be retried. */
export const finishedStatuses = [
  'succeeded',
  'no_op',
  'failed',
  'discarded',
  'cancelled',
  'previewed',
] as const satisfies RunStatus[]

/**
 * A dead attempt is followed by another, which starts with the fetch whatever the run's status; a transient failure
 * queues the run again. An approved run goes from its claim directly to its merge, or needs approval again if another
 * was applied in the meantime. A run that undoes others has no file and also goes from its claim to its merge.
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

/** The statuses from which `target` may be reached, for the WHERE clause of the transition's statement. */
export const statusesBefore = (target: RunStatus): RunStatus[] =>
  runStatuses.filter((status) => runMoves[status].includes(target))

export const isFinished = (status: RunStatus): boolean => finishedStatuses.some((finished) => finished === status)

/** No worker will touch the run on its own: it has finished, or an operator has to decide about it. */
export const isAtRest = (status: RunStatus): boolean => isFinished(status) || status === 'needs_approval'

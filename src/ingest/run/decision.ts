/** What an operator decided of a run that waited; kept with the run, until it waits anew. */

/** The reason of an operator who gave none. */
export const unexplained = 'no reason was given'

export interface RunDecision {
  readonly outcome: 'approved' | 'discarded'
  readonly by: string
  readonly reason: string
  /** Approved over runs that were ingested since it waited. */
  readonly supersede: boolean
}

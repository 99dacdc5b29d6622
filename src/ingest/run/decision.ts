/** An operator's decision about a run that needed approval; stored with the run until it needs approval again. */

/** The reason if an operator gave none. */
export const unexplained = 'no reason was given'

export interface RunDecision {
  readonly outcome: 'approved' | 'discarded'
  readonly by: string
  readonly reason: string
  /** Approved over runs that were applied while it waited. */
  readonly supersede: boolean
}

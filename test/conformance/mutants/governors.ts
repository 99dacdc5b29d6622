/** Connectors that take a limit on rows at once for a fault of each row. */
import { type Mutation, options, outcomes, rejected } from './wrappers.ts'

export const governorMutations: readonly Mutation[] = [
  {
    fault: 'gives up what was refused for its number',
    breaks:
      'rows that the CRM refuses for their number alone go again in halves until all are in, and the size that went is told',
    mutate: outcomes((each, _, all) => (all.length > 100 && each === all.at(-1) ? rejected : each)),
  },
  {
    fault: 'sends as many as ever whatever it is told',
    breaks: 'a session that is told the size asks for no more at once: nothing is refused',
    mutate: options(({ batchSize: _told, ...given }) => given),
  },
  {
    fault: 'tries for ever what is refused alone',
    breaks: 'a row that is refused even alone is rejected with the vendor’s words, and nothing is learned of it',
    mutate: outcomes((each) => (each.status === 'rejected' ? { ...each, status: 'deferred', afterMs: 1_000 } : each)),
  },
]

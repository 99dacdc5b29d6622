/** Connectors that let records join otherwise than was asked. */
import type { PushOutcome } from '../../../connectors/contract.ts'
import { leadsAs, type Mutation, outcomes } from './wrappers.ts'

export const joinMutations: readonly Mutation[] = [
  {
    fault: 'forgets what records are to join',
    breaks:
      'a record that is written joins what the mapping names, by its name or its id, as a plan foresees without joining',
    mutate: leadsAs(({ overrides: _forgotten, ...lead }) => lead),
  },
  {
    fault: 'lets a record join at each push',
    breaks: 'what a record joined once is not told again, so that whom people take out stays out',
    mutate: leadsAs((lead) => ({ ...lead, lastPushed: null })),
  },
  {
    fault: 'takes a lost answer for a good one',
    breaks: 'a lead whose joining was not answered is delivered and pushed again, and its record is in once',
    mutate: outcomes((each) => {
      if (!('crmId' in each)) return each
      const { againAfterMs: _lost, ...told } = each
      return told
    }),
  },
  {
    fault: 'rejects a lead that could join nothing',
    breaks:
      'where the user may not let records join, the lead is delivered with the reason, and the test of the destination says it',
    mutate: outcomes(
      (each): PushOutcome =>
        'crmId' in each && each.leftOut !== undefined ? { status: 'rejected', ...each.leftOut } : each,
    ),
  },
]

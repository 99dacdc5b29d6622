/** Connectors that lose sight of what goes as a job. */
import type { PushPlace } from '../../../connectors/bulk-way.ts'
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import { claimedUnless, type Mutation, rejected, session } from './wrappers.ts'

/** The real connector with another place to lay things down. */
const placeAs = (change: (place: PushPlace) => PushPlace) =>
  session((real) => ({ push: (leads, place) => real.push(leads, place && change(place)) }))

/** The real outcomes of a job, told otherwise. */
const told = (change: (outcomes: readonly PushOutcome[], leads: readonly OutgoingLead[]) => readonly PushOutcome[]) =>
  session((real) => ({ push: async (leads, place) => change(await real.push(leads, place), leads) }))

const keepsNothing = placeAs((place) => ({ ...place, keep: async () => {} }))
const forgets = placeAs((place) => ({ ...place, kept: null }))

export const jobMutations: readonly Mutation[] = [
  {
    fault: 'keeps nothing of a job',
    breaks: 'what a job needs to be found again is kept before the first lead leaves',
    mutate: keepsNothing,
  },
  {
    fault: 'begins every job anew',
    breaks: 'a job that is under way when its process ends is gone on with: each lead is answered, none is sent twice',
    mutate: forgets,
  },
  {
    fault: 'says that a job of somebody else’s failed',
    breaks: 'at whichever call a job’s process ends, the next one leaves one record per lead and answers each',
    mutate: session((real) => ({
      push: async (leads, place) =>
        place?.kept === null || place === undefined ? real.push(leads, place) : leads.map(() => rejected),
    })),
  },
  {
    fault: 'drops the leads that a job did not come to',
    breaks: 'a job that fails puts off the leads that it did not come to, and tells what became of the others',
    mutate: told((outcomes) => outcomes.map((each) => (each.status === 'deferred' ? rejected : each))),
  },
  {
    fault: 'takes a job that failed for a success',
    breaks: 'a job that fails puts off the leads that it did not come to, and tells what became of the others',
    mutate: told((outcomes, leads) => outcomes.map((each, n) => claimedUnless(each, leads[n] as OutgoingLead))),
  },
  {
    fault: 'reads one page of a job’s results',
    breaks: 'the results of a job are read to their last page',
    mutate: told((outcomes) =>
      outcomes.map((each, n) => (n < 4 ? each : { status: 'unknown', message: 'not in the results' })),
    ),
  },
  {
    fault: 'forgets in a job what was pushed before',
    breaks: 'a rep’s edit survives a job, also one that another process ends',
    mutate: session((real) => ({
      async push(leads, place) {
        const held = await real.lookup(leads.map(({ externalId }) => externalId))
        const blind = leads.map((lead) => ({ ...lead, lastPushed: held.get(lead.externalId)?.values ?? null }))
        return real.push(blind, place)
      },
    })),
  },
]

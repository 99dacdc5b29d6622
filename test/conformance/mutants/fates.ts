/** Connectors that do not heed what people did with the records. */
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { leadsAs, type Mutation, outcomes } from './wrappers.ts'

const unknownId = (lead: OutgoingLead): OutgoingLead => ({ ...lead, crmId: null, lastPushed: null })

export const fateMutations: readonly Mutation[] = [
  {
    fault: 'creates what somebody deleted',
    breaks:
      'a record that somebody deleted stays deleted: its lead is rejected with the reason, which a plan says before',
    mutate: leadsAs(unknownId),
  },
  {
    fault: 'does not hear a person who asks again',
    breaks: 'what was deleted is made anew, once, where the settings say recreate or a person asks for the lead again',
    mutate: leadsAs((lead) => ({ ...lead, recreate: false })),
  },
  {
    fault: 'names the record that was merged away',
    breaks: 'a record that was merged into one of the customer’s is followed there: the winner takes what is new',
    mutate: outcomes((each, { crmId }) => ('crmId' in each && crmId !== null ? { ...each, crmId } : each)),
  },
  {
    fault: 'gives a lead that was merged away a record of its own',
    breaks:
      'a record that was merged into another lead’s is not written: its lead is rejected, and the other’s stays as it is',
    mutate: leadsAs(unknownId),
  },
]

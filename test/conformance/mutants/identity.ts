/** Connectors that know a record by its identity alone. */
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { leadsAs, type Mutation, session } from './wrappers.ts'

const unknownId = (lead: OutgoingLead): OutgoingLead => ({ ...lead, crmId: null, lastPushed: null })

const isNews = ({ row, lastPushed }: OutgoingLead): boolean =>
  lastPushed !== null && !Object.values(lastPushed).includes(row['City'])

export const identityMutations: readonly Mutation[] = [
  {
    fault: 'creates again what lost its identity',
    breaks: 'a known record whose identity somebody emptied gets it back with what is new: there is no second record',
    mutate: leadsAs(unknownId),
  },
  {
    fault: 'creates again what lost the field of its identity',
    breaks:
      'known leads outlive the field of their identity: set up anew they are updated, at one more read for each at most',
    mutate: leadsAs(unknownId),
  },
  {
    fault: 'looks for lost records one by one',
    breaks:
      'known leads outlive the field of their identity: set up anew they are updated, at one more read for each at most',
    mutate: session((real) => ({
      async push(leads) {
        if (leads.some(isNews)) for (let n = 0; n < 5; n += 1) await real.plan(leads)
        return real.push(leads)
      },
    })),
  },
  {
    fault: 'plans to create what it would find',
    breaks:
      'a plan says of known records that they get their identity back, whether its field is there or not, and writes nothing',
    mutate: session((real) => ({ plan: (leads) => real.plan(leads.map(unknownId)) })),
  },
]

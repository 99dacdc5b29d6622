/** Connectors that lose sight of the second record of a lead. */
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { claimedUnless, heldNow, leadsAs, type Mutation, outcomes, session } from './wrappers.ts'

const whole = 'a lead that is two records is acknowledged once both are there, and pushed again it makes neither anew'
const neither = 'a lead of whose two records one is refused leaves neither behind, and fixed it makes one of each'
const edited =
  'what people changed in the second record of a lead stays, and what they left unchanged follows the register'

export const companionMutations: readonly Mutation[] = [
  {
    fault: 'leaves the second record out and says that it wrote the lead',
    breaks: whole,
    mutate: leadsAs(withoutPerson),
  },
  {
    fault: 'makes a second record at each push',
    breaks: whole,
    mutate: session((real) => ({
      async push(leads) {
        const told = await real.push(leads)
        await real.push(leads.filter(({ type }) => type === 'company').map(anotherPerson))
        return told
      },
    })),
  },
  {
    fault: 'writes the records of a lead one after the other',
    breaks: neither,
    mutate: session((real) => ({
      async push(leads) {
        await real.push(leads.map(withoutPerson))
        return real.push(leads)
      },
    })),
  },
  {
    fault: 'acknowledges a lead whose second record was refused',
    breaks: neither,
    mutate: outcomes(claimedUnless),
  },
  {
    fault: 'forgets what it pushed into the second record',
    breaks: edited,
    mutate: leadsAs((lead) =>
      remembering(lead, (name) => (isOfPerson(name) ? {} : { [name]: lead.lastPushed?.[name] })),
    ),
  },
  {
    fault: 'writes over what people changed in the second record',
    breaks: edited,
    mutate: leadsAs(async (lead, real) => {
      const held = await heldNow(real, lead)
      return remembering(lead, (name) => ({ [name]: isOfPerson(name) ? held?.[name] : lead.lastPushed?.[name] }))
    }),
  },
]

let others = 0
const isOfPerson = (name: string): boolean => name.startsWith('Contact.')

function withoutPerson(lead: OutgoingLead): OutgoingLead {
  const { Company, LegalName } = lead.row
  return { ...lead, row: { ...lead.row, Last_Name: Company ?? LegalName ?? null, Email: null } }
}

/** As if the person were a director of the company. */
function anotherPerson(lead: OutgoingLead): OutgoingLead {
  const row = { ...lead.row, CompanyCINs: lead.row['CIN'] ?? null }
  return { ...lead, type: 'director', externalId: `director:another${others++}`, row, lastPushed: null, crmId: null }
}

function remembering(lead: OutgoingLead, of: (name: string) => Readonly<Record<string, unknown>>): OutgoingLead {
  if (lead.lastPushed === null) return lead
  return { ...lead, lastPushed: Object.assign({}, ...Object.keys(lead.lastPushed).map(of)) }
}

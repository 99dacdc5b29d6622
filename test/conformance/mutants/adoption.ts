/** Connectors that help themselves to records which the customer had before. */
import type { Adoption, Claim, CrmSession, FailedClaim, OutgoingLead } from '../../../connectors/contract.ts'
import type { Sandbox, SandboxRecord } from '../../../sandboxes/contract.ts'
import { leadsAs, type Mutation, session } from './wrappers.ts'

export const adoptionMutations: readonly Mutation[] = [
  {
    fault: 'finds no record that was there before',
    breaks:
      'a record that the customer had before is named for its lead, with what would change, and nothing is written',
    mutate: adopting(() => ({ match: async () => new Map() })),
  },
  {
    fault: 'takes what a plan looks for',
    breaks:
      'a record that the customer had before is named for its lead, with what would change, and nothing is written',
    mutate: adopting((real) => ({
      async match(leads) {
        await takeAll(real, leads)
        return new Map()
      },
    })),
  },
  {
    fault: 'adopts without consent',
    breaks: 'without consent a push makes a record of its own and leaves the customer’s as it is',
    mutate: session((real) => ({
      async push(leads, place) {
        if (real.adoption) await takeAll(real.adoption, leads)
        return real.push(leads, place)
      },
    })),
  },
  {
    fault: 'adopts a record that another lead owns',
    breaks: 'a record that stands for a lead is nobody else’s: it is not matched, and a claim leaves it alone',
    mutate: adopting((real, sandbox) => ({
      async match(leads) {
        const found = new Map(await real.match(leads))
        for (const { externalId, row } of leads) {
          const record = sandbox.records().find(({ properties }) => Object.values(properties).includes(row['Email']))
          if (record && !found.has(externalId))
            found.set(externalId, { is: 'one', crmId: record.id, changes: [], columns: [] })
        }
        return found
      },
    })),
  },
  {
    fault: 'claims a record from the lead that owns it',
    breaks: 'a record that stands for a lead is nobody else’s: it is not matched, and a claim leaves it alone',
    mutate: adopting((_, sandbox) => ({ claim: async (claims) => stamp(sandbox, claims, () => ({})) })),
  },
  {
    fault: 'writes into a record what it claims it for',
    breaks: 'a claim gives the record the identity of its lead and changes nothing else, and can be repeated',
    mutate: adopting((_, sandbox) => ({
      claim: async (claims) => stamp(sandbox, claims, (field, held) => (held === '' ? {} : { [field]: 'Panji' })),
    })),
  },
  {
    fault: 'says that it claimed and did nothing',
    breaks: 'a claim gives the record the identity of its lead and changes nothing else, and can be repeated',
    mutate: adopting(() => ({ claim: async () => new Map() })),
  },
  {
    fault: 'takes what the customer wrote into an adopted record for its own',
    breaks: 'what the customer wrote into an adopted record stays, and what was empty is filled',
    mutate: leadsAs(async (lead, real) => {
      const held = (await real.lookup([lead.externalId])).get(lead.externalId)
      return held && lead.lastPushed === null ? { ...lead, lastPushed: held.values } : lead
    }),
  },
  {
    fault: 'gives a lead a second record',
    breaks: 'a lead that has a record claims no other',
    mutate: adopting((_, sandbox) => ({ claim: async (claims) => stamp(sandbox, claims, () => ({})) })),
  },
  {
    fault: 'takes the first of several records that agree',
    breaks: 'of several records that agree none is taken',
    mutate: adopting((real) => ({
      async match(leads) {
        const found = await real.match(leads)
        return new Map(
          [...found].map(([id, each]) => [
            id,
            each.is === 'one' ? each : { is: 'one', crmId: 'first', changes: [], columns: [] },
          ]),
        )
      },
    })),
  },
]

type Change = (real: Adoption, sandbox: Sandbox) => Partial<Adoption>

/** The real adoption, but for what is changed. */
function adopting(change: Change): Mutation['mutate'] {
  return (connector, sandbox) => ({
    ...connector,
    open(settings, options) {
      const real = connector.open(settings, options)
      const { adoption } = real
      if (adoption === undefined) return real
      const changed: Adoption = {
        match: (leads) => adoption.match(leads),
        claim: (claims) => adoption.claim(claims),
        ...change(adoption, sandbox()),
      }
      return new Proxy(real, {
        get(target: CrmSession, name) {
          if (name === 'adoption') return changed
          const member: unknown = Reflect.get(target, name, target)
          return typeof member === 'function' ? member.bind(target) : member
        },
      })
    },
  })
}

async function takeAll(adoption: Adoption, leads: readonly OutgoingLead[]): Promise<void> {
  const claims: Claim[] = []
  for (const [externalId, match] of await adoption.match(leads))
    if (match.is === 'one') claims.push({ externalId, crmId: match.crmId })
  await adoption.claim(claims)
}

/** Writes identities past every check. @param more of a text field of the record, what else is written. */
function stamp(
  sandbox: Sandbox,
  claims: readonly Claim[],
  more: (field: string, held: string) => Readonly<Record<string, string>>,
): Map<string, FailedClaim> {
  for (const { externalId, crmId } of claims) {
    const record = sandbox.records().find(({ id }) => id === crmId)
    if (record === undefined) continue
    const texts = Object.entries(record.properties).filter(([name]) => /^(LastName|lastname|Last_Name)$/.test(name))
    sandbox.edit(crmId, { ...Object.assign({}, ...texts.map(([name, held]) => more(name, String(held)))) })
    sandbox.edit(crmId, { [identityIn(record)]: externalId })
  }
  return new Map()
}

const identityIn = ({ object }: SandboxRecord): string =>
  ({ Lead: 'Panji_Id__c', Contact: 'Panji_Id__c', contacts: 'panji_id', Leads: 'Panji_Id' })[object] ?? 'Panji_Id__c'

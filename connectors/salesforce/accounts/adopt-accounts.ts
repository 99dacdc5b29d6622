/** Adopts Accounts and Contacts that the org had before Panji: an Account for a company, a Contact for a director. */
import { type AdoptionPort, adoptionBy, type Candidate } from '../../adoption.ts'
import type { Adoption } from '../../contract.ts'
import { changesOf, decideFields } from '../../field-ownership.ts'
import type { MatchRule } from '../../match-rules.ts'
import { findHoldingAny } from '../bulk/read-many.ts'
import { belongsToNoLead, claimedBy } from '../claims.ts'
import type { SalesforceRecord } from '../client.ts'
import type { AccountDecider } from './decide.ts'
import { mainObjectOf, mainObjectOfId, namesWithin, partName, partObjects, partsOf } from './parts.ts'

const usual: readonly MatchRule[] = [
  { 'Contact.Email': 'Email' },
  { 'Contact.MobilePhone': 'Mobile' },
  { 'Account.Name': 'Company', 'Account.Website': 'Email_Domain' },
  { 'Account.Phone': 'Phone' },
  { 'Account.Name': 'Company', 'Account.BillingCity': 'City' },
]

export function adoptionOfAccounts(decider: AccountDecider): Adoption | undefined {
  const { settings, client } = decider.parts
  const { external_id_field: identity } = settings
  const asCandidate = (record: SalesforceRecord): Candidate => ({
    crmId: record.Id,
    values: record,
    identity: record[identity],
  })
  const ways: AdoptionPort = {
    by: { named: settings.match_on, usual, askable: () => decider.askable() },
    concerns: (rule, { type }) => Object.keys(rule).every((field) => field.startsWith(`${mainObjectOf(type)}.`)),
    async candidates(values, { rules, leads }) {
      const mapped = await decider.fields(leads, 'plan')
      const found: Candidate[] = []
      const sharedBy = new Map<string, readonly string[]>()
      for (const object of partObjects) {
        const named = namesWithin(
          object,
          rules.flatMap((rule) => Object.keys(rule)),
        )
        const own = namesWithin(object, values.keys()).map(
          (name) => [name, values.get(partName(object, name)) ?? []] as const,
        )
        const fields = [...mapped[object].keys(), ...named]
        const where = belongsToNoLead(identity, mapped[object])
        const { records, shared } = await findHoldingAny(client, { object, values: new Map(own), fields, where })
        for (const [name, texts] of shared) sharedBy.set(partName(object, name), texts)
        for (const record of records) {
          const asNamed = Object.fromEntries(named.map((each) => [partName(object, each), record[each]]))
          found.push({ ...asCandidate(record), values: { ...record, ...asNamed } })
        }
      }
      return { records: found, shared: sharedBy }
    },
    async changesIn(leads) {
      const fields = await decider.fields(leads, 'plan')
      return (lead, { values }) =>
        partsOf(lead, settings, fields).flatMap(({ object, target }) => {
          // A company's person is created and has nothing to compare with.
          const present = object === mainObjectOf(lead.type) ? values : {}
          const decision = decideFields(target, present, null, decider.ruleFor(lead, object))
          return changesOf(decision, present).map((each) => ({ ...each, field: partName(object, each.field) }))
        })
    },
    ...claimedBy(client, settings, mainObjectOfId, [], asCandidate),
  }
  return adoptionBy(ways)
}

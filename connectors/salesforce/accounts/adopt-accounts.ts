/** Accounts and Contacts that the org had before Panji: a company is taken for an Account, a director for a Contact. */
import { type AdoptionWays, adoptionBy, type Candidate } from '../../adoption.ts'
import type { Adoption } from '../../contract.ts'
import { changesOf, decideFields } from '../../field-ownership.ts'
import { claimedBy, recordsHolding } from '../claims.ts'
import type { SalesforceRecord } from '../client.ts'
import type { AccountDecider } from './decide.ts'
import { mainObjectOf, mainObjectOfId, type PartObject, partName, partsOf } from './parts.ts'

export function adoptionOfAccounts(decider: AccountDecider): Adoption | undefined {
  const { settings, client } = decider.parts
  const { external_id_field: identity } = settings
  const asCandidate = (record: SalesforceRecord): Candidate => ({
    crmId: record.Id,
    values: record,
    identity: record[identity],
  })
  const ways: AdoptionWays = {
    rules: settings.match_on,
    concerns: (rule, { type }) => Object.keys(rule).every((field) => field.startsWith(`${mainObjectOf(type)}.`)),
    async candidates(field, values, { rule, leads }) {
      const [object, name = ''] = field.split('.') as [PartObject, string]
      const fields = await decider.fieldMaps(await decider.isSetUp(), leads)
      const named = Object.keys(rule).map((each) => each.slice(object.length + 1))
      const columns = [...fields[object].keys(), ...named]
      const records = await recordsHolding(client, object, { field: name, values, columns })
      return records.map((record) => {
        const asNamed = Object.fromEntries(named.map((each) => [partName(object, each), record[each]]))
        return { ...asCandidate(record), values: { ...record, ...asNamed } }
      })
    },
    async changesIn(leads) {
      const fields = await decider.fieldMaps(await decider.isSetUp(), leads)
      return (lead, { values }) =>
        partsOf(lead, settings, fields).flatMap(({ object, target }) => {
          // The person beside a company is made new.
          const present = object === mainObjectOf(lead.type) ? values : {}
          const decision = decideFields(target, present, null, decider.ruleFor(lead, object))
          return changesOf(decision, present).map((each) => ({ ...each, field: partName(object, each.field) }))
        })
    },
    ...claimedBy(client, settings, mainObjectOfId, [], asCandidate),
  }
  return adoptionBy(ways)
}

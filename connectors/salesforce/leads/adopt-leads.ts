/** Leads that the org had before Panji. One that was converted is left to the people who did that. */
import { type AdoptionWays, adoptionBy, type Candidate } from '../../adoption.ts'
import type { Adoption } from '../../contract.ts'
import { changesOf, decideFields } from '../../field-ownership.ts'
import { claimedBy, recordsHolding } from '../claims.ts'
import type { SalesforceRecord } from '../client.ts'
import { mapLead } from '../mapping.ts'
import { holdsIdentity } from '../setup.ts'
import type { LeadDecider } from './decide.ts'

export function adoptionOfLeads(decider: LeadDecider): Adoption | undefined {
  const { settings, client } = decider.parts
  const { external_id_field: identity } = settings
  const isSetUp = async () => holdsIdentity(await decider.described.get(), identity)
  const asCandidate = (record: SalesforceRecord): Candidate => ({
    crmId: record.Id,
    values: record,
    identity: record[identity],
    barred: record['IsConverted'] === true ? 'the record was converted' : undefined,
  })
  const ways: AdoptionWays = {
    rules: settings.match_on,
    async candidates(field, values, { rule, leads }) {
      // Before set-up no record stands for a lead, and none can be asked for it.
      const fields = await decider.fieldMap(await isSetUp(), leads)
      const columns = [...fields.keys(), ...Object.keys(rule), 'IsConverted']
      return (await recordsHolding(client, 'Lead', { field, values, columns })).map(asCandidate)
    },
    async changesIn(leads) {
      const fields = await decider.fieldMap(await isSetUp(), leads)
      return (lead, { values }) => {
        const target = mapLead(lead, settings, fields)
        return changesOf(decideFields(target, values, null, decider.ruleFor(lead)), values)
      }
    },
    ...claimedBy(client, settings, () => 'Lead', ['IsConverted'], asCandidate),
  }
  return adoptionBy(ways)
}

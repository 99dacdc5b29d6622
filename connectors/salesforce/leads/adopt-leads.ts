/** Adopts Leads that the org had before Panji. Converted ones are left to the users who converted them. */
import { type AdoptionPort, adoptionBy, type Candidate } from '../../adoption.ts'
import type { Adoption } from '../../contract.ts'
import { changesOf, decideFields } from '../../field-ownership.ts'
import type { MatchRule } from '../../match-rules.ts'
import { findHoldingAny } from '../bulk/read-many.ts'
import { belongsToNoLead, claimedBy } from '../claims.ts'
import type { SalesforceRecord } from '../client.ts'
import { mapLead } from '../mapping.ts'
import { fieldsToAskBy } from '../setup.ts'
import type { LeadDecider } from './decide.ts'

const usual: readonly MatchRule[] = [
  { Email: 'Email' },
  { MobilePhone: 'Mobile' },
  { Company: 'Company', Email: 'Email_Domain' },
  { Company: 'Company', City: 'City' },
]

export function adoptionOfLeads(decider: LeadDecider): Adoption | undefined {
  const { settings, client } = decider.parts
  const { external_id_field: identity } = settings
  const asCandidate = (record: SalesforceRecord): Candidate => ({
    crmId: record.Id,
    values: record,
    identity: record[identity],
    barred: record['IsConverted'] === true ? 'the record was converted' : undefined,
  })
  const ways: AdoptionPort = {
    by: { named: settings.match_on, usual, askable: async () => fieldsToAskBy(await decider.described.get()) },
    async candidates(values, { rules, leads }) {
      const mapped = await decider.fields(leads, 'plan')
      const fields = [...mapped.keys(), ...rules.flatMap((rule) => Object.keys(rule)), 'IsConverted']
      const where = ['IsConverted = false', ...belongsToNoLead(identity, mapped)]
      const { records, shared } = await findHoldingAny(client, { object: 'Lead', values, fields, where })
      return { records: records.map(asCandidate), shared }
    },
    async changesIn(leads) {
      const fields = await decider.fields(leads, 'plan')
      return (lead, { values }) => {
        const target = mapLead(lead, settings, fields)
        return changesOf(decideFields(target, values, null, decider.ruleFor(lead)), values)
      }
    },
    ...claimedBy(client, settings, () => 'Lead', ['IsConverted'], asCandidate),
  }
  return adoptionBy(ways)
}

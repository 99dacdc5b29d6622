/**
 * Companies and contacts that the account had before Panji. They are read by a property whose values are unique, such as a
 * contact's e-mail or a registration number of the customer's own: such a read sees every record, which a search does not.
 */
import { type AdoptionWays, adoptionBy, type Candidate } from '../adoption.ts'
import type { Adoption, Claim, OutgoingLead } from '../contract.ts'
import { changesOf, type FieldDecision } from '../field-ownership.ts'
import type { MatchRule } from '../match-rules.ts'
import type { FoundRecord } from '../push-port.ts'
import { slices } from '../slices.ts'
import type { HubspotClient } from './client.ts'
import { findRecords, readBy } from './lookup.ts'
import { type CrmObject, idProperty, objectOf, objectOfExternalId, ownOverrides, propertiesOf } from './mapping.ts'
import { refusalOf } from './refusals.ts'
import { BatchReply, faultOf } from './replies.ts'
import type { HubspotSettings } from './settings.ts'

const batchSize = 100

/** A company of HubSpot's own has no property whose values are unique: the customer names one of theirs. */
const usual: readonly MatchRule[] = [{ 'contacts.email': 'Email' }]

export interface AdoptParts {
  readonly client: HubspotClient
  readonly settings: HubspotSettings
  decider(leads: readonly OutgoingLead[]): Promise<(lead: OutgoingLead, record: FoundRecord) => FieldDecision<string>>
}

export function adoptionOf({ client, settings, decider }: AdoptParts): Adoption | undefined {
  const ways: AdoptionWays = {
    by: { named: settings.match_on, usual },
    concerns: (rule, { type }) => Object.keys(rule)[0]?.startsWith(`${objectOf(type)}.`) === true,
    async candidates(values, { leads }) {
      const found: Candidate[] = []
      for (const [field, texts] of values) {
        const [object, property] = field.split('.') as [CrmObject, string]
        const named = leads.flatMap((lead) => (objectOf(lead.type) === object ? [...ownOverrides(lead).keys()] : []))
        const asked = [property, ...propertiesOf(object).keys(), ...named]
        for (const { crmId, values: held } of await readBy(client, object, property, texts, asked))
          found.push(candidate(crmId, { ...held, [field]: held[property] }))
      }
      return found
    },
    async changesIn(leads) {
      const decide = await decider(leads)
      return (lead, record) => changesOf(decide(lead, record), record.values)
    },
    async read(claims) {
      const found = new Map<string, Candidate>()
      for (const [object, some] of byObject(claims)) {
        const ids = [...new Set(some.map(({ crmId }) => crmId))]
        const records = await readBy(client, object, 'hs_object_id', ids, [idProperty])
        for (const { crmId, values } of records) found.set(crmId, candidate(crmId, values))
      }
      return found
    },
    async holders(externalIds) {
      const found = await findRecords(client, externalIds, 'refuse')
      return new Map([...found].map(([externalId, { crmId }]) => [externalId, crmId]))
    },
    write: (claims) => nameRecords(client, claims),
  }
  return adoptionBy(ways)
}

const candidate = (crmId: string, values: FoundRecord['values']): Candidate => ({
  ...{ crmId, values },
  identity: values[idProperty],
})

export function byObject(claims: readonly Claim[]): ReadonlyMap<CrmObject, readonly Claim[]> {
  return Map.groupBy(claims, ({ externalId }) => objectOfExternalId(externalId))
}

/** Writes the identities. @returns by external id why one was not written. */
export async function nameRecords(
  client: HubspotClient,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>()
  for (const [object, some] of byObject(claims)) await stamp(client, object, some, refused)
  return refused
}

/** A trace for each row keeps one that is refused from sinking the others. */
async function stamp(
  client: HubspotClient,
  object: CrmObject,
  claims: readonly Claim[],
  refused: Map<string, string>,
): Promise<void> {
  for (const some of slices(claims, batchSize)) {
    const inputs = some.map(({ externalId, crmId }) => ({
      ...{ id: crmId, objectWriteTraceId: externalId },
      properties: { [idProperty]: externalId },
    }))
    const path = `/crm/objects/2026-03/${object}/batch/update`
    const { status, body } = await client.ask({ method: 'POST', path, body: { inputs } })
    const reply = BatchReply.catch({ results: [], errors: [] }).parse(status < 300 ? body : {})
    const written = new Set(reply.results.map(({ id }) => id))
    const [fault] = reply.errors
    const reason = status < 300 ? (fault ? refusalOf(fault).message : null) : refusalOf(faultOf(body)).message
    for (const { externalId, crmId } of some)
      if (!written.has(crmId)) refused.set(externalId, reason ?? 'the CRM did not say what became of it')
  }
}

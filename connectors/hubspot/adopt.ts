/**
 * Adopts companies and contacts that the account had before Panji. They are read by a property with unique values,
 * such as a contact's e-mail or the customer's own registration number: such a read sees every record, which a search
 * does not.
 */
import { type AdoptionPort, adoptionBy, type Candidate } from '../adoption.ts'
import type { Adoption, Claim, NotWritten, OutgoingLead, PushOutcome } from '../contract.ts'
import { changesOf, type FieldDecision } from '../field-ownership.ts'
import { unlessNamed } from '../known-records.ts'
import type { MatchRule } from '../match-rules.ts'
import type { FoundRecord } from '../push-port.ts'
import { halves, slices } from '../slices.ts'
import type { HubspotClient } from './client.ts'
import { findRecords, readBy } from './lookup.ts'
import { type CrmObject, idProperty, objectOf, objectOfExternalId, ownOverrides, propertiesOf } from './mapping.ts'
import { verdictsOf } from './outcomes.ts'
import { isConflict, refusalOf } from './refusals.ts'
import { BatchReply, type CrmFault, faultOf } from './replies.ts'
import type { HubspotSettings } from './settings.ts'
import { lacksIdentity, outcomeOfFault, withoutIdentity } from './upsert.ts'

const batchSize = 100

/** HubSpot's companies have no standard property with unique values: the customer names one of their own. */
const usual: readonly MatchRule[] = [{ 'contacts.email': 'Email' }]

export interface AdoptParts {
  readonly client: HubspotClient
  readonly settings: HubspotSettings
  decider(leads: readonly OutgoingLead[]): Promise<(lead: OutgoingLead, record: FoundRecord) => FieldDecision<string>>
}

export function adoptionOf({ client, settings, decider }: AdoptParts): Adoption | undefined {
  const ways: AdoptionPort = {
    by: { named: settings.match_on, usual },
    concerns: (rule, { type }) => Object.keys(rule)[0]?.startsWith(`${objectOf(type)}.`) === true,
    async candidates(values, { leads }) {
      const found: Candidate[] = []
      for (const [field, texts] of values) {
        const [object, property] = field.split('.') as [CrmObject, string]
        const named = leads.flatMap((lead) => (objectOf(lead.type) === object ? [...ownOverrides(lead).keys()] : []))
        const properties = [property, ...propertiesOf(object).keys(), ...named]
        for (const { crmId, values: held } of await readBy(client, object, property, texts, properties))
          found.push(candidate(crmId, { ...held, [field]: held[property] }))
      }
      return { records: found }
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

/** Writes the external ids. @returns the outcomes of those that were not written, by external id. */
export async function nameRecords(
  client: HubspotClient,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, NotWritten>> {
  const unwritten = new Map<string, NotWritten>()
  for (const [object, some] of byObject(claims)) await stamp(client, object, some, unwritten)
  return unwritten
}

/**
 * With a trace id per row, one refused row does not fail the others; if the batch is refused all the same, it is
 * halved.
 */
async function stamp(
  client: HubspotClient,
  object: CrmObject,
  claims: readonly Claim[],
  unwritten: Map<string, NotWritten>,
): Promise<void> {
  const waiting: (readonly Claim[])[] = slices(claims, batchSize)
  for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
    const inputs = some.map(({ externalId, crmId }) => ({
      ...{ id: crmId, objectWriteTraceId: externalId },
      properties: { [idProperty]: externalId },
    }))
    const path = `/crm/objects/2026-03/${object}/batch/update`
    const { status, body } = await client.ask({ method: 'POST', path, body: { inputs } })
    const whole = status < 300 ? null : faultOf(body)
    if (whole !== null && lacksIdentity(whole)) throw withoutIdentity(object, status, whole)
    if (whole !== null && some.length > 1) waiting.unshift(...halves(some))
    else {
      const reply = BatchReply.catch({ results: [], errors: [] }).parse(whole === null ? body : {})
      const rows = some.map((claim) => ({ claim, lead: { ...claim, itemId: claim.externalId } }))
      const written = new Set(reply.results.map(({ id }) => id))
      for (const [{ claim }, verdict] of verdictsOf(rows, reply)) {
        const fault = whole ?? (verdict.kind === 'refused' ? verdict.fault : null)
        const outcome = written.has(claim.crmId) ? null : unlessNamed(fault === null ? unsaid : refused(fault, status))
        if (outcome !== null) unwritten.set(claim.externalId, outcome)
      }
    }
  }
}

const unsaid: PushOutcome = { status: 'unknown', message: 'HubSpot did not say what became of it' }

/** Another record has the external id by now: the next lookup finds it. */
const refused = (fault: CrmFault, status: number): PushOutcome =>
  isConflict(fault, status) ? { status: 'deferred', afterMs: 2_000, ...refusalOf(fault) } : outcomeOfFault(fault)

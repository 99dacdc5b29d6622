/** Adopts Leads that the org had before Panji. */
import { AppError } from '../../src/errors.ts'
import { type AdoptionPort, adoptionBy, type Candidate } from '../adoption.ts'
import type { Adoption, Claim, CrmField, NotWritten, OutgoingLead } from '../contract.ts'
import { changesOf, type FieldDecision } from '../field-ownership.ts'
import { unlessNamed } from '../known-records.ts'
import type { MatchRule } from '../match-rules.ts'
import type { FoundRecord } from '../push-port.ts'
import { halves, slices } from '../slices.ts'
import type { ZohoClient } from './client.ts'
import { findBy, findRecords } from './lookup.ts'
import { identityField } from './mapping.ts'
import { outcomeOf, rowReplies } from './outcomes.ts'
import { RowReply } from './replies.ts'
import type { ZohoSettings } from './settings.ts'

const batchSize = 100

const usual: readonly MatchRule[] = [
  { Email: 'Email' },
  { Mobile: 'Mobile' },
  { Company: 'Company', Email: 'Email_Domain' },
  { Company: 'Company', City: 'City' },
]

export interface AdoptParts {
  readonly client: ZohoClient
  readonly settings: ZohoSettings
  /** Fields of Leads that this user may write. */
  askable(): Promise<ReadonlySet<string>>
  fieldsOf(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, CrmField>>
  decider(
    leads: readonly OutgoingLead[],
  ): Promise<(lead: OutgoingLead, record: FoundRecord) => FieldDecision<string | number>>
}

export function adoptionOf({ client, settings, askable, fieldsOf, decider }: AdoptParts): Adoption | undefined {
  const ways: AdoptionPort = {
    by: { named: settings.match_on, usual, askable },
    async candidates(values, { rules, leads }) {
      // Before set-up no record has an external id, and the field cannot be queried.
      const columns = [...rules.flatMap((rule) => Object.keys(rule)), ...(await fieldsOf(leads)).keys()]
      const held = [...values].flatMap(([field, texts]) => texts.filter(isQuotable).map((text): Held => [field, text]))
      return (await recordsHolding(client, held, columns)).map(candidate)
    },
    async changesIn(leads) {
      const decide = await decider(leads)
      return (lead, record) => changesOf(decide(lead, record), record.values)
    },
    async read(claims) {
      const found = await readByIds(client, claims, [identityField])
      return new Map([...found].map(([crmId, record]) => [crmId, candidate(record)]))
    },
    async holders(externalIds) {
      const found = await findRecords(client, externalIds, await fieldsOf([]))
      return new Map([...found].map(([externalId, { crmId }]) => [externalId, crmId]))
    },
    write: (claims) => nameRecords(client, settings, claims),
  }
  return adoptionBy(ways)
}

type Held = readonly [field: string, text: string]

/**
 * A question that finds more records than Zoho returns is asked by halves. @throws AppError DESTINATION_INVALID if a
 * single value finds too many.
 */
async function recordsHolding(
  client: ZohoClient,
  held: readonly Held[],
  columns: readonly string[],
): Promise<readonly FoundRecord[]> {
  const byField = Map.groupBy(held, ([field]) => field)
  const values = new Map([...byField].map(([field, some]) => [field, some.map(([, text]) => text)]))
  const { records, mayBeMore } = await findBy(client, values, columns)
  if (!mayBeMore) return records
  if (held.length === 1) {
    const [field = ''] = values.keys()
    const more = 'name first a field that few records share'
    throw new AppError('DESTINATION_INVALID', `match_on: Leads.${field} finds too many records; ${more}`)
  }
  const found: FoundRecord[] = []
  for (const half of halves(held)) found.push(...(await recordsHolding(client, half, columns)))
  return found
}

/** Writes the external ids. @returns the outcomes of those that were not written, by external id. */
export async function nameRecords(
  client: ZohoClient,
  { triggers }: ZohoSettings,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, NotWritten>> {
  const unwritten = new Map<string, NotWritten>()
  for (const some of slices(claims, batchSize)) {
    const data = some.map(({ externalId, crmId }) => ({ id: crmId, [identityField]: externalId }))
    const trigger = triggers === 'off' ? { trigger: [] } : {}
    const { body } = await client.ask({ method: 'PUT', path: '/Leads', body: { data, ...trigger } })
    const replies = rowReplies(body, some.length)
    const whole = replies === null ? RowReply.safeParse(body).data : undefined
    some.forEach(({ externalId }, n) => {
      const outcome = unlessNamed(outcomeOf(replies?.[n] ?? whole, 'updated', {}))
      if (outcome !== null) unwritten.set(externalId, outcome)
    })
  }
  return unwritten
}

/** The existing records of these claims, by Zoho's id. */
export async function readByIds(
  client: ZohoClient,
  claims: readonly Claim[],
  columns: readonly string[],
): Promise<ReadonlyMap<string, FoundRecord>> {
  const ids = [...new Set(claims.map(({ crmId }) => crmId))].filter((id) => /^\d{1,30}$/.test(id))
  const { records } = await findBy(client, new Map([['id', ids]]), columns)
  return new Map(records.map((record) => [record.crmId, record]))
}

const candidate = ({ crmId, values }: FoundRecord): Candidate => ({ crmId, values, identity: values[identityField] })

/** Texts that COQL could misread as the end of a literal are not queried. */
const isQuotable = (text: string): boolean => text.length <= 200 && !/['"\\\p{Cc}]/u.test(text)

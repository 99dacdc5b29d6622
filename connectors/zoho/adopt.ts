/** Adopts Leads that the org had before Panji. */
import { type AdoptionPort, adoptionBy, type Candidate, type Candidates, type ValuesByField } from '../adoption.ts'
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
      const fields = await fieldsOf(leads)
      const columns = [...rules.flatMap((rule) => Object.keys(rule)), ...fields.keys()]
      // Before set-up no record has an external id, and the field cannot be queried.
      const empty = fields.has(identityField) ? identityField : null
      const held = [...values].flatMap(([field, texts]) => texts.filter(isQuotable).map((text): Held => [field, text]))
      return recordsHolding(client, held, columns, empty)
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

/** A question that finds more records than Zoho returns is asked by halves. @param empty a field that is empty in each. */
async function recordsHolding(
  client: ZohoClient,
  held: readonly Held[],
  columns: readonly string[],
  empty: string | null,
): Promise<Candidates> {
  const found: Candidate[] = []
  const shared: Held[] = []
  let open: readonly (readonly Held[])[] = [held]
  while (open.length > 0) {
    const next: (readonly Held[])[] = []
    for (const some of open) {
      const { records, mayBeMore } = await findBy(client, textsByField(some), columns, empty)
      if (mayBeMore && some.length > 1) next.push(...halves(some))
      else {
        if (mayBeMore) shared.push(...some)
        found.push(...records.map(candidate))
      }
    }
    open = next
  }
  return { records: found, shared: textsByField(shared) }
}

const textsByField = (held: readonly Held[]): ValuesByField =>
  new Map([...Map.groupBy(held, ([field]) => field)].map(([field, some]) => [field, some.map(([, text]) => text)]))

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
const isQuotable = (text: string): boolean => text.length <= 200 && !/["\\\p{Cc}]/u.test(text)

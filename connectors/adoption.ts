/**
 * Records that a customer had in a CRM before Panji, for every connector alike: which of them stands for which lead by the
 * fields that the settings name, and how it is given the lead's identity. To match writes nothing; to claim writes the
 * identity and nothing else, and claiming again changes nothing more.
 */
import { z } from 'zod'
import { leadColumns } from '../config/lead-columns.ts'
import type { Adoption, Claim, FieldChange, Match, OutgoingLead } from './contract.ts'
import { domainIn, emailDomainColumn } from './email-domain.ts'

type Values = Readonly<Record<string, unknown>>

const columnNames = new Set(Object.values(leadColumns).flatMap((columns) => columns.map(({ name }) => name)))

/** Field of the CRM → lead column; a record matches where all of them agree. */
const MatchRule = z
  .record(
    z.string().regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)?$/, 'must be the name of a field'),
    z.string().refine((name) => name === emailDomainColumn || columnNames.has(name), 'is no lead column'),
  )
  .refine((rule) => Object.keys(rule).length >= 1 && Object.keys(rule).length <= 4, 'must name one to four fields')
export type MatchRule = z.output<typeof MatchRule>

/** The first rule that finds a record decides. None: nothing is looked for. */
export const MatchOn = z.array(MatchRule).max(5).default([])

/** A record of the CRM that may be a lead's. */
export interface Candidate {
  readonly crmId: string
  /** The fields of the rule, as the rule names them, and those that a push compares. */
  readonly values: Values
  /** The external id that it holds; empty where it stands for no lead. */
  readonly identity: unknown
  /** Why it is not to be taken, though it stands for no lead. */
  readonly barred?: string | undefined
}

/** What a connector knows of its CRM. */
export interface AdoptionWays {
  readonly rules: readonly MatchRule[]
  /** True where leads of this kind lie in the object that the rule's fields are of. */
  concerns?(rule: MatchRule, lead: OutgoingLead): boolean
  /** Records that hold one of these values in this field, in whatever case; all that there are. */
  candidates(
    field: string,
    values: readonly string[],
    asked: { readonly rule: MatchRule; readonly leads: readonly OutgoingLead[] },
  ): Promise<readonly Candidate[]>
  /** What a push would change in a record that was taken for the lead. */
  changesIn(leads: readonly OutgoingLead[]): Promise<(lead: OutgoingLead, record: Candidate) => readonly FieldChange[]>
  /** Of these claims the records that there are, by the CRM's id. */
  read(claims: readonly Claim[]): Promise<ReadonlyMap<string, Candidate>>
  /** Who holds these external ids already: the CRM's ids by them. */
  holders(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Writes the identities. @returns by external id why one was not written. */
  write(claims: readonly Claim[]): Promise<ReadonlyMap<string, string>>
}

/** @returns undefined where the settings name nothing to match by. */
export function adoptionBy(ways: AdoptionWays): Adoption | undefined {
  if (ways.rules.length === 0) return undefined
  return { match: (leads) => match(ways, leads), claim: (claims) => claim(ways, claims) }
}

async function match(ways: AdoptionWays, leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, Match>> {
  const changesOf = await ways.changesIn(leads)
  const matches = new Map<string, Match>()
  for (const rule of ways.rules) {
    const open = leads.flatMap((lead) => {
      const key = matches.has(lead.externalId) || ways.concerns?.(rule, lead) === false ? null : keyOfLead(rule, lead)
      return key === null ? [] : [{ lead, key }]
    })
    const found = await findCandidates(
      ways,
      rule,
      open.map(({ lead }) => lead),
    )
    for (const { lead, key } of open) {
      const hits = found.get(key) ?? []
      const [record] = hits
      if (record === undefined) continue
      const only = hits.length === 1 ? record : null
      matches.set(
        lead.externalId,
        only === null
          ? { is: 'unclear', reason: unclear(rule, hits), columns: Object.values(rule) }
          : { is: 'one', crmId: only.crmId, changes: changesOf(lead, only), columns: Object.values(rule) },
      )
    }
  }
  return matches
}

/** Records that stand for no lead, by what they hold in the fields of the rule. */
async function findCandidates(
  ways: AdoptionWays,
  rule: MatchRule,
  leads: readonly OutgoingLead[],
): Promise<ReadonlyMap<string, readonly Candidate[]>> {
  const found = new Map<string, Candidate[]>()
  const [first] = Object.entries(rule)
  if (first === undefined || leads.length === 0) return found
  const [field, column] = first
  // In whatever case they are held they are asked for once.
  const texts = leads.map((lead) => String(heldBy(lead, column)).trim())
  const values = [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()]
  const seen = new Set<string>()
  for (const record of await ways.candidates(field, values, { rule, leads })) {
    const key = keyOfRecord(rule, record.values)
    if (key === null || !isEmpty(record.identity) || record.barred !== undefined || seen.has(record.crmId)) continue
    seen.add(record.crmId)
    found.set(key, [...(found.get(key) ?? []), record])
  }
  return found
}

async function claim(ways: AdoptionWays, claims: readonly Claim[]): Promise<ReadonlyMap<string, string>> {
  const records = await ways.read(claims)
  const holders = await ways.holders(claims.map(({ externalId }) => externalId))
  const wanted = new Map<string, number>()
  for (const { crmId } of claims) wanted.set(crmId, (wanted.get(crmId) ?? 0) + 1)
  const refused = new Map<string, string>()
  const toWrite: Claim[] = []
  for (const each of claims) {
    const record = records.get(each.crmId)
    const reason = refusalOf(each, record, holders.get(each.externalId), wanted.get(each.crmId) ?? 0)
    if (reason !== null) refused.set(each.externalId, reason)
    else if (isEmpty(record?.identity)) toWrite.push(each)
  }
  return toWrite.length === 0 ? refused : new Map([...refused, ...(await ways.write(toWrite))])
}

function refusalOf(
  { externalId, crmId }: Claim,
  record: Candidate | undefined,
  holder: string | undefined,
  wanted: number,
): string | null {
  if (holder !== undefined && holder !== crmId) return `the lead has the record ${holder} by now`
  if (record === undefined) return 'the record is gone'
  if (record.barred !== undefined) return record.barred
  if (!isEmpty(record.identity) && record.identity !== externalId) return 'the record stands for another lead by now'
  return wanted === 1 ? null : 'several leads want this one record'
}

function unclear(rule: MatchRule, hits: readonly Candidate[]): string {
  const ids = hits.slice(0, 5).map(({ crmId }) => crmId)
  return `${hits.length} records agree in ${Object.keys(rule).join(', ')}: ${ids.join(', ')}`
}

const keyOfLead = (rule: MatchRule, lead: OutgoingLead) =>
  keyOf(Object.values(rule).map((column) => heldBy(lead, column)))

const keyOfRecord = (rule: MatchRule, values: Values) =>
  keyOf(
    Object.entries(rule).map(([field, column]) =>
      column === emailDomainColumn ? domainIn(values[field]) : values[field],
    ),
  )

const heldBy = ({ row }: OutgoingLead, column: string): unknown =>
  column === emailDomainColumn ? domainIn(row['Email']) : row[column]

/** Compared without regard to case and to white space around it; null where one of the fields is empty. */
function keyOf(values: readonly unknown[]): string | null {
  const parts = values.map((value) => (isEmpty(value) ? '' : String(value).trim().toLowerCase()))
  return parts.includes('') ? null : JSON.stringify(parts)
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

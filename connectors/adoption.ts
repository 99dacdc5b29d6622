/**
 * Adopts records that a customer had in a CRM before Panji, for every connector: matches them with leads by the
 * fields named in the settings, and gives them the external ids of their leads. Matching writes nothing; claiming
 * writes the external id only and is idempotent.
 */
import type { Adoption, Claim, FailedClaim, FieldChange, Match, NotWritten, OutgoingLead } from './contract.ts'
import { domainIn, emailDomainColumn } from './email-domain.ts'
import { askForRules, type MatchBy, type MatchRule } from './match-rules.ts'

type Values = Readonly<Record<string, unknown>>

/** A CRM record that may belong to a lead. */
export interface Candidate {
  readonly crmId: string
  /** The fields of the rule, by the rule's names, and those that a push compares. */
  readonly values: Values
  /** The external id that it holds; empty if it belongs to no lead. */
  readonly identity: unknown
  /** Why it cannot be adopted although it belongs to no lead. */
  readonly barred?: string | undefined
}

/** Field → values. */
export type ValuesByField = ReadonlyMap<string, readonly string[]>

export interface Candidates {
  readonly records: readonly Candidate[]
  /** Values that more records hold than the CRM returns, which is some of them; missing if there are none. */
  readonly shared?: ValuesByField
}

/** What a connector implements for its CRM. */
export interface AdoptionPort {
  readonly by: MatchBy
  /** True if leads of this kind are stored in the object that has the rule's fields. */
  concerns?(rule: MatchRule, lead: OutgoingLead): boolean
  /**
   * The records that hold one of the values listed for a field, ignoring case, and belong to no lead.
   * @param context.rules rules whose fields each candidate must include.
   */
  candidates(
    values: ValuesByField,
    context: { readonly rules: readonly MatchRule[]; readonly leads: readonly OutgoingLead[] },
  ): Promise<Candidates>
  /** The changes that a push would make in a record adopted for the lead. */
  changesIn(leads: readonly OutgoingLead[]): Promise<(lead: OutgoingLead, record: Candidate) => readonly FieldChange[]>
  /** The existing records of these claims, by the CRM's id. */
  read(claims: readonly Claim[]): Promise<ReadonlyMap<string, Candidate>>
  /** The CRM ids of the records that already hold these external ids, by external id. */
  holders(externalIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Writes the external ids. @returns the outcomes of those that were not written, by external id. */
  write(claims: readonly Claim[]): Promise<ReadonlyMap<string, NotWritten>>
}

/** @returns undefined if the settings ask for no matching. */
export function adoptionBy(port: AdoptionPort): Adoption | undefined {
  if ((port.by.named ?? port.by.usual).length === 0) return undefined
  return { match: (leads) => match(port, leads), claim: (claims) => claim(port, claims) }
}

async function match(port: AdoptionPort, leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, Match>> {
  const rules = await askForRules(port.by)
  const concerning = (rule: MatchRule) =>
    leads.flatMap((lead) => {
      const key = port.concerns?.(rule, lead) === false ? null : keyOfLead(rule, lead)
      return key === null ? [] : [{ lead, key }]
    })
  const sought = rules.map((rule) => ({ rule, wanted: concerning(rule) }))
  const { records, shared = new Map() } = await findCandidates(port, sought, leads)
  // True for most batches: without candidates, nothing has to be compared.
  if (records.length === 0) return new Map()
  const changesOf = await port.changesIn(leads)
  const matches = new Map<string, Match>()
  for (const { rule, wanted } of sought) {
    const columns = Object.values(rule)
    const found = byKey(rule, records)
    const first = firstOf(rule)
    const crowds = crowdsOf(first, records, shared)
    for (const { lead, key } of wanted) {
      if (matches.has(lead.externalId)) continue
      // Which of these records agree in the rule's further fields is not known: not all of them were returned.
      const crowd = crowds.get(keyOfLead(first, lead) ?? '')
      const [record, ...others] = (crowd ?? found.get(key))?.values() ?? []
      if (record === undefined) continue
      const unclear = (of: MatchRule, more: string): Match => ({
        ...{ is: 'unclear', columns: Object.values(of), reason: agreeing(of, [record, ...others], more) },
      })
      if (crowd !== undefined) matches.set(lead.externalId, unclear(first, ' or more'))
      else if (others.length > 0) matches.set(lead.externalId, unclear(rule, ''))
      else matches.set(lead.externalId, { is: 'one', crmId: record.crmId, changes: changesOf(lead, record), columns })
    }
  }
  return matches
}

interface Sought {
  readonly rule: MatchRule
  readonly wanted: readonly { readonly lead: OutgoingLead; readonly key: string }[]
}

/** Queries all rules at once, each by its first field, so that a further rule needs no further call. */
async function findCandidates(
  port: AdoptionPort,
  sought: readonly Sought[],
  leads: readonly OutgoingLead[],
): Promise<Candidates> {
  // Each value is queried once, whatever its case.
  const values = new Map<string, Map<string, string>>()
  for (const { rule, wanted } of sought) {
    const [[field, column] = ['', '']] = Object.entries(firstOf(rule))
    const texts = values.get(field) ?? new Map<string, string>()
    for (const { lead } of wanted) {
      const text = String(heldBy(lead, column)).trim()
      texts.set(text.toLowerCase(), text)
    }
    if (texts.size > 0) values.set(field, texts)
  }
  if (values.size === 0) return { records: [] }
  const distinct = new Map([...values].map(([field, texts]) => [field, [...texts.values()]]))
  return port.candidates(distinct, { rules: sought.map(({ rule }) => rule), leads })
}

/** The field of the rule by which records are queried. */
const firstOf = (rule: MatchRule): MatchRule => Object.fromEntries(Object.entries(rule).slice(0, 1))

/** The records that hold a shared value in the field of the rule, as `byKey`. */
function crowdsOf(first: MatchRule, records: readonly Candidate[], shared: ValuesByField) {
  const texts = Object.keys(first).flatMap((field) => shared.get(field) ?? [])
  const keys = new Set(texts.map((text) => keyOf([text])))
  return new Map(keys.size === 0 ? [] : [...byKey(first, records)].filter(([key]) => keys.has(key)))
}

/** Records without an external id, by their values in the fields of the rule and by their id. */
function byKey(rule: MatchRule, candidates: readonly Candidate[]): ReadonlyMap<string, ReadonlyMap<string, Candidate>> {
  const found = new Map<string, Map<string, Candidate>>()
  for (const record of candidates) {
    const key = keyOfRecord(rule, record.values)
    if (key === null || !isEmpty(record.identity) || record.barred !== undefined) continue
    found.set(key, (found.get(key) ?? new Map<string, Candidate>()).set(record.crmId, record))
  }
  return found
}

async function claim(port: AdoptionPort, claims: readonly Claim[]): Promise<ReadonlyMap<string, FailedClaim>> {
  const records = await port.read(claims)
  const holders = await port.holders(claims.map(({ externalId }) => externalId))
  const wanted = new Map<string, number>()
  for (const { crmId } of claims) wanted.set(crmId, (wanted.get(crmId) ?? 0) + 1)
  const failed = new Map<string, FailedClaim>()
  const toWrite: Claim[] = []
  for (const each of claims) {
    const record = records.get(each.crmId)
    const reason = refusalOf(each, record, holders.get(each.externalId), wanted.get(each.crmId) ?? 0)
    if (reason !== null) failed.set(each.externalId, { reason })
    else if (isEmpty(record?.identity)) toWrite.push(each)
  }
  const unwritten = toWrite.length === 0 ? [] : await port.write(toWrite)
  const crmIds = new Map(toWrite.map(({ externalId, crmId }) => [externalId, crmId]))
  for (const [externalId, outcome] of unwritten) {
    const reason = `The record ${crmIds.get(externalId)} is this lead’s, but did not accept its Panji identity: ${outcome.message}`
    failed.set(externalId, { reason, outcome: { ...outcome, message: reason } })
  }
  return failed
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
  if (!isEmpty(record.identity) && record.identity !== externalId) return 'the record belongs to another lead by now'
  return wanted === 1 ? null : 'several leads want this one record'
}

function agreeing(rule: MatchRule, hits: readonly Candidate[], more: string): string {
  const ids = hits.slice(0, 5).map(({ crmId }) => crmId)
  return `${hits.length}${more} records agree in ${Object.keys(rule).join(', ')}: ${ids.join(', ')}`
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

/** Compared ignoring case and surrounding white space; null if one of the fields is empty. */
function keyOf(values: readonly unknown[]): string | null {
  const parts = values.map((value) => (isEmpty(value) ? '' : String(value).trim().toLowerCase()))
  return parts.includes('') ? null : JSON.stringify(parts)
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

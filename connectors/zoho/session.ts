/**
 * One conversation with one Zoho org. A push reads the records first, sends only what differs and what the ownership rules
 * allow, and gives one outcome per lead in the order given; pushing again leaves one record.
 */
import { AppError } from '../../src/errors.ts'
import type {
  Adoption,
  CrmField,
  CrmSession,
  LimitReport,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  RemoteAccount,
  SessionOptions,
  SetupReport,
  TellRestorable,
} from '../contract.ts'
import { sandboxRecordPage } from '../crm-address.ts'
import { changesOf, decideFields, type FieldDecision, type FieldRule } from '../field-ownership.ts'
import { Newcomers } from '../newcomers.ts'
import { overridesOf, ownershipOf } from '../overrides.ts'
import { adoptionOf } from './adopt.ts'
import { ZohoClient } from './client.ts'
import { deleteRecords, type FoundRecord, findRecords, isExternalId } from './lookup.ts'
import {
  type FieldValues,
  foreseenRefusal,
  identityField,
  mapLead,
  mappedFields,
  neededFields,
  noteOf,
  numberTypes,
} from './mapping.ts'
import { refusedCall } from './outcomes.ts'
import { type FieldMetadata, Organization } from './replies.ts'
import type { ZohoSettings } from './settings.ts'
import { isWritable, listFields, setUp, toCrmField } from './setup.ts'
import { type RowWrite, writeRows } from './write.ts'

interface Fields {
  readonly mapped: ReadonlyMap<string, CrmField>
  /** Those of the customer's mapping, beside Panji's own. */
  readonly named: ReadonlySet<string>
  /** Those whose values the org wants to be unique, beside the identity. */
  readonly unique: readonly string[]
}

interface Decided {
  readonly refusal: ReturnType<typeof foreseenRefusal>
  readonly decision: FieldDecision<string | number>
  readonly without: ReadonlySet<string>
}

const noSuchId = { code: 'INVALID_ID', field: identityField, message: 'The identity is none that a registry gives' }

export class ZohoSession implements CrmSession {
  readonly #settings: ZohoSettings
  readonly #client: ZohoClient
  readonly #newcomers = new Newcomers()
  readonly adoption: Adoption | undefined
  #listed: Promise<readonly FieldMetadata[]> | null = null

  constructor(settings: ZohoSettings, options: SessionOptions) {
    this.#settings = settings
    this.#client = new ZohoClient(settings, options)
    this.adoption = adoptionOf({
      ...{ client: this.#client, settings },
      fieldsOf: async (leads) => (await this.#fields(leads)).mapped,
      decider: async (leads) => {
        const fields = await this.#fields(leads)
        return (lead, record) => this.#decide(lead, record, fields).decision
      },
    })
  }

  async identify(): Promise<RemoteAccount> {
    const { status, body } = await this.#client.ask({ method: 'GET', path: '/org' })
    const account = Organization.safeParse(body).data?.org[0]?.zgid
    if (status >= 300 || account === undefined) throw refusedCall('say whose account it is', status, body)
    const { hostname } = new URL(this.#settings.accounts_url)
    const host = hostname.startsWith('accounts.') ? hostname.replace('accounts.', 'crm.') : 'crm.zoho.com'
    const { sandbox_pass: pass, accounts_url: address } = this.#settings
    const page = sandboxRecordPage('zoho', pass, address) ?? `https://${host}/crm/org${account}/tab/Leads/{id}`
    return { account: String(account), recordUrls: { company: page, director: page, gst: page } }
  }

  async describe(): Promise<readonly CrmField[]> {
    return (await this.#list()).filter(isWritable).map(toCrmField)
  }

  async setup(): Promise<SetupReport> {
    const report = await setUp(this.#client, this.#settings)
    this.#listed = null
    return report
  }

  async limits(): Promise<LimitReport> {
    // Any answer carries what Zoho says of the credits, and this one is needed anyway.
    await this.#list()
    return this.#client.lastSeen
  }

  /** Before set-up there is no field to ask by, and no record that could carry it. */
  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const fields = await this.#fields(leads)
    const found = fields.mapped.has(identityField) ? await this.#find(leads, fields) : new Map<string, FoundRecord>()
    return leads.map((lead): PlannedAction => {
      const record = found.get(lead.externalId)
      const { refusal, decision } = this.#decide(lead, record, fields)
      if (refusal !== null) return { action: 'reject', ...refusal }
      if (record === undefined) return { action: 'create' }
      const changes = changesOf(decision, record.values)
      if (changes.length > 0) return { action: 'update', changes }
      if (decision.held.length === 0) return { action: 'unchanged' }
      return { action: 'conflict', reason: `edited in Zoho: ${decision.held.join(', ')}` }
    })
  }

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    const distinct = [...new Map(leads.map((lead) => [keyOf(lead), lead])).values()]
    if (distinct.length === 0) return []
    const fields = await this.#fields(leads)
    requireFields(fields.mapped)
    const unread = this.#newcomers.mayBeCreated(distinct)
    const found = unread ? new Map<string, FoundRecord>() : await this.#find(distinct, fields)
    if (!unread) this.#newcomers.note(distinct, ({ externalId }) => found.has(externalId))
    const outcomes = new Map<string, PushOutcome>()
    const rows: RowWrite[] = []
    for (const lead of distinct) {
      const record = found.get(lead.externalId)
      const { refusal, decision, without } = this.#decide(lead, record, fields)
      const { write, values } = decision
      if (refusal !== null) outcomes.set(lead.itemId, { status: 'rejected', ...refusal })
      else if (record !== undefined && Object.keys(write).length === 0)
        outcomes.set(lead.itemId, { status: 'unchanged', crmId: record.crmId, values })
      else rows.push({ lead, crmId: record?.crmId ?? null, write, values, without })
    }
    const omit = (row: RowWrite, field: string): RowWrite => {
      const without = new Set([...row.without, field])
      const { write, values } = this.#decide(row.lead, found.get(row.lead.externalId), fields, without).decision
      return { ...row, write, values, without }
    }
    const writing = { client: this.#client, triggers: this.#settings.triggers, omit }
    const report = await writeRows(writing, rows)
    if (report.stoppedBy !== null && report.outcomes.size === 0) throw report.stoppedBy
    for (const [itemId, outcome] of report.outcomes) outcomes.set(itemId, outcome)
    if (unread) await this.#pushKnown(distinct.filter(metIn(outcomes)), outcomes)
    else await this.#refuseHidden(distinct, fields, outcomes)
    const spokesmen = new Map(distinct.map((lead) => [keyOf(lead), lead.itemId]))
    return leads.map((lead) => outcomes.get(spokesmen.get(keyOf(lead)) ?? '') ?? putOff(report.stoppedBy))
  }

  async lookup(externalIds: readonly string[]): Promise<ReadonlyMap<string, FoundRecord>> {
    if (externalIds.length === 0) return new Map()
    const { mapped } = await this.#fields()
    requireFields(mapped)
    return findRecords(this.#client, externalIds, mapped)
  }

  async erase(externalIds: readonly string[], tellRestorable: TellRestorable = () => {}): Promise<number> {
    if (externalIds.length === 0) return 0
    const { mapped } = await this.#fields()
    return mapped.has(identityField) ? deleteRecords(this.#client, externalIds, mapped, tellRestorable) : 0
  }

  /**
   * An insert that meets its own identity lost a race, and the next try finds the record; unless nobody can find it, since it
   * was converted or belongs to people of whose records this user sees none. That would be put off for ever.
   */
  async #refuseHidden(
    leads: readonly OutgoingLead[],
    fields: Fields,
    outcomes: Map<string, PushOutcome>,
  ): Promise<void> {
    const met = leads.filter(metIn(outcomes))
    if (met.length === 0) return
    const found = await this.#find(met, fields).catch((error: unknown) => {
      if (error instanceof AppError) return null
      throw error
    })
    const message = 'A record that this user cannot see, perhaps a converted lead, holds this Panji Id'
    for (const { itemId, externalId } of met)
      if (found !== null && !found.has(externalId))
        outcomes.set(itemId, { status: 'rejected', code: 'DUPLICATE_DATA', field: identityField, message })
  }

  /** Leads that were created unread and are there all the same; should it fail, they are put off already. */
  async #pushKnown(leads: readonly OutgoingLead[], outcomes: Map<string, PushOutcome>): Promise<void> {
    if (leads.length === 0) return
    this.#newcomers.met()
    const told = await this.push(leads).catch((error: unknown) => {
      if (error instanceof AppError) return []
      throw error
    })
    for (const [n, outcome] of told.entries()) outcomes.set(leads[n]?.itemId ?? '', outcome)
  }

  #decide(
    lead: OutgoingLead,
    record: FoundRecord | undefined,
    { mapped, unique }: Fields,
    omitted: ReadonlySet<string> = new Set(),
  ): Decided {
    const without = new Set([...omitted, ...unique.filter((field) => isSettledWithout(lead, record, field))])
    const target: FieldValues = mapLead(lead, mapped, without)
    const refusal = isExternalId(lead.externalId) ? foreseenRefusal(target, mapped) : noSuchId
    const overrides = overridesOf(lead)
    const decision = decideFields(target, record?.values ?? null, lead.lastPushed, (field): FieldRule => {
      const type = mapped.get(field)?.type ?? ''
      const ownership = ownershipOf(overrides, field) ?? this.#settings.ownership[field] ?? 'if_unchanged'
      return { ownership, numeric: numberTypes.has(type), caseless: field === identityField }
    })
    return { refusal, decision, without }
  }

  #find(leads: readonly OutgoingLead[], { mapped, named }: Fields): Promise<ReadonlyMap<string, FoundRecord>> {
    return findRecords(
      this.#client,
      leads.map(({ externalId }) => externalId),
      mapped,
      named,
    )
  }

  async #fields(leads: readonly OutgoingLead[] = []): Promise<Fields> {
    const listed = (await this.#list()).filter(isWritable)
    const described = listed.map(toCrmField)
    const overridden = new Set(leads.flatMap((lead) => [...overridesOf(lead).keys()]))
    const customers = described.filter(({ name }) => overridden.has(name))
    const unique = listed.filter((field) => Object.keys(field.unique).length > 0).map((field) => field.api_name)
    return {
      mapped: new Map([
        ...mappedFields(this.#settings, described),
        ...customers.map((field) => [field.name, field] as const),
      ]),
      named: new Set(customers.map(({ name }) => name)),
      unique: unique.filter((name) => name !== identityField),
    }
  }

  async #list(): Promise<readonly FieldMetadata[]> {
    this.#listed ??= listFields(this.#client)
    try {
      return await this.#listed
    } catch (error) {
      this.#listed = null
      throw error
    }
  }
}

/** An insert met the lead's own identity. */
const metIn =
  (outcomes: ReadonlyMap<string, PushOutcome>) =>
  ({ itemId }: OutgoingLead): boolean => {
    const outcome = outcomes.get(itemId)
    return outcome?.status === 'deferred' && outcome.code === 'DUPLICATE_DATA' && outcome.field === identityField
  }

/** Zoho compares unique values without regard to case. */
const keyOf = ({ externalId }: OutgoingLead): string => externalId.toLowerCase()

/** An earlier push went without the value, because another record holds it; to try again would be refused every time. */
function isSettledWithout(lead: OutgoingLead, record: FoundRecord | undefined, field: string): boolean {
  const value = lead.row[field]
  if (record === undefined || value === undefined || value === null || record.values[field] !== undefined) return false
  return String(record.values['Description'] ?? '')
    .split('\n')
    .includes(noteOf(field, value))
}

function requireFields(mapped: ReadonlyMap<string, CrmField>): void {
  const missing = [identityField, ...neededFields].filter((name) => !mapped.has(name))
  if (missing.length > 0)
    throw new AppError(
      'DESTINATION_INVALID',
      `The Zoho user cannot write ${missing.map((name) => `Leads.${name}`).join(', ')}; run the destination's set-up or grant access`,
    )
}

function putOff(stoppedBy: AppError | null): PushOutcome {
  if (stoppedBy === null) return { status: 'unknown', message: 'the lead was not sent' }
  const afterMs = typeof stoppedBy.retry === 'object' ? stoppedBy.retry.afterMs : 60_000
  return { status: 'deferred', afterMs, code: stoppedBy.code, field: null, message: stoppedBy.message }
}

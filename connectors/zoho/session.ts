/**
 * One conversation with one Zoho org. A push reads the records first, sends only what differs and what the ownership rules
 * allow, and gives one outcome per lead in the order given; pushing again leaves one record.
 */
import { AppError } from '../../src/errors.ts'
import type {
  Adoption,
  CrmField,
  CrmSession,
  KnownRecords,
  LimitReport,
  Misfit,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  RemoteAccount,
  SessionOptions,
  SetupReport,
  TellRestorable,
  TellWrite,
} from '../contract.ts'
import { sandboxRecordPage } from '../crm-address.ts'
import { deferred } from '../deferrals.ts'
import { changesOf } from '../field-ownership.ts'
import { areAllKnown, identityBack, plannedFate, soughtOf } from '../known-records.ts'
import { adviceOnListValues } from '../listed-value.ts'
import { NewRecords } from '../new-records.ts'
import { withIdentity } from '../overrides.ts'
import { withOwners } from '../owner-list.ts'
import { adoptionOf } from './adopt.ts'
import { ZohoClient } from './client.ts'
import { type Fields, requireFields, ZohoDecider } from './decide.ts'
import { findKnownRecords, findSought } from './known.ts'
import { deleteRecords, type FoundRecord } from './lookup.ts'
import { identityField, mapLead } from './mapping.ts'
import { refusedCall } from './outcomes.ts'
import { Organization } from './replies.ts'
import type { ZohoSettings } from './settings.ts'
import { isWritable, setUp, toCrmField } from './setup.ts'
import { isOwnerField, referenceTypes } from './users.ts'
import { type RowWrite, writeRows } from './write.ts'

export class ZohoSession implements CrmSession {
  readonly #settings: ZohoSettings
  readonly #client: ZohoClient
  readonly #newRecords = new NewRecords()
  readonly #decider: ZohoDecider
  readonly adoption: Adoption | undefined

  readonly #tellWrite: TellWrite

  constructor(settings: ZohoSettings, options: SessionOptions) {
    this.#settings = settings
    this.#client = new ZohoClient(settings, options)
    this.#tellWrite = options.tellWrite ?? (() => {})
    this.#decider = new ZohoDecider(settings, this.#client)
    this.adoption = adoptionOf({
      ...{ client: this.#client, settings },
      fieldsOf: async (leads) => (await this.#decider.fields(leads)).mapped,
      decider: async (leads) => {
        const fields = await this.#decider.fields(leads)
        return (lead, record) => this.#decider.decide(lead, record, fields).decision
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
    // The fields first: whoever may not even ask for these is told why.
    const writable = (await this.#decider.listed.get()).filter(isWritable).map(toCrmField)
    const users = await this.#decider.users.get()
    const fields = writable.map((field) => (isOwnerField(field) ? withOwners(field, users) : field))
    return withIdentity(fields, (name) => name === identityField)
  }

  async misfits(leads: readonly OutgoingLead[]): Promise<readonly Misfit[]> {
    const { mapped } = await this.#decider.fields(leads)
    const misfits: Misfit[] = []
    for (const lead of leads) mapLead(lead, mapped, new Set(), (misfit) => void misfits.push(misfit))
    return misfits
  }

  async setup(): Promise<SetupReport> {
    const report = await setUp(this.#client, this.#settings)
    this.#decider.listed.forget()
    this.#decider.users.forget()
    const advice = adviceOnListValues(await this.describe(), this.#settings.list_values)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  async limits(): Promise<LimitReport> {
    // Any answer carries what Zoho says of the credits, and this one is needed anyway.
    await this.#decider.listed.get()
    return this.#client.lastSeen
  }

  /** Before set-up there is no field to ask by, and no record that could carry it. */
  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const fields = await this.#decider.fields(leads)
    const found = fields.mapped.has(identityField)
      ? await this.#decider.find(leads, fields)
      : new Map<string, FoundRecord>()
    const known = await findKnownRecords(this.#client, this.#settings, leads, found, fields, 'look')
    return leads.map((lead): PlannedAction => {
      const back = known.records.get(lead.externalId)
      const record = back ?? found.get(lead.externalId)
      const { refusal, decision } = this.#decider.decide(lead, record, fields)
      if (refusal !== null) return { action: 'reject', ...refusal }
      if (record === undefined) return plannedFate(known, lead.externalId) ?? { action: 'create' }
      const named = back === undefined ? [] : [identityBack(identityField, lead.externalId)]
      const changes = [...named, ...changesOf(decision, record.values)]
      if (changes.length > 0) return { action: 'update', changes }
      if (decision.held.length === 0) return { action: 'unchanged' }
      return { action: 'conflict', reason: `edited in Zoho: ${decision.held.join(', ')}` }
    })
  }

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    const distinct = [...new Map(leads.map((lead) => [keyOf(lead), lead])).values()]
    if (distinct.length === 0) return []
    const fields = await this.#decider.fields(leads)
    requireFields(fields.mapped)
    const unread = this.#newRecords.mayBeCreated(distinct)
    const byIdentity = unread ? new Map<string, FoundRecord>() : await this.#decider.find(distinct, fields)
    if (!unread) this.#newRecords.note(distinct, ({ externalId }) => byIdentity.has(externalId))
    const known = await findKnownRecords(this.#client, this.#settings, distinct, byIdentity, fields, 'restore')
    const found = new Map([...byIdentity, ...known.records])
    const outcomes = new Map<string, PushOutcome>()
    const rows: RowWrite[] = []
    for (const lead of distinct) {
      const lost = known.refused.get(lead.externalId)
      if (lost !== undefined) {
        outcomes.set(lead.itemId, { status: 'rejected', ...lost })
        continue
      }
      const record = found.get(lead.externalId)
      const { refusal, decision, without } = this.#decider.decide(lead, record, fields)
      const { write, values } = decision
      if (refusal !== null) outcomes.set(lead.itemId, { status: 'rejected', ...refusal })
      else if (record !== undefined && Object.keys(write).length === 0) {
        const status = known.records.has(lead.externalId) ? 'updated' : 'unchanged'
        outcomes.set(lead.itemId, { status, crmId: record.crmId, values })
      } else rows.push({ lead, crmId: record?.crmId ?? null, write, present: record?.values ?? null, values, without })
    }
    const omit = (row: RowWrite, field: string): RowWrite => {
      const without = new Set([...row.without, field])
      const { write, values } = this.#decider.decide(row.lead, found.get(row.lead.externalId), fields, without).decision
      return { ...row, write, values, without }
    }
    const isReference = (field: string) => referenceTypes.has(fields.mapped.get(field)?.type ?? '')
    const writing = { client: this.#client, settings: this.#settings, tellWrite: this.#tellWrite, omit, isReference }
    const report = await writeRows(writing, rows)
    if (report.stoppedBy !== null && report.outcomes.size === 0) throw report.stoppedBy
    for (const [itemId, outcome] of report.outcomes) outcomes.set(itemId, outcome)
    if (unread) await this.#pushKnown(distinct.filter(metIn(outcomes)), outcomes)
    else await this.#refuseHidden(distinct, fields, outcomes)
    const sentItems = new Map(distinct.map((lead) => [keyOf(lead), lead.itemId]))
    return leads.map((lead) => outcomes.get(sentItems.get(keyOf(lead)) ?? '') ?? unsent(report.stoppedBy))
  }

  async lookup(
    externalIds: readonly string[],
    known: KnownRecords = new Map(),
  ): Promise<ReadonlyMap<string, FoundRecord>> {
    if (externalIds.length === 0) return new Map()
    const fields = await this.#decider.fields()
    const sought = soughtOf(externalIds, known)
    if (!areAllKnown(sought)) requireFields(fields.mapped)
    return findSought(this.#client, this.#settings, sought, fields)
  }

  async erase(
    externalIds: readonly string[],
    tellRestorable: TellRestorable = () => {},
    known: KnownRecords = new Map(),
  ): Promise<number> {
    if (externalIds.length === 0) return 0
    const sought = soughtOf(externalIds, known)
    const found = await findSought(this.#client, this.#settings, sought, await this.#decider.fields())
    await deleteRecords(this.#client, found, tellRestorable)
    return found.size
  }

  /**
   * An insert that meets its own identity lost a race, and the next try finds the record; unless nobody can find it, since it
   * was converted or belongs to people of whose records this user sees none. That would be deferred for ever.
   */
  async #refuseHidden(
    leads: readonly OutgoingLead[],
    fields: Fields,
    outcomes: Map<string, PushOutcome>,
  ): Promise<void> {
    const met = leads.filter(metIn(outcomes))
    if (met.length === 0) return
    const found = await this.#decider.find(met, fields).catch((error: unknown) => {
      if (error instanceof AppError) return null
      throw error
    })
    const message = 'A record that this user cannot see, perhaps a converted lead, holds this Panji Id'
    for (const { itemId, externalId } of met)
      if (found !== null && !found.has(externalId))
        outcomes.set(itemId, { status: 'rejected', code: 'DUPLICATE_DATA', field: identityField, message })
  }

  /** Leads that were created unread and are there all the same; should it fail, they are deferred already. */
  async #pushKnown(leads: readonly OutgoingLead[], outcomes: Map<string, PushOutcome>): Promise<void> {
    if (leads.length === 0) return
    this.#newRecords.met()
    const told = await this.push(leads).catch((error: unknown) => {
      if (error instanceof AppError) return []
      throw error
    })
    for (const [n, outcome] of told.entries()) outcomes.set(leads[n]?.itemId ?? '', outcome)
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

function unsent(stoppedBy: AppError | null): PushOutcome {
  return stoppedBy === null ? { status: 'unknown', message: 'the lead was not sent' } : deferred(stoppedBy)
}

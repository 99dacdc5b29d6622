/**
 * One conversation with one HubSpot account. A push reads the records first, sends only what differs and what the
 * ownership rules allow, and gives one outcome per lead in the order given; pushing again leaves one record.
 */
import { AppError } from '../../src/errors.ts'
import { AskedOnce } from '../asked-once.ts'
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
import { changesOf, decideFields, type FieldDecision, type FieldRule, unconfirmedOf } from '../field-ownership.ts'
import { areAllKnown, identityBack, plannedFate, soughtOf } from '../known-records.ts'
import { adviceOnListValues, withListValues } from '../listed-value.ts'
import { NewRecords } from '../new-records.ts'
import { ownershipOf, withIdentity } from '../overrides.ts'
import { type Owner, ownersAmong, ownersNamed, withOwners } from '../owner-list.ts'
import { adoptionOf } from './adopt.ts'
import { associate, type LinkedLead, needsLinks } from './associations.ts'
import { HubspotClient } from './client.ts'
import { eraseRecords } from './erase.ts'
import { findKnownRecords, findSought } from './known.ts'
import { type FoundRecord, findRecords } from './lookup.ts'
import {
  type CrmObject,
  crmObjects,
  desiredValues,
  idProperty,
  type Lists,
  objectOf,
  ownOverrides,
  propertiesOf,
} from './mapping.ts'
import type { RowWrite } from './outcomes.ts'
import { isOwnerField, listOwners } from './owners.ts'
import { refusedCall } from './refusals.ts'
import { AccountDetails, faultOf, UsageList } from './replies.ts'
import type { HubspotSettings } from './settings.ts'
import { describeFields, setUp } from './setup.ts'
import { upsert } from './upsert.ts'
import { foreseenRefusal } from './value-faults.ts'

export class HubspotSession implements CrmSession {
  readonly #client: HubspotClient
  readonly #settings: HubspotSettings
  readonly #newRecords = new NewRecords()
  readonly #fields: Readonly<Record<CrmObject, AskedOnce<readonly CrmField[]>>>
  readonly #owners: AskedOnce<readonly Owner[] | null>
  readonly adoption: Adoption | undefined

  readonly #tellWrite: TellWrite

  constructor(settings: HubspotSettings, options: SessionOptions) {
    this.#client = new HubspotClient(settings, options)
    this.#tellWrite = options.tellWrite ?? (() => {})
    this.#settings = settings
    const readFields = (object: CrmObject) =>
      new AskedOnce(async () => withListValues(await describeFields(this.#client, object), settings.list_values))
    this.#fields = { companies: readFields('companies'), contacts: readFields('contacts') }
    this.#owners = new AskedOnce(() => listOwners(this.#client))
    const decider = async (leads: readonly OutgoingLead[]) => {
      const lists = await this.#listsFor(leads)
      return (lead: OutgoingLead, record: FoundRecord) => this.#decide(lead, record, lists)
    }
    this.adoption = adoptionOf({ client: this.#client, settings, decider })
  }

  async describe(): Promise<readonly CrmField[]> {
    this.#forgetFields()
    // The fields first: whoever may not even ask for these is told why.
    const listed = await this.#readFields(crmObjects)
    const owners = await this.#owners.get()
    const fields = listed.map((field) => (isOwnerField(field) ? withOwners(field, owners) : field))
    return withIdentity(fields, (name) => name.endsWith(`.${idProperty}`))
  }

  #forgetFields(): void {
    for (const object of crmObjects) this.#fields[object].forget()
  }

  async #readFields(objects: readonly CrmObject[]): Promise<readonly CrmField[]> {
    const fields: CrmField[] = []
    for (const object of objects) fields.push(...(await this.#fields[object].get()))
    return fields
  }

  /** What the restricted fields of these leads take. */
  async #listsFor(leads: readonly OutgoingLead[]): Promise<Lists> {
    if (leads.length === 0) return noLists
    const objects = new Set(leads.map(({ type }) => objectOf(type)))
    const fields = await this.#readFields(crmObjects.filter((object) => objects.has(object)))
    const named = ownersNamed(leads, new Set(fields.filter(isOwnerField).map(({ name }) => name)))
    const owners = named.length === 0 ? null : ((await this.#owners.get()) ?? ownersAmong(named))
    const listed = fields.map((field) => (isOwnerField(field) ? withOwners(field, owners) : field))
    return new Map(listed.flatMap((field) => (field.allowed === null ? [] : [[field.name, field] as const])))
  }

  async misfits(leads: readonly OutgoingLead[]): Promise<readonly Misfit[]> {
    const lists = await this.#listsFor(leads)
    const misfits: Misfit[] = []
    for (const lead of leads) desiredValues(lead, lists, (misfit) => void misfits.push(misfit))
    return misfits
  }

  async setup(): Promise<SetupReport> {
    const report = await setUp(this.#client)
    this.#forgetFields()
    this.#owners.forget()
    const advice = adviceOnListValues(await this.describe(), this.#settings.list_values)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  lookup(externalIds: readonly string[], known: KnownRecords = new Map()): Promise<ReadonlyMap<string, FoundRecord>> {
    const sought = soughtOf(externalIds, known)
    return findSought(this.#client, this.#settings, sought, areAllKnown(sought) ? 'nothing' : 'refuse')
  }

  async erase(
    externalIds: readonly string[],
    tellRestorable: TellRestorable = () => {},
    known: KnownRecords = new Map(),
  ): Promise<number> {
    const found = await findSought(this.#client, this.#settings, soughtOf(externalIds, known), 'nothing')
    await eraseRecords(this.#client, found, tellRestorable)
    return found.size
  }

  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const ids = leads.map(({ externalId }) => externalId)
    const found = await findRecords(this.#client, ids, 'nothing', named(leads))
    const known = await findKnownRecords(this.#client, this.#settings, leads, found, named(leads), 'look')
    const lists = await this.#listsFor(leads)
    return leads.map((lead) => {
      const back = known.records.get(lead.externalId)
      const planned = this.#plan(lead, back ?? found.get(lead.externalId), back !== undefined, lists)
      return planned.action === 'create' ? (plannedFate(known, lead.externalId) ?? planned) : planned
    })
  }

  /** @param isBack where the record gets its identity back. */
  #plan(lead: OutgoingLead, record: FoundRecord | undefined, isBack: boolean, lists: Lists): PlannedAction {
    const desired = desiredValues(lead, lists)
    const fault = foreseenRefusal(desired, propertiesOf(objectOf(lead.type)))
    if (fault !== null) return { action: 'reject', ...fault }
    if (record === undefined) return { action: 'create' }
    const decision = this.#decide(lead, record, lists)
    const back = isBack ? [identityBack(idProperty, lead.externalId)] : []
    const changes = [...back, ...changesOf(decision, record.values)]
    if (changes.length > 0) return { action: 'update', changes }
    const { held } = decision
    if (held.length === 0) return { action: 'unchanged' }
    return { action: 'conflict', reason: `Edited in HubSpot, so newer values stay out of: ${held.join(', ')}` }
  }

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    const outcomes = new Map<string, PushOutcome>()
    const lists = await this.#listsFor(leads)
    const rows = distinctLeads(leads).filter((lead) => {
      const fault = foreseenRefusal(desiredValues(lead, lists), propertiesOf(objectOf(lead.type)))
      if (fault !== null) outcomes.set(lead.itemId, { status: 'rejected', ...fault })
      return fault === null
    })
    // Both objects are read before the first write: a failure up to here may be thrown, since nothing was written.
    const ids = rows.map(({ externalId }) => externalId)
    const unread = this.#newRecords.mayBeCreated(rows)
    const byIdentity = unread ? nothingFound : await findRecords(this.#client, ids, 'refuse', named(rows))
    if (!unread) this.#newRecords.note(rows, ({ externalId }) => byIdentity.has(externalId))
    const known = await findKnownRecords(this.#client, this.#settings, rows, byIdentity, named(rows), 'restore')
    const found = new Map([...byIdentity, ...known.records])
    const writes: Record<CrmObject, RowWrite[]> = { companies: [], contacts: [] }
    for (const lead of rows) {
      const refused = known.refused.get(lead.externalId)
      if (refused !== undefined) {
        outcomes.set(lead.itemId, { status: 'rejected', ...refused })
        continue
      }
      const record = found.get(lead.externalId)
      const { write: properties, values } = this.#decide(lead, record, lists)
      if (record !== undefined && Object.keys(properties).length === 0) {
        const status = known.records.has(lead.externalId) ? 'updated' : 'unchanged'
        outcomes.set(lead.itemId, { status, crmId: record.crmId, values })
      } else
        writes[objectOf(lead.type)].push({ lead, properties, values, present: record?.values ?? null, retried: false })
    }
    const { stoppedBy, met } = await this.#write(writes, outcomes, unread ? 'create' : 'upsert')
    for (const [itemId, outcome] of await this.#pushKnown(met)) outcomes.set(itemId, outcome)
    await this.#associate(rows, found, outcomes, stoppedBy)
    return inOrder(leads, outcomes, stoppedBy)
  }

  /** @returns why rows were left unsent; thrown instead where no row was sent at all. */
  async #write(
    writes: Record<CrmObject, RowWrite[]>,
    outcomes: Map<string, PushOutcome>,
    how: 'upsert' | 'create',
  ): Promise<{ readonly stoppedBy: AppError | null; readonly met: readonly OutgoingLead[] }> {
    let sent = 0
    const met: OutgoingLead[] = []
    for (const object of crmObjects) {
      const report = await upsert(this.#client, object, writes[object], how, this.#tellWrite)
      for (const [itemId, outcome] of report.outcomes) outcomes.set(itemId, outcome)
      met.push(...report.met)
      sent += report.outcomes.size
      if (report.stoppedBy !== null && sent === 0) throw report.stoppedBy
      if (report.stoppedBy !== null) return { stoppedBy: report.stoppedBy, met }
    }
    return { stoppedBy: null, met }
  }

  /** Leads that were to be created and are there all the same: read, decided and written like any known record. */
  async #pushKnown(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>> {
    if (leads.length === 0) return new Map()
    this.#newRecords.met()
    const outcomes = await this.push(leads).catch((error: unknown) => {
      if (error instanceof AppError) return leads.map(() => deferred(error))
      throw error
    })
    return new Map(leads.map(({ itemId }, n) => [itemId, outcomes[n] ?? unanswered] as const))
  }

  /** Records that are written and not yet linked are `unknown`: the next push compares them and links them. */
  async #associate(
    rows: readonly OutgoingLead[],
    found: ReadonlyMap<string, FoundRecord>,
    outcomes: Map<string, PushOutcome>,
    stoppedBy: AppError | null,
  ): Promise<void> {
    const known = new Map([...found].map(([id, { crmId }]) => [id, crmId] as const))
    const linked: LinkedLead[] = []
    for (const lead of rows) {
      const outcome = outcomes.get(lead.itemId)
      if (outcome === undefined || !('crmId' in outcome)) continue
      known.set(lead.externalId, outcome.crmId)
      if (needsLinks(lead)) linked.push({ lead, crmId: outcome.crmId })
    }
    if (linked.length === 0) return
    const failure = stoppedBy === null ? await associate(this.#client, linked, known) : stoppedBy.message
    if (failure === null) return
    const message = `written, but not associated: ${failure}`
    for (const { lead } of linked) outcomes.set(lead.itemId, { status: 'unknown', message })
  }

  #decide(lead: OutgoingLead, record: FoundRecord | undefined, lists: Lists): FieldDecision<string> {
    const properties = propertiesOf(objectOf(lead.type))
    const desired = new Map(desiredValues(lead, lists))
    const overrides = ownOverrides(lead)
    // `panji_email` has the address and `email` has not: another contact holds it, or a person took it out. To try
    // again would be refused at every push.
    const settled = record !== undefined && record.values['panji_email'] === desired.get('email')
    if (settled && this.#settings.ownership['email'] !== 'always') desired.delete('email')
    const ruleOf = (name: string): FieldRule => {
      const property = properties.get(name)
      const byDefault = property?.custom === true ? 'always' : 'if_unchanged'
      const ownership = ownershipOf(overrides, name) ?? this.#settings.ownership[name] ?? byDefault
      return { ownership, numeric: property?.type === 'number', caseless: name === 'email' }
    }
    const unconfirmed = unconfirmedOf(lead).map((sent) => Object.fromEntries(desiredValues(sent, lists)))
    return decideFields(Object.fromEntries(desired), record?.values ?? null, lead.lastPushed, ruleOf, unconfirmed)
  }

  async identify(): Promise<RemoteAccount> {
    const { status, body } = await this.#client.ask({ method: 'GET', path: '/account-info/2026-03/details' })
    const account = status < 300 ? AccountDetails.safeParse(body).data : undefined
    if (account === undefined) throw refusedCall('say whose account it is', status, faultOf(body))
    const { sandbox_pass: pass, base_url: address } = this.#settings
    const page = (type: string) =>
      sandboxRecordPage('hubspot', pass, address) ??
      `https://${account.uiDomain}/contacts/${account.portalId}/record/${type}/{id}`
    const [contact, company] = [page('0-1'), page('0-2')]
    return { account: String(account.portalId), recordUrls: { director: contact, company, gst: company } }
  }

  /** HubSpot counts a private app's calls; under OAuth only headers tell, and those not always. */
  async limits(): Promise<LimitReport> {
    const path = '/account-info/2026-03/api-usage/daily/private-apps'
    const { status, body } = await this.#client.ask({ method: 'GET', path })
    const usage = status < 300 ? UsageList.safeParse(body).data?.results[0] : undefined
    if (usage === undefined) return this.#client.lastSeen
    return { dailyUsed: usage.currentUsage ?? null, dailyLimit: usage.usageLimit ?? null }
  }
}

/** Properties that mappings name beside those of Panji. */
const named = (leads: readonly OutgoingLead[]) => (object: CrmObject) => [
  ...new Set(leads.flatMap((lead) => (objectOf(lead.type) === object ? [...ownOverrides(lead).keys()] : []))),
]

/** Two leads of one external id would make HubSpot refuse the batch; the last one speaks for both. */
function distinctLeads(leads: readonly OutgoingLead[]): readonly OutgoingLead[] {
  return [...new Map(leads.map((lead) => [lead.externalId.toLowerCase(), lead])).values()]
}

function inOrder(
  leads: readonly OutgoingLead[],
  outcomes: ReadonlyMap<string, PushOutcome>,
  stoppedBy: AppError | null,
): readonly PushOutcome[] {
  const sentItems = new Map(distinctLeads(leads).map((lead) => [lead.externalId.toLowerCase(), lead.itemId]))
  return leads.map(({ externalId }) => {
    const outcome = outcomes.get(sentItems.get(externalId.toLowerCase()) ?? '')
    if (outcome !== undefined) return outcome
    if (stoppedBy === null) throw new AppError('INTERNAL', `the push left ${externalId} without an outcome`)
    return deferred(stoppedBy)
  })
}

const noLists: Lists = new Map()
const nothingFound: ReadonlyMap<string, FoundRecord> = new Map()
const unanswered: PushOutcome = { status: 'unknown', message: 'the lead was not sent' }

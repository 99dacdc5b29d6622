/** A session with one Zoho org. The push engine and port.ts deliver leads into it. */

import type { LimitReport } from '../call-gate.ts'
import type {
  Adoption,
  CrmField,
  CrmSession,
  Joins,
  KnownRecords,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  RemoteAccount,
  ReportRestorable,
  SessionOptions,
  SetupReport,
} from '../contract.ts'
import { sandboxRecordPage } from '../crm-address.ts'
import { type FilledLead, fillEach } from '../filled-lead.ts'
import { joinAll, joinsOf, withMisnamedJoins, withoutJoins } from '../joins.ts'
import { areAllKnown, soughtOf } from '../known-records.ts'
import { reportLeftOut } from '../left-out.ts'
import { adviceOnListValues } from '../listed-value.ts'
import { withIdentity } from '../overrides.ts'
import { withOwners } from '../owner-list.ts'
import { PushEngine } from '../push-engine.ts'
import type { FoundRecord } from '../push-port.ts'
import { adoptionOf } from './adopt.ts'
import { ZohoClient } from './client.ts'
import { type Fields, requireFields, type ZohoDecided, ZohoDecider } from './decide.ts'
import { deleteRecords } from './lookup.ts'
import { identityField, mapLead } from './mapping.ts'
import { refusedCall } from './outcomes.ts'
import { ZohoPort } from './port.ts'
import { Organization } from './replies.ts'
import type { ZohoSettings } from './settings.ts'
import { isWritable, setUp, toCrmField } from './setup.ts'
import { tagField, ZohoTags } from './tags.ts'
import { isOwnerField } from './users.ts'

export class ZohoSession implements CrmSession {
  readonly #settings: ZohoSettings
  readonly #client: ZohoClient
  readonly #decider: ZohoDecider
  readonly #engine: PushEngine<Fields, FoundRecord, ZohoDecided>
  readonly #tags: ZohoTags
  readonly #reportJoin: SessionOptions['reportJoin']
  readonly joins: Joins
  readonly adoption: Adoption | undefined

  constructor(settings: ZohoSettings, { reportWrite = () => {}, reportJoin, ...options }: SessionOptions) {
    this.#settings = settings
    this.#client = new ZohoClient(settings, options)
    this.#decider = new ZohoDecider(settings, this.#client)
    this.#tags = new ZohoTags(this.#client, settings.list_values)
    this.joins = joinsOf(this.#tags)
    this.#reportJoin = reportJoin
    this.#engine = new PushEngine(new ZohoPort(this.#client, settings, this.#decider, reportWrite))
    this.adoption = adoptionOf({
      ...{ client: this.#client, settings },
      askable: () => this.#decider.askable(),
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
    return [...(await this.#describeFields()), await this.#tags.describeAll()]
  }

  async #describeFields(): Promise<readonly CrmField[]> {
    // Fields first, so that an app without access to them gets that error.
    const writable = (await this.#decider.listed.get()).filter(isWritable).map(toCrmField)
    const users = await this.#decider.users.get()
    const fields = writable.map((field) => (isOwnerField(field) ? withOwners(field, users) : field))
    const plain = fields.filter(({ name }) => name !== tagField)
    return withIdentity(plain, (name) => name === identityField)
  }

  async fill(leads: readonly OutgoingLead[]): Promise<readonly FilledLead[]> {
    const plain = withoutJoins(leads, tagField)
    const { mapped } = await this.#decider.fields(plain)
    const filled = fillEach(plain, (lead, reportMisfit) => mapLead(lead, mapped, new Set(), reportMisfit))
    return withMisnamedJoins(this.#tags, leads, filled)
  }

  async setup(mapped: readonly string[] = []): Promise<SetupReport> {
    const own = mapped.filter((field) => field !== tagField)
    const report = await setUp(this.#client, this.#settings, own)
    this.#decider.listed.forget()
    this.#decider.users.forget()
    const listValues = this.#settings.list_values
    const fields = await (listValues[tagField] === undefined ? this.#describeFields() : this.describe())
    const advice = adviceOnListValues(fields, listValues)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  async limits(): Promise<LimitReport> {
    // Any reply reports the credits, and this one is needed anyway.
    await this.#decider.listed.get()
    return this.#client.lastSeen
  }

  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    return this.#engine.plan(withoutJoins(leads, tagField))
  }

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    const plain = withoutJoins(leads, tagField)
    const outcomes = await reportLeftOut(plain, await this.#engine.push(plain), () => this.#decider.leftOut(plain))
    return joinAll(this.#tags, leads, outcomes, this.#reportJoin)
  }

  async lookup(
    externalIds: readonly string[],
    known: KnownRecords = new Map(),
  ): Promise<ReadonlyMap<string, FoundRecord>> {
    if (externalIds.length === 0) return new Map()
    const fields = await this.#decider.fields()
    const sought = soughtOf(externalIds, known)
    if (!areAllKnown(sought)) requireFields(fields.mapped)
    return this.#engine.seek(sought, fields, 'plan')
  }

  async erase(
    externalIds: readonly string[],
    reportRestorable: ReportRestorable = () => {},
    known: KnownRecords = new Map(),
  ): Promise<number> {
    if (externalIds.length === 0) return 0
    const sought = soughtOf(externalIds, known)
    const found = await this.#engine.seek(sought, await this.#decider.fields(), 'plan')
    await deleteRecords(this.#client, found, reportRestorable)
    return found.size
  }
}

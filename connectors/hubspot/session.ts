/** A session with one HubSpot account. The push engine and port.ts deliver leads into it. */

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
import { joinAll, joinsOf, withMisnamedJoins } from '../joins.ts'
import { areAllKnown, soughtOf } from '../known-records.ts'
import { fieldsLeftOut, reportLeftOut } from '../left-out.ts'
import { adviceOnListValues } from '../listed-value.ts'
import { withIdentity } from '../overrides.ts'
import { PushEngine } from '../push-engine.ts'
import type { FoundRecord } from '../push-port.ts'
import { adoptionOf } from './adopt.ts'
import { HubspotClient } from './client.ts'
import { eraseRecords } from './erase.ts'
import { HubspotFields } from './fields.ts'
import { HubspotLists, isListField } from './lists.ts'
import { desiredValues, idProperty, objectOf, unfitOf } from './mapping.ts'
import { type Ground, type HubspotDecided, HubspotPort } from './port.ts'
import { refusedCall } from './refusals.ts'
import { AccountDetails, faultOf, UsageList } from './replies.ts'
import type { HubspotSettings } from './settings.ts'
import { setUp } from './setup.ts'
import { leftOutOf } from './upsert.ts'

export class HubspotSession implements CrmSession {
  readonly #client: HubspotClient
  readonly #settings: HubspotSettings
  readonly #fields: HubspotFields
  readonly #port: HubspotPort
  readonly #engine: PushEngine<Ground, FoundRecord, HubspotDecided>
  readonly #lists: HubspotLists
  readonly #reportJoin: SessionOptions['reportJoin']
  readonly joins: Joins
  readonly adoption: Adoption | undefined

  constructor(settings: HubspotSettings, { reportWrite = () => {}, reportJoin, ...options }: SessionOptions) {
    this.#client = new HubspotClient(settings, options)
    this.#lists = new HubspotLists(this.#client, settings.list_values)
    this.joins = joinsOf(this.#lists)
    this.#reportJoin = reportJoin
    this.#settings = settings
    this.#fields = new HubspotFields(this.#client, settings)
    this.#port = new HubspotPort(this.#client, settings, this.#fields, reportWrite)
    this.#engine = new PushEngine(this.#port)
    const decider = async (leads: readonly OutgoingLead[]) => {
      const ground = await this.#port.fields(leads, 'plan')
      return (lead: OutgoingLead, record: FoundRecord) => this.#port.decideOne(lead, record, ground).decision
    }
    this.adoption = adoptionOf({ client: this.#client, settings, decider })
  }

  async describe(): Promise<readonly CrmField[]> {
    const fields = withIdentity(await this.#fields.describe(), (name) => name.endsWith(`.${idProperty}`))
    return [...fields, ...(await this.#lists.describeAll())]
  }

  async fill(leads: readonly OutgoingLead[]): Promise<readonly FilledLead[]> {
    const lists = await this.#fields.listsFor(leads)
    const filled = fillEach(leads, (lead, reportMisfit) => {
      const values = desiredValues(lead, lists, reportMisfit)
      return Object.fromEntries([...values].map(([name, value]) => [`${objectOf(lead.type)}.${name}`, value]))
    })
    return withMisnamedJoins(this.#lists, leads, filled)
  }

  async setup(mapped: readonly string[] = []): Promise<SetupReport> {
    const report = await setUp(this.#client, mapped)
    this.#fields.forget()
    const listValues = this.#settings.list_values
    const joined = Object.keys(listValues).some(isListField) ? await this.#lists.describeAll() : []
    const advice = adviceOnListValues([...(await this.#fields.describe()), ...joined], listValues)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  async lookup(
    externalIds: readonly string[],
    known: KnownRecords = new Map(),
  ): Promise<ReadonlyMap<string, FoundRecord>> {
    const sought = soughtOf(externalIds, known)
    const act = areAllKnown(sought) ? 'plan' : 'push'
    return this.#engine.seek(sought, await this.#port.fields([], act), act)
  }

  async erase(
    externalIds: readonly string[],
    reportRestorable: ReportRestorable = () => {},
    known: KnownRecords = new Map(),
  ): Promise<number> {
    const found = await this.#engine.seek(soughtOf(externalIds, known), await this.#port.fields([], 'plan'), 'plan')
    await eraseRecords(this.#client, found, reportRestorable)
    return found.size
  }

  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    return this.#engine.plan(leads)
  }

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    const outcomes = await reportLeftOut(leads, await this.#engine.push(leads), () => this.#leftOut(leads))
    return joinAll(this.#lists, leads, outcomes, this.#reportJoin)
  }

  /** For leads that needed no write; the others report it when they are written. */
  async #leftOut(leads: readonly OutgoingLead[]) {
    const lists = await this.#fields.listsFor(leads)
    return (lead: OutgoingLead) => {
      const unfit = unfitOf(lead, lists)
      if (unfit.length === 0) return null
      const would = Object.fromEntries([...desiredValues(lead)].filter(([name]) => unfit.includes(name)))
      const missing = fieldsLeftOut({}, would, lead.lastPushed)
      return missing.length === 0 ? null : leftOutOf({ leftOut: [], unfit: missing })
    }
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

  /** HubSpot counts a private app's calls; under OAuth only headers report them, and not always. */
  async limits(): Promise<LimitReport> {
    const path = '/account-info/2026-03/api-usage/daily/private-apps'
    const { status, body } = await this.#client.ask({ method: 'GET', path })
    const usage = status < 300 ? UsageList.safeParse(body).data?.results[0] : undefined
    if (usage === undefined) return this.#client.lastSeen
    return { dailyUsed: usage.currentUsage ?? null, dailyLimit: usage.usageLimit ?? null }
  }
}

/** A session with one Salesforce org. The settings decide what a lead becomes there; the calls are in `client.ts`. */

import { BatchSize } from '../batch-size.ts'
import type { BulkWay, PushPlace } from '../bulk-way.ts'
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
import type { FilledLead } from '../filled-lead.ts'
import { joinAll, joinsOf, withMisnamedJoins, withoutJoins } from '../joins.ts'
import { adviceOnListValues } from '../listed-value.ts'
import { AccountRecords } from './accounts/account-records.ts'
import { bulkWay } from './bulk/way.ts'
import { Campaigns, campaignField } from './campaigns.ts'
import { collectionSizeMax, SalesforceClient } from './client.ts'
import { LeadRecords } from './leads/lead-records.ts'
import type { OrgRecords } from './records.ts'
import type { SalesforceSettings } from './settings.ts'

export class SalesforceSession implements CrmSession {
  readonly #settings: SalesforceSettings
  readonly #client: SalesforceClient
  readonly #size: BatchSize
  readonly #records: OrgRecords
  readonly #campaigns: Campaigns
  readonly #reportJoin: SessionOptions['reportJoin']
  readonly bulk: BulkWay | undefined
  readonly joins: Joins
  readonly adoption: Adoption | undefined
  readonly leadsPerPush: number | undefined
  readonly callsFor: CrmSession['callsFor']

  constructor(settings: SalesforceSettings, options: SessionOptions) {
    this.#settings = settings
    this.#client = new SalesforceClient(settings, options)
    const { batchSize = collectionSizeMax, reportWrite = () => {} } = options
    this.#size = new BatchSize(Math.min(batchSize, collectionSizeMax))
    // List values for campaigns do not apply to a record's fields.
    const { [campaignField]: _campaigns, ...ofFields } = settings.list_values
    const parts = {
      settings: { ...settings, list_values: ofFields },
      client: this.#client,
      size: this.#size,
      reportWrite,
    }
    this.#campaigns = new Campaigns(this.#client, settings)
    this.joins = joinsOf(this.#campaigns)
    this.#reportJoin = options.reportJoin
    this.#records = settings.object === 'account' ? new AccountRecords(parts) : new LeadRecords(parts)
    this.bulk = bulkWay(settings, this.#client)
    this.adoption = this.#records.adoption
    this.leadsPerPush = this.#records.leadsPerPush
    this.callsFor = this.#records.callsFor?.bind(this.#records)
  }

  get learnedBatchSize(): number | undefined {
    return this.#size.rows < collectionSizeMax ? this.#size.rows : undefined
  }

  async identify(): Promise<RemoteAccount> {
    const { id, instanceUrl } = await this.#client.organization()
    const { sandbox_pass: pass, login_url: address, object, external_id_field: identity } = this.#settings
    const page = sandboxRecordPage('salesforce', pass, address) ?? `${instanceUrl}/{id}`
    return { account: id, holds: `${object}/${identity}`, recordUrls: { company: page, director: page, gst: page } }
  }

  async describe(): Promise<readonly CrmField[]> {
    this.#campaigns.forget()
    return [...(await this.#records.describe()), await this.#campaigns.describe()]
  }

  async fill(leads: readonly OutgoingLead[]): Promise<readonly FilledLead[]> {
    const filled = await this.#records.fill(withoutJoins(leads, campaignField))
    return withMisnamedJoins(this.#campaigns, leads, filled)
  }

  async setup(mapped: readonly string[] = []): Promise<SetupReport> {
    const report = await this.#records.setup(mapped.filter((field) => field !== campaignField))
    const { [campaignField]: campaigns } = this.#settings.list_values
    if (campaigns === undefined) return report
    const advice = adviceOnListValues([await this.#campaigns.describe()], { [campaignField]: campaigns })
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    return this.#records.plan(withoutJoins(leads, campaignField))
  }

  async push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]> {
    const outcomes = await this.#records.push(withoutJoins(leads, campaignField), place)
    return joinAll(this.#campaigns, leads, outcomes, this.#reportJoin)
  }

  lookup(externalIds: readonly string[], known?: KnownRecords) {
    return this.#records.lookup(externalIds, known)
  }

  limits() {
    return this.#client.limits()
  }

  erase(externalIds: readonly string[], reportRestorable?: ReportRestorable, known?: KnownRecords): Promise<number> {
    return this.#records.erase(externalIds, reportRestorable, known)
  }
}

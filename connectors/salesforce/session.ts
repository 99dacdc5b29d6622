/** One conversation with one Salesforce org. What a lead becomes there, the settings say; the calls are in `client.ts`. */
import { BatchSize } from '../batch-size.ts'
import type { BulkWay, PushPlace } from '../bulk-way.ts'
import type {
  Adoption,
  CrmField,
  CrmSession,
  KnownRecords,
  Misfit,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  RemoteAccount,
  SessionOptions,
  SetupReport,
  TellRestorable,
} from '../contract.ts'
import { sandboxRecordPage } from '../crm-address.ts'
import { AccountRecords } from './accounts/account-records.ts'
import { bulkWay } from './bulk/way.ts'
import { collectionSizeMax, SalesforceClient } from './client.ts'
import { LeadRecords } from './leads/lead-records.ts'
import type { OrgRecords } from './records.ts'
import { notSent } from './row-outcomes.ts'
import type { SalesforceSettings } from './settings.ts'

export class SalesforceSession implements CrmSession {
  readonly #settings: SalesforceSettings
  readonly #client: SalesforceClient
  readonly #size: BatchSize
  readonly #records: OrgRecords
  readonly bulk: BulkWay | undefined
  readonly adoption: Adoption | undefined
  readonly leadsPerPush: number | undefined
  readonly callsFor: CrmSession['callsFor']

  constructor(settings: SalesforceSettings, options: SessionOptions) {
    this.#settings = settings
    this.#client = new SalesforceClient(settings, options)
    const { batchSize = collectionSizeMax, tellWrite = () => {} } = options
    this.#size = new BatchSize(Math.min(batchSize, collectionSizeMax))
    const parts = { settings, client: this.#client, size: this.#size, tellWrite }
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

  describe(): Promise<readonly CrmField[]> {
    return this.#records.describe()
  }

  misfits(leads: readonly OutgoingLead[]): Promise<readonly Misfit[]> {
    return this.#records.misfits(leads)
  }

  setup(): Promise<SetupReport> {
    return this.#records.setup()
  }

  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    return this.#records.plan(leads)
  }

  async push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]> {
    // Salesforce refuses both of two rows with one external id; the last lead speaks for all of its record.
    const distinct = [...new Map(leads.map((lead) => [lead.externalId, lead])).values()]
    const outcomes = await this.#records.push(distinct, place)
    return leads.map(({ externalId }) => outcomes.get(externalId) ?? notSent)
  }

  lookup(externalIds: readonly string[], known?: KnownRecords) {
    return this.#records.lookup(externalIds, known)
  }

  limits() {
    return this.#client.limits()
  }

  erase(externalIds: readonly string[], tellRestorable?: TellRestorable, known?: KnownRecords): Promise<number> {
    return this.#records.erase(externalIds, tellRestorable, known)
  }
}

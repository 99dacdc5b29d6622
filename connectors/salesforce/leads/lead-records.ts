/**
 * Leads as Leads of the org: one record per lead, written with sObject Collections or as a job of Bulk API 2.0.
 * Pushing twice leaves one record; a record that already agrees is not written.
 */

import { AppError } from '../../../src/errors.ts'
import type { PushPlace } from '../../bulk-way.ts'
import type {
  Adoption,
  CrmField,
  KnownRecords,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  ReportRestorable,
  SetupReport,
} from '../../contract.ts'
import { type FilledLead, fillEach } from '../../filled-lead.ts'
import { areAllKnown, soughtOf } from '../../known-records.ts'
import { reportLeftOut } from '../../left-out.ts'
import { adviceOnListValues } from '../../listed-value.ts'
import { NewRecords } from '../../new-records.ts'
import { withIdentity } from '../../overrides.ts'
import { PushEngine, pushDistinct } from '../../push-engine.ts'
import { pushAsJob } from '../bulk/push-job.ts'
import { collectionSizeMax, type SalesforceRecord } from '../client.ts'
import { leadObject, mapLead, mappedFields } from '../mapping.ts'
import type { RowResult } from '../outcomes.ts'
import type { OrgParts, OrgRecords } from '../records.ts'
import { holdsIdentity, setUp } from '../setup.ts'
import { adoptionOfLeads } from './adopt-leads.ts'
import { contactIdOf, isContactId } from './converted.ts'
import { type FoundLeads, LeadDecider, type LeadFields, type PreparedLead } from './decide.ts'
import { jobPartsOf, pushInBatches } from './job-leads.ts'
import { LeadPort } from './port.ts'

export class LeadRecords implements OrgRecords {
  readonly #parts: OrgParts
  readonly #decider: LeadDecider
  readonly #newRecords = new NewRecords()
  readonly #engine: PushEngine<LeadFields, SalesforceRecord, PreparedLead>
  readonly adoption: Adoption | undefined

  constructor(parts: OrgParts) {
    this.#parts = parts
    this.#decider = new LeadDecider(parts)
    this.#engine = new PushEngine(new LeadPort(this.#decider), this.#newRecords)
    this.adoption = adoptionOfLeads(this.#decider)
  }

  async describe(): Promise<readonly CrmField[]> {
    const { external_id_field: identity } = this.#parts.settings
    const described = await this.#decider.described.get()
    const fields = await Promise.all(described.map((field) => this.#decider.owners.describe('Lead', field)))
    return withIdentity(fields, (name) => name === identity)
  }

  async fill(leads: readonly OutgoingLead[]): Promise<readonly FilledLead[]> {
    const fields = await this.#decider.fields(leads, 'plan')
    return fillEach(leads, (lead, reportMisfit) => mapLead(lead, this.#parts.settings, fields, reportMisfit))
  }

  async setup(mapped: readonly string[]): Promise<SetupReport> {
    const { client, settings } = this.#parts
    const report = await setUp(client, [leadObject(settings)], mapped)
    this.#decider.described.forget()
    this.#decider.owners.forget()
    const advice = adviceOnListValues(await this.describe(), settings.list_values)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    return this.#engine.plan(leads)
  }

  async push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]> {
    const outcomes = await this.#pushAll(leads, place)
    return reportLeftOut(leads, outcomes, async () => {
      const leftOut = await this.#decider.leftOut(leads)
      // A Contact from a converted Lead has fields of its own.
      return (lead, { crmId }) => (isContactId(crmId) ? null : leftOut(lead))
    })
  }

  #pushAll(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]> {
    if (place === undefined) return this.#engine.push(leads)
    // Salesforce processes a job in batches of its own size, which this org's code cannot handle.
    const isNarrow = this.#parts.size.rows < collectionSizeMax && place.kept === null
    const jobParts = jobPartsOf({ decider: this.#decider, engine: this.#engine, newRecords: this.#newRecords })
    return pushDistinct(leads, async (distinct) => ({
      outcomes: await (isNarrow ? pushInBatches(this.#engine, distinct) : pushAsJob(jobParts, distinct, place)),
      stoppedBy: null,
    }))
  }

  async lookup(externalIds: readonly string[], known: KnownRecords = new Map()) {
    const names = [...(await this.#mapped()).keys()]
    const found = await this.#seek(externalIds, known)
    return new Map(
      [...found].map(([externalId, record]) => [
        externalId,
        {
          crmId: contactIdOf(record) ?? record.Id,
          values: Object.fromEntries(names.map((name) => [name, record[name] ?? null])),
          isTheirs: record['IsConverted'] === true,
        },
      ]),
    )
  }

  async erase(
    externalIds: readonly string[],
    reportRestorable: ReportRestorable = () => {},
    known: KnownRecords = new Map(),
  ): Promise<number> {
    const found = await this.#seek(externalIds, known)
    const ids = [...found.values()].map(({ Id }) => Id)
    requireDeleted(await this.#parts.client.destroy('Lead', ids), ids.length)
    for (const externalId of found.keys())
      reportRestorable(externalId, 'it lies in the recycle bin of Salesforce for 15 days')
    return found.size
  }

  /**
   * For an org that is used for other objects now: does nothing if the user sees no Leads, or none has an external
   * id.
   */
  async eraseFormer(externalIds: readonly string[], reportRestorable: ReportRestorable): Promise<number> {
    const { external_id_field: identity } = this.#parts.settings
    const described = await this.#decider.described.get().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'DESTINATION_INVALID') return []
      throw error
    })
    return holdsIdentity(described, identity) ? this.erase(externalIds, reportRestorable) : 0
  }

  async #seek(externalIds: readonly string[], known: KnownRecords): Promise<FoundLeads> {
    const sought = soughtOf(externalIds, known)
    return this.#engine.seek(sought, await this.#mapped(), areAllKnown(sought) ? 'plan' : 'push')
  }

  /** The fields that a lead of any kind may fill. */
  async #mapped(): Promise<LeadFields> {
    const fields = mappedFields(this.#parts.settings, await this.#decider.described.get())
    return new Map(fields.map((field) => [field.name, field]))
  }
}

/** @throws AppError CRM_UNAVAILABLE if one of the records still exists. */
export function requireDeleted(results: readonly RowResult[], count: number): void {
  const failed = results.find(({ success }) => success !== true)
  if (!failed && results.length === count) return
  const message = `Salesforce did not delete every record: ${JSON.stringify(failed?.errors)}`
  throw new AppError('CRM_UNAVAILABLE', message, { retry: 'later' })
}

/**
 * Leads as Leads of the org: one record per lead, written with sObject Collections, or as a job of Bulk API 2.0. Pushing twice
 * leaves one record; a record that holds everything already is not written.
 */
import { AppError } from '../../../src/errors.ts'
import type { PushPlace } from '../../bulk-way.ts'
import { pushAsChanged } from '../../changed-fields.ts'
import type {
  Adoption,
  CrmField,
  KnownRecords,
  Misfit,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  SetupReport,
  TellRestorable,
} from '../../contract.ts'
import { changesOf, rowWriteOf } from '../../field-ownership.ts'
import { areAllKnown, identityBack, plannedFate, type Sought, soughtOf } from '../../known-records.ts'
import { adviceOnListValues } from '../../listed-value.ts'
import { withIdentity } from '../../overrides.ts'
import { plannedAction } from '../../planned-action.ts'
import { pushAsJob } from '../bulk/push-job.ts'
import { collectionSizeMax, type SalesforceRecord } from '../client.ts'
import { foreseenRefusal } from '../fill-fields.ts'
import { leadObject, mapLead, mappedFields } from '../mapping.ts'
import { mayBeOfFields, outcomeOf, type RowResult } from '../outcomes.ts'
import type { OrgParts, OrgRecords } from '../records.ts'
import { inCalls, notSent, pushMetAgain, writeInSize } from '../row-outcomes.ts'
import { holdsIdentity, setUp } from '../setup.ts'
import { adoptionOfLeads } from './adopt-leads.ts'
import { asLeadValues, contactIdOf, conversionFields, toContact } from './converted.ts'
import { LeadDecider, type PreparedLead } from './decide.ts'
import { decideForJob, needsWrite, recallForJob, refusalOf, unchangedOr } from './job-leads.ts'

export class LeadRecords implements OrgRecords {
  readonly #parts: OrgParts
  readonly #decider: LeadDecider
  readonly adoption: Adoption | undefined

  constructor(parts: OrgParts) {
    this.#parts = parts
    this.#decider = new LeadDecider(parts)
    this.adoption = adoptionOfLeads(this.#decider)
  }

  async describe(): Promise<readonly CrmField[]> {
    const { external_id_field: identity } = this.#parts.settings
    const described = await this.#decider.described.get()
    const fields = await Promise.all(described.map((field) => this.#decider.owners.describe('Lead', field)))
    return withIdentity(fields, (name) => name === identity)
  }

  async misfits(leads: readonly OutgoingLead[]): Promise<readonly Misfit[]> {
    const fields = await this.#decider.fieldMap(false, leads)
    const misfits: Misfit[] = []
    for (const lead of leads) mapLead(lead, this.#parts.settings, fields, (misfit) => void misfits.push(misfit))
    return misfits
  }

  async setup(): Promise<SetupReport> {
    const { client, settings } = this.#parts
    const report = await setUp(client, [leadObject(settings)])
    this.#decider.described.forget()
    this.#decider.owners.forget()
    const advice = adviceOnListValues(await this.describe(), settings.list_values)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  /** Before set-up there is no external-id field to ask by, and no record that could carry it. */
  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const { external_id_field: identity } = this.#parts.settings
    const isSetUp = holdsIdentity(await this.#decider.described.get(), identity)
    const fields = await this.#decider.fieldMap(isSetUp, leads)
    const decider = this.#decider
    const records = isSetUp ? await decider.find(leads, fields) : []
    const known = await decider.known(leads, fields, records, 'look')
    return (await decider.decide(leads, fields, records, known)).map(
      ({ lead, record, contactId, decision, isNamed }) => {
        const back = isNamed ? [identityBack(identity, lead.externalId)] : []
        const held = contactId === null ? record : record && asLeadValues(record)
        return plannedAction('Salesforce', {
          refusal: foreseenRefusal(decision.write, fields),
          fate: plannedFate(known, lead.externalId),
          changes: held && [...back, ...changesOf(decision, held)],
          held: decision.held,
        })
      },
    )
  }

  push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<ReadonlyMap<string, PushOutcome>> {
    // Salesforce works a job off in parts of its own size, which this org does not bear.
    const isNarrow = this.#parts.size.rows < collectionSizeMax && place?.kept === null
    if (place === undefined || isNarrow) return this.#pushInBatches(leads)
    const decider = this.#decider
    const parts = {
      ...this.#parts,
      decide: (given: readonly OutgoingLead[]) => decideForJob(decider, given),
      recall: recallForJob(decider),
      pushInBatches: (given: readonly OutgoingLead[]) => this.#pushInBatches(given),
    }
    return pushAsJob(parts, leads, place)
  }

  async lookup(externalIds: readonly string[], known: KnownRecords = new Map()) {
    const names = mappedFields(this.#parts.settings, await this.#decider.described.get()).map(({ name }) => name)
    const found = await this.#seek(soughtOf(externalIds, known))
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
    tellRestorable: TellRestorable = () => {},
    known: KnownRecords = new Map(),
  ): Promise<number> {
    const found = await this.#seek(soughtOf(externalIds, known))
    const ids = [...found.values()].map(({ Id }) => Id)
    requireDeleted(await this.#parts.client.destroy('Lead', ids), ids.length)
    for (const externalId of found.keys())
      tellRestorable(externalId, 'it lies in the recycle bin of Salesforce for 15 days')
    return found.size
  }

  /** By their identity, and by Salesforce's own Id where that was lost. Writes nothing. */
  async #seek(sought: readonly Sought[]): Promise<ReadonlyMap<string, SalesforceRecord>> {
    const { client, settings } = this.#parts
    const { external_id_field: identity } = settings
    const fields = new Map(
      mappedFields(settings, await this.#decider.described.get()).map((field) => [field.name, field]),
    )
    const ids =
      holdsIdentity([...fields.values()], identity) || !areAllKnown(sought)
        ? sought.map(({ externalId }) => externalId)
        : []
    const records = await client.find('Lead', identity, ids, [...fields.keys(), ...conversionFields])
    const known = await this.#decider.known(sought, fields, records, 'look')
    const found = new Map(records.map((record) => [String(record[identity]), record]))
    return new Map([...found, ...known.records])
  }

  /** Of an org that holds something else by now: nothing where the user sees no Leads, or none of them has an identity. */
  async eraseFormer(externalIds: readonly string[], tellRestorable: TellRestorable): Promise<number> {
    const { external_id_field: identity } = this.#parts.settings
    const described = await this.#decider.described.get().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'DESTINATION_INVALID') return []
      throw error
    })
    return holdsIdentity(described, identity) ? this.erase(externalIds, tellRestorable) : 0
  }

  #pushInBatches(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>> {
    const changes = { mayBeOfFields, count: () => this.#decider.changes, renew: () => this.#decider.renew() }
    return inCalls(leads, collectionSizeMax, (batch) =>
      pushAsChanged(batch, externalIdOf, changes, (some) => this.#pushBatch(some)),
    )
  }

  async #pushBatch(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>> {
    const { client, settings, size, tellWrite } = this.#parts
    const { external_id_field: identity } = settings
    const fields = await this.#decider.fieldMap(true, leads)
    const tell = (batch: readonly PreparedLead[]) => {
      for (const each of batch) tellWrite(each.lead.externalId, writeOf(each))
    }
    const unread = this.#decider.newRecords.mayBeCreated(leads)
    const prepared = await (unread ? this.#decider.decide(leads, fields, []) : this.#decider.prepare(leads, 'restore'))
    const written = new Map<PreparedLead, PushOutcome>()
    const toWrite = prepared.filter((each) => {
      const refusal = refusalOf(each, fields)
      if (refusal) written.set(each, refusal)
      return !refusal && needsWrite(each)
    })
    const asRecords = (batch: readonly PreparedLead[]) =>
      batch.map(({ lead, decision }) => ({ ...decision.write, [identity]: lead.externalId }))
    await writeInSize(
      toWrite.filter(({ contactId }) => contactId === null),
      async (batch) => {
        tell(batch)
        const results = unread
          ? await client.create('Lead', asRecords(batch))
          : await client.upsert('Lead', asRecords(batch))
        return told(batch, results, identity)
      },
      written,
      size,
    )
    await writeInSize(
      toWrite.filter(({ contactId }) => contactId !== null),
      async (batch) => {
        tell(batch)
        const rows = batch.map(({ contactId, decision }) => toContact(String(contactId), decision.write))
        return told(batch, await client.update('Contact', rows), identity)
      },
      written,
      size,
    )
    const outcomes = new Map(
      prepared.map((each) => [each.lead.externalId, written.get(each) ?? unchangedOr(notSent, each)] as const),
    )
    if (!unread) return outcomes
    return pushMetAgain(leads, outcomes, this.#decider.newRecords, (met) => this.#pushBatch(met))
  }
}

const externalIdOf = ({ externalId }: OutgoingLead): string => externalId

/** Of a Contact, too, by the Lead's field names. */
const writeOf = ({ record, contactId, decision }: PreparedLead) =>
  rowWriteOf(decision, record && contactId !== null ? asLeadValues(record) : record)

/** Results are matched by position, so a reply of another length says nothing of any lead. */
function told(batch: readonly PreparedLead[], results: readonly RowResult[], identity: string): PushOutcome[] {
  const complete = results.length === batch.length
  return batch.map(({ decision }, n) => outcomeOf(complete ? results[n] : undefined, decision.values, identity))
}

/** @throws AppError CRM_UNAVAILABLE where one of so many records is there yet. */
export function requireDeleted(results: readonly RowResult[], count: number): void {
  const failed = results.find(({ success }) => success !== true)
  if (!failed && results.length === count) return
  const message = `Salesforce did not delete every record: ${JSON.stringify(failed?.errors)}`
  throw new AppError('CRM_UNAVAILABLE', message, { retry: 'later' })
}

/**
 * One conversation with one Salesforce org: Lead records keyed by a unique external-id field, written with sObject
 * Collections, or as a job of Bulk API 2.0. Pushing twice leaves one record; a record that holds everything already is not
 * written.
 */
import { AppError } from '../../src/errors.ts'
import type {
  BulkWay,
  CrmField,
  CrmSession,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  PushPlace,
  RemoteAccount,
  SessionOptions,
  SetupReport,
  TellRestorable,
} from '../contract.ts'
import { sandboxRecordPage } from '../crm-address.ts'
import { mayHaveWritten } from '../crm-network.ts'
import { changesOf, decideFields, type FieldDecision, type FieldRule } from '../field-ownership.ts'
import { Newcomers } from '../newcomers.ts'
import { overridesOf, ownershipOf } from '../overrides.ts'
import { type Decided, type DecidedLead, pushAsJob } from './bulk/push-job.ts'
import { findMany, keysPerCall } from './bulk/read-many.ts'
import { clearedCell } from './bulk/upload-file.ts'
import { bulkWay } from './bulk/way.ts'
import { collectionSizeMax, SalesforceClient, type SalesforceRecord } from './client.ts'
import { asLeadValues, contactFieldNames, contactIdOf, conversionFields, ofPerson, toContact } from './contacts.ts'
import { foreseenRefusal, mapLead, mappedFields } from './mapping.ts'
import { failureOfCall, outcomeOf, type RowResult } from './outcomes.ts'
import type { SalesforceSettings } from './settings.ts'
import { setUp, writableFields } from './setup.ts'

interface PreparedLead {
  readonly lead: OutgoingLead
  /** The Lead, or the Contact that it was converted into. */
  readonly record: SalesforceRecord | undefined
  readonly contactId: string | null
  readonly decision: FieldDecision
}

export class SalesforceSession implements CrmSession {
  readonly #settings: SalesforceSettings
  readonly #client: SalesforceClient
  readonly #newcomers = new Newcomers()
  readonly bulk: BulkWay
  #described: Promise<readonly CrmField[]> | null = null

  constructor(settings: SalesforceSettings, options: SessionOptions) {
    this.#settings = settings
    this.#client = new SalesforceClient(settings, options)
    this.bulk = bulkWay(settings, this.#client)
  }

  async identify(): Promise<RemoteAccount> {
    const { id, instanceUrl } = await this.#client.organization()
    const { sandbox_pass: pass, login_url: address } = this.#settings
    const page = sandboxRecordPage('salesforce', pass, address) ?? `${instanceUrl}/{id}`
    return { account: id, recordUrls: { company: page, director: page, gst: page } }
  }

  /** The fields that the signed-in user may write. */
  async describe(): Promise<readonly CrmField[]> {
    this.#described ??= this.#client.describe('Lead').then(writableFields)
    try {
      return await this.#described
    } catch (error) {
      this.#described = null
      throw error
    }
  }

  async setup(): Promise<SetupReport> {
    const report = await setUp(this.#client, this.#settings)
    this.#described = null
    return report
  }

  /** Before set-up there is no external-id field to ask by, and no record that could carry it. */
  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const isSetUp = (await this.describe()).some(({ name }) => name === this.#settings.external_id_field)
    const fields = await this.#fieldMap(isSetUp, leads)
    const prepared = await (isSetUp ? this.#prepare(leads) : this.#decide(leads, fields, []))
    return prepared.map(({ record, contactId, decision }) => {
      const refusal = foreseenRefusal(decision.write, fields)
      if (refusal) return { action: 'reject', ...refusal }
      if (!record) return { action: 'create' }
      const changes = changesOf(decision, contactId === null ? record : asLeadValues(record))
      if (changes.length > 0) return { action: 'update', changes }
      if (decision.held.length === 0) return { action: 'unchanged' }
      return { action: 'conflict', reason: `edited in Salesforce: ${decision.held.join(', ')}` }
    })
  }

  async push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]> {
    // Salesforce refuses both of two rows with one external id; the last lead speaks for all of its record.
    const distinct = [...new Map(leads.map((lead) => [lead.externalId, lead])).values()]
    const outcomes = place === undefined ? await this.#pushInBatches(distinct) : await this.#pushAsJob(distinct, place)
    return leads.map(({ externalId }) => outcomes.get(externalId) ?? notSent)
  }

  async #pushInBatches(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>> {
    const outcomes = new Map<string, PushOutcome>()
    for (let from = 0; from < leads.length; from += collectionSizeMax) {
      const batch = leads.slice(from, from + collectionSizeMax)
      try {
        for (const [externalId, outcome] of await this.#pushBatch(batch)) outcomes.set(externalId, outcome)
      } catch (error) {
        if (!(error instanceof AppError) || from === 0) throw error
        for (const { externalId } of leads.slice(from)) outcomes.set(externalId, putOff(error))
        break
      }
    }
    return outcomes
  }

  async #pushBatch(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>> {
    const { external_id_field: externalIdField } = this.#settings
    const fields = await this.#fieldMap(true, leads)
    const unread = this.#newcomers.mayBeCreated(leads)
    const prepared = await (unread ? this.#decide(leads, fields, []) : this.#prepare(leads))
    const written = new Map<PreparedLead, PushOutcome>()
    const toWrite = prepared.filter((each) => {
      const refusal = foreseenRefusal(each.decision.write, fields)
      if (refusal) written.set(each, { status: 'rejected', ...refusal })
      return !refusal && needsWrite(each)
    })
    const asRecords = (batch: readonly PreparedLead[]) =>
      batch.map(({ lead, decision }) => ({ ...decision.write, [externalIdField]: lead.externalId }))
    await this.#write(
      toWrite.filter(({ contactId }) => contactId === null),
      (batch) => (unread ? this.#client.createLeads(asRecords(batch)) : this.#client.upsertLeads(asRecords(batch))),
      written,
    )
    await this.#write(
      toWrite.filter(({ contactId }) => contactId !== null),
      (batch) =>
        this.#client.updateContacts(
          batch.map(({ contactId, decision }) => toContact(String(contactId), decision.write)),
        ),
      written,
    )
    const outcomes = new Map(
      prepared.map((each) => [each.lead.externalId, written.get(each) ?? unchangedOr(notSent, each)] as const),
    )
    return unread ? this.#afterCreating(leads, outcomes) : outcomes
  }

  /** Those that were there all the same are read and decided like any known record. */
  async #afterCreating(
    leads: readonly OutgoingLead[],
    outcomes: Map<string, PushOutcome>,
  ): Promise<ReadonlyMap<string, PushOutcome>> {
    const met = leads.filter(({ externalId }) => wasThere(outcomes.get(externalId)))
    if (met.length === 0) return outcomes
    this.#newcomers.met()
    // Should it fail, they are put off already.
    const again = await this.#pushBatch(met).catch((error: unknown) => {
      if (error instanceof AppError) return new Map<string, PushOutcome>()
      throw error
    })
    return new Map([...outcomes, ...again])
  }

  #pushAsJob(leads: readonly OutgoingLead[], place: PushPlace): Promise<ReadonlyMap<string, PushOutcome>> {
    const parts = {
      client: this.#client,
      settings: this.#settings,
      decide: (given: readonly OutgoingLead[]) => this.#decideForJob(given),
      recall: (written: readonly OutgoingLead[], cells: ReadonlyMap<string, Readonly<Record<string, string>>>) =>
        this.#recall(written, cells),
      pushInBatches: (given: readonly OutgoingLead[]) => this.#pushInBatches(given),
    }
    return pushAsJob(parts, leads, place)
  }

  /** Of a first delivery one call's worth is read; where none of it is there, the job is one that only creates. */
  async #decideForJob(leads: readonly OutgoingLead[]): Promise<Decided> {
    const { external_id_field: externalIdField } = this.#settings
    const fields = await this.#fieldMap(true, leads)
    const asked = [...fields.keys(), ...conversionFields]
    const find = (given: readonly OutgoingLead[]) =>
      findMany(
        this.#client,
        externalIdField,
        given.map(({ externalId }) => externalId),
        asked,
      )
    const some = leads.slice(0, keysPerCall)
    const unread = this.#newcomers.mayBeCreated(leads)
    const records = unread ? [] : await find(some)
    const there = new Set(records.map((record) => record[externalIdField]))
    if (!unread) this.#newcomers.note(some, ({ externalId }) => there.has(externalId))
    const operation = this.#newcomers.mayBeCreated(leads) ? 'insert' : 'upsert'
    if (operation === 'upsert') records.push(...(await find(leads.slice(keysPerCall))))
    const outcomes = new Map<string, PushOutcome>()
    const toWrite: DecidedLead[] = []
    const aside: OutgoingLead[] = []
    for (const each of await this.#decide(leads, fields, records)) {
      const { lead, contactId, decision } = each
      const refusal = foreseenRefusal(decision.write, fields)
      const values = { ...decision.write, [externalIdField]: lead.externalId }
      if (refusal) outcomes.set(lead.externalId, { status: 'rejected', ...refusal })
      else if (!needsWrite(each)) outcomes.set(lead.externalId, unchangedOr(notSent, each))
      else if (contactId !== null) aside.push(lead)
      else toWrite.push({ lead, values, remembered: decision.values })
    }
    return { operation, toWrite, outcomes, aside }
  }

  /** As if it had been decided before the job: what was uploaded, and what the record holds of the rest. */
  async #recall(
    leads: readonly OutgoingLead[],
    cells: ReadonlyMap<string, Readonly<Record<string, string>>>,
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
    const fields = await this.#fieldMap(true, leads)
    const ids = leads.map(({ externalId }) => externalId)
    const asked = [...fields.keys(), ...conversionFields]
    const records = await findMany(this.#client, this.#settings.external_id_field, ids, asked)
    return new Map(
      (await this.#decide(leads, fields, records)).map(({ lead, decision }) => {
        const known = Object.entries(decision.values).filter(([name]) => !(name in decision.write))
        const uploaded = Object.entries(cells.get(lead.externalId) ?? {}).filter(([, text]) => text !== clearedCell)
        return [lead.externalId, Object.fromEntries([...known, ...uploaded])] as const
      }),
    )
  }

  async lookup(externalIds: readonly string[]) {
    const names = mappedFields(this.#settings, await this.describe()).map(({ name }) => name)
    const records = await this.#client.find('Lead', this.#settings.external_id_field, externalIds, names)
    return new Map(
      records.map((record) => [
        String(record[this.#settings.external_id_field]),
        { crmId: record.Id, values: Object.fromEntries(names.map((name) => [name, record[name] ?? null])) },
      ]),
    )
  }

  limits() {
    return this.#client.limits()
  }

  async erase(externalIds: readonly string[], tellRestorable: TellRestorable = () => {}): Promise<number> {
    const idField = this.#settings.external_id_field
    const records = await this.#client.find('Lead', idField, externalIds, [])
    const results = await this.#client.deleteLeads(records.map(({ Id }) => Id))
    const failed = results.find(({ success }) => success !== true)
    if (failed || results.length !== records.length) {
      throw new AppError(
        'CRM_UNAVAILABLE',
        `Salesforce did not delete every record: ${JSON.stringify(failed?.errors)}`,
        {
          retry: 'later',
        },
      )
    }
    for (const record of records)
      tellRestorable(String(record[idField]), 'it lies in the recycle bin of Salesforce for 15 days')
    return records.length
  }

  async #prepare(leads: readonly OutgoingLead[]): Promise<PreparedLead[]> {
    const fields = await this.#fieldMap(true, leads)
    const externalIds = leads.map(({ externalId }) => externalId)
    const asked = [...fields.keys(), ...conversionFields]
    const records = await this.#client.find('Lead', this.#settings.external_id_field, externalIds, asked)
    const there = new Set(records.map((record) => record[this.#settings.external_id_field]))
    this.#newcomers.note(leads, ({ externalId }) => there.has(externalId))
    return this.#decide(leads, fields, records)
  }

  async #decide(
    leads: readonly OutgoingLead[],
    fields: ReadonlyMap<string, CrmField>,
    records: readonly SalesforceRecord[],
  ): Promise<PreparedLead[]> {
    const { external_id_field: externalIdField, ownership } = this.#settings
    const byExternalId = new Map(records.map((record) => [record[externalIdField], record]))
    const contactIds = records.flatMap((record) => contactIdOf(record) ?? [])
    const contacts = await this.#client.find('Contact', 'Id', contactIds, contactFieldNames)
    const byContactId = new Map(contacts.map((contact) => [contact.Id, contact]))
    return leads.map((lead) => {
      const record = byExternalId.get(lead.externalId)
      const overrides = overridesOf(lead)
      const ruleOf = (field: string): FieldRule => ({
        ownership: ownershipOf(overrides, field) ?? ownership[field] ?? 'if_unchanged',
      })
      const target = mapLead(lead, this.#settings, fields)
      const contact = record && byContactId.get(contactIdOf(record) ?? '')
      if (contact) {
        const decision = decideFields(ofPerson(target), asLeadValues(contact), lead.lastPushed, ruleOf)
        return { lead, record: contact, contactId: contact.Id, decision }
      }
      return {
        lead,
        record,
        contactId: null,
        decision: decideFields(target, record ?? null, lead.lastPushed, ruleOf),
      }
    })
  }

  /**
   * Fills one outcome per lead. A call that Salesforce refuses as a whole is halved until the culprit stands alone.
   * When a later half fails, what the earlier ones wrote is kept and the rest is put off.
   */
  async #write(
    batch: readonly PreparedLead[],
    send: (batch: readonly PreparedLead[]) => Promise<readonly RowResult[]>,
    outcomes: Map<PreparedLead, PushOutcome>,
  ): Promise<void> {
    if (batch.length === 0) return
    const { external_id_field: externalIdField } = this.#settings
    try {
      const results = await send(batch)
      // Results are matched by position, so a reply of another length says nothing of any lead.
      const complete = results.length === batch.length
      batch.forEach((each, n) => {
        outcomes.set(each, outcomeOf(complete ? results[n] : undefined, each.decision.values, externalIdField))
      })
    } catch (error) {
      if (mayHaveWritten(error)) {
        const message = error instanceof Error ? error.message : 'the connection was lost'
        for (const each of batch) outcomes.set(each, { status: 'unknown', message })
        return
      }
      const failure = failureOfCall(error)
      if (failure && outcomes.size === 0) throw failure
      if (failure) {
        for (const each of batch) outcomes.set(each, putOff(failure))
        return
      }
      const [only] = batch
      if (only && batch.length === 1) outcomes.set(only, rejectionOf(error))
      else {
        const middle = Math.ceil(batch.length / 2)
        await this.#write(batch.slice(0, middle), send, outcomes)
        await this.#write(batch.slice(middle), send, outcomes)
      }
    }
  }

  async #fieldMap(isSetUp: boolean, leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, CrmField>> {
    const { external_id_field: externalIdField, custom_fields: customFields } = this.#settings
    const described = await this.describe()
    const fields = new Map(mappedFields(this.#settings, described).map((field) => [field.name, field]))
    const named = new Set(leads.flatMap((lead) => [...overridesOf(lead).keys()]))
    for (const field of described) if (named.has(field.name)) fields.set(field.name, field)
    const needed = ['LastName', 'Company', ...Object.values(customFields), ...(isSetUp ? [externalIdField] : [])]
    const missing = needed.filter((name) => !fields.has(name))
    if (missing.length > 0) {
      throw new AppError(
        'DESTINATION_INVALID',
        `The Salesforce user cannot write ${missing.map((name) => `Lead.${name}`).join(', ')}; create the fields or grant access`,
      )
    }
    return fields
  }
}

const notSent: PushOutcome = { status: 'unknown', message: 'the lead was not sent' }

const needsWrite = ({ record, decision }: PreparedLead): boolean =>
  record === undefined || Object.keys(decision.write).length > 0

function unchangedOr(other: PushOutcome, { record, decision }: PreparedLead): PushOutcome {
  return record === undefined ? other : { status: 'unchanged', crmId: record.Id, values: decision.values }
}

const wasThere = (outcome: PushOutcome | undefined): boolean =>
  outcome?.status === 'deferred' && outcome.code === 'DUPLICATE_VALUE'

function putOff(failure: AppError): PushOutcome {
  const afterMs = typeof failure.retry === 'object' ? failure.retry.afterMs : 60_000
  return { status: 'deferred', afterMs, code: failure.code, field: null, message: failure.message }
}

function rejectionOf(error: unknown): PushOutcome {
  const { errorCode, message } = error as { errorCode?: unknown; message?: unknown }
  if (typeof errorCode !== 'string') throw error
  return { status: 'rejected', code: errorCode, field: null, message: String(message) }
}

/**
 * One conversation with one Salesforce org: Lead records keyed by a unique external-id field, written with sObject
 * Collections upserts. Pushing twice leaves one record; a record that holds everything already is not written.
 */
import { AppError } from '../../src/errors.ts'
import type {
  CrmField,
  CrmSession,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  RemoteAccount,
  SessionOptions,
  SetupReport,
  TellRestorable,
} from '../contract.ts'
import { sandboxRecordPage } from '../crm-address.ts'
import { mayHaveWritten } from '../crm-network.ts'
import { changesOf, decideFields, type FieldDecision, type FieldRule } from '../field-ownership.ts'
import { overridesOf, ownershipOf } from '../overrides.ts'
import { SalesforceClient, type SalesforceRecord } from './client.ts'
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
  #described: Promise<readonly CrmField[]> | null = null

  constructor(settings: SalesforceSettings, options: SessionOptions) {
    this.#settings = settings
    this.#client = new SalesforceClient(settings, options)
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

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    // Salesforce refuses both of two rows with one external id; the last lead speaks for all of its record.
    const distinct = [...new Map(leads.map((lead) => [lead.externalId, lead])).values()]
    const prepared = await this.#prepare(distinct)
    const written = new Map<PreparedLead, PushOutcome>()
    const fields = await this.#fieldMap(true, leads)
    const toWrite = prepared.filter((each) => {
      const refusal = foreseenRefusal(each.decision.write, fields)
      if (refusal) written.set(each, { status: 'rejected', ...refusal })
      return !refusal && (!each.record || Object.keys(each.decision.write).length > 0)
    })
    const { external_id_field: externalIdField } = this.#settings
    await this.#write(
      toWrite.filter(({ contactId }) => contactId === null),
      (batch) =>
        this.#client.upsertLeads(
          batch.map(({ lead, decision }) => ({ ...decision.write, [externalIdField]: lead.externalId })),
        ),
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
    const byExternalId = new Map(prepared.map((each) => [each.lead.externalId, each]))
    return leads.map(({ externalId }): PushOutcome => {
      const each = byExternalId.get(externalId)
      const outcome = each && written.get(each)
      if (outcome) return outcome
      if (!each?.record) return { status: 'unknown', message: 'the lead was not sent' }
      return { status: 'unchanged', crmId: each.record.Id, values: each.decision.values }
    })
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

function putOff(failure: AppError): PushOutcome {
  const afterMs = typeof failure.retry === 'object' ? failure.retry.afterMs : 60_000
  return { status: 'deferred', afterMs, code: failure.code, field: null, message: failure.message }
}

function rejectionOf(error: unknown): PushOutcome {
  const { errorCode, message } = error as { errorCode?: unknown; message?: unknown }
  if (typeof errorCode !== 'string') throw error
  return { status: 'rejected', code: errorCode, field: null, message: String(message) }
}

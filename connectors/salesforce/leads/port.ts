/** The push port of an org that keeps leads as Leads: one record each, written with sObject Collections. */
import type { FieldsOfCrm } from '../../changed-fields.ts'
import type { OutgoingLead, PushOutcome } from '../../contract.ts'
import { rowWriteOf } from '../../field-ownership.ts'
import { type Known, type KnownUse, lostAmong, type Sought } from '../../known-records.ts'
import type { Act, PushPort, WriteReport } from '../../push-port.ts'
import type { SalesforceRecord } from '../client.ts'
import { findKnownRecords } from '../known.ts'
import { mayBeOfFields, outcomeOf, type RowResult } from '../outcomes.ts'
import { metAmong, writeInSize } from '../row-outcomes.ts'
import { holdsIdentity } from '../setup.ts'
import { conversionFields, toContact } from './converted.ts'
import type { FoundLeads, LeadDecider, LeadFields, PreparedLead } from './decide.ts'

export class LeadPort implements PushPort<LeadFields, SalesforceRecord, PreparedLead> {
  readonly crm = 'Salesforce'
  readonly fieldsOfCrm: FieldsOfCrm
  readonly #decider: LeadDecider

  constructor(decider: LeadDecider) {
    this.#decider = decider
    this.fieldsOfCrm = { mayBeOfFields, answers: [decider.described, decider.owners, decider.lists] }
  }

  fields(leads: readonly OutgoingLead[], act: Act): Promise<LeadFields> {
    return this.#decider.fields(leads, act)
  }

  /** Before set-up there is no external-id field to query by, and so no record that could have one. */
  async find(sought: readonly Sought[], fields: LeadFields, act: Act): Promise<FoundLeads> {
    const { client, settings } = this.#decider.parts
    const { external_id_field: identity } = settings
    if (act === 'plan' && !holdsIdentity([...fields.values()], identity)) return new Map()
    const externalIds = sought.map(({ externalId }) => externalId)
    const records = await client.find('Lead', identity, externalIds, fieldsToRead(fields))
    return new Map(records.map((record) => [String(record[identity]), record]))
  }

  known(
    sought: readonly Sought[],
    found: FoundLeads,
    fields: LeadFields,
    use: KnownUse,
  ): Promise<Known<SalesforceRecord>> {
    const lost = lostAmong(sought, found)
    return findKnownRecords(this.#decider.parts, { object: 'Lead', lost, fields: fieldsToRead(fields), use })
  }

  decide(leads: readonly OutgoingLead[], found: FoundLeads, fields: LeadFields): Promise<readonly PreparedLead[]> {
    return this.#decider.decide(leads, found, fields)
  }

  /** Contacts of converted Leads are written with calls of their own. */
  async write(rows: readonly PreparedLead[], _fields: LeadFields, how: 'create' | 'upsert'): Promise<WriteReport> {
    const { client, settings } = this.#decider.parts
    const { external_id_field: identity } = settings
    const outcomes = new Map<string, PushOutcome>()
    const asLeads = (batch: readonly PreparedLead[]) => {
      const records = batch.map(({ lead, decision }) => ({ ...decision.write, [identity]: lead.externalId }))
      return how === 'create' ? client.create('Lead', records) : client.upsert('Lead', records)
    }
    const asContacts = (batch: readonly PreparedLead[]) =>
      client.update(
        'Contact',
        batch.map(({ contactId, decision }) => toContact(String(contactId), decision.write)),
      )
    const leads = rows.filter(({ contactId }) => contactId === null)
    const contacts = rows.filter(({ contactId }) => contactId !== null)
    const stoppedBy =
      (await this.#writeAs(asLeads, leads, outcomes)) ?? (await this.#writeAs(asContacts, contacts, outcomes))
    return { outcomes, stoppedBy, met: how === 'create' ? metAmong(rows, outcomes) : [] }
  }

  #writeAs(
    send: (batch: readonly PreparedLead[]) => Promise<readonly RowResult[]>,
    rows: readonly PreparedLead[],
    outcomes: Map<string, PushOutcome>,
  ) {
    const { size, settings, reportWrite } = this.#decider.parts
    const { lists } = this.#decider
    const sendReported = async (batch: readonly PreparedLead[]) => {
      for (const { lead, record, decision } of batch) reportWrite(lead.externalId, rowWriteOf(decision, record?.values))
      const results = await send(batch)
      // Results are matched by position, so a reply of another length says nothing of any lead.
      const complete = results.length === batch.length
      return batch.map(({ decision }, n) => {
        const outcome = outcomeOf(complete ? results[n] : undefined, decision.values, settings.external_id_field)
        lists.note(outcome, decision.write)
        return outcome
      })
    }
    return writeInSize(rows, sendReported, size, outcomes)
  }
}

export const fieldsToRead = (fields: LeadFields): string[] => [...fields.keys(), ...conversionFields]

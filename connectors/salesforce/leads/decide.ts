/**
 * What is to be written into which Lead: leads go in, the fields of each come out, by what the org holds and whose each field
 * is. Of a Lead that was converted the Contact is meant. Writes nothing.
 */
import { AppError } from '../../../src/errors.ts'
import { AskedOnce } from '../../asked-once.ts'
import type { CrmField, OutgoingLead } from '../../contract.ts'
import { decideFields, type FieldDecision, type FieldRule, unconfirmedOf } from '../../field-ownership.ts'
import {
  type Known,
  type KnownRefusal,
  type KnownUse,
  lostAmong,
  nothingKnown,
  type Sought,
} from '../../known-records.ts'
import { withListValues } from '../../listed-value.ts'
import { NewRecords } from '../../new-records.ts'
import { overridesOf, ownershipOf } from '../../overrides.ts'
import type { SalesforceRecord } from '../client.ts'
import { findKnownRecords } from '../known.ts'
import { leadNeeds, mapLead, mappedFields } from '../mapping.ts'
import { asUnowned, OrgOwners, ownerField } from '../owners.ts'
import type { OrgParts } from '../records.ts'
import { requireIdentity, writableFields } from '../setup.ts'
import { asLeadValues, contactFieldNames, contactIdOf, conversionFields, ofPerson } from './converted.ts'

export interface PreparedLead {
  readonly lead: OutgoingLead
  /** The Lead, or the Contact that it was converted into. */
  readonly record: SalesforceRecord | undefined
  readonly contactId: string | null
  readonly decision: FieldDecision
  /** True where the record was found by its Id alone: its identity is to be written, or was just now. */
  readonly isNamed: boolean
  /** Why the lead is not to be written: its record is gone, was merged, or did not take its identity back. */
  readonly unnamed: KnownRefusal | undefined
}

export class LeadDecider {
  readonly parts: OrgParts
  readonly newRecords = new NewRecords()
  /** The fields that the signed-in user may write. */
  readonly described: AskedOnce<readonly CrmField[]>
  readonly owners: OrgOwners

  constructor(parts: OrgParts) {
    this.parts = parts
    this.owners = new OrgOwners(parts.client)
    this.described = new AskedOnce(async () => {
      const { fields } = await parts.client.describe('Lead')
      return withListValues(writableFields(fields), parts.settings.list_values)
    })
  }

  get changes(): number {
    return this.described.changes + this.owners.changes
  }

  /** Asks anew for what was asked. */
  async renew(): Promise<void> {
    await this.described.renew()
    await this.owners.renew()
  }

  /** As the org holds them now. @param use whether records that lost their identity get it back. */
  async prepare(leads: readonly OutgoingLead[], use: KnownUse): Promise<PreparedLead[]> {
    const fields = await this.fieldMap(true, leads)
    const records = await this.find(leads, fields)
    return this.decide(leads, fields, records, await this.known(leads, fields, records, use))
  }

  /** Those that the org has under their identity. */
  async find(
    leads: readonly OutgoingLead[],
    fields: ReadonlyMap<string, CrmField>,
  ): Promise<readonly SalesforceRecord[]> {
    const { settings, client } = this.parts
    const externalIds = leads.map(({ externalId }) => externalId)
    const asked = [...fields.keys(), ...conversionFields]
    const records = await client.find('Lead', settings.external_id_field, externalIds, asked)
    const there = new Set(records.map((record) => record[settings.external_id_field]))
    this.newRecords.note(leads, ({ externalId }) => there.has(externalId))
    return records
  }

  /** Leads that the org has, and that their identity does not find. */
  known(
    leads: readonly Sought[],
    fields: ReadonlyMap<string, CrmField>,
    records: readonly SalesforceRecord[],
    use: KnownUse,
  ): Promise<Known<SalesforceRecord>> {
    const { external_id_field: identity } = this.parts.settings
    const found = new Set(records.map((record) => String(record[identity])))
    const asked = [...fields.keys(), ...conversionFields]
    return findKnownRecords(this.parts, { object: 'Lead', lost: lostAmong(leads, found), fields: asked, use })
  }

  /** @param records of the org, those of these leads among them. */
  async decide(
    leads: readonly OutgoingLead[],
    fields: ReadonlyMap<string, CrmField>,
    records: readonly SalesforceRecord[],
    known: Known<SalesforceRecord> = nothingKnown(),
  ): Promise<PreparedLead[]> {
    const { settings, client } = this.parts
    const all = [...records, ...known.records.values()]
    const byExternalId = new Map(all.map((record) => [record[settings.external_id_field], record]))
    const contactIds = all.flatMap((record) => contactIdOf(record) ?? [])
    const contacts = await client.find('Contact', 'Id', contactIds, contactFieldNames)
    const byContactId = new Map(contacts.map((contact) => [contact.Id, contact]))
    const userId = fields.has(ownerField) ? (await client.organization()).userId : undefined
    return leads.map((lead) => {
      const target = mapLead(lead, settings, fields)
      const record = asUnowned(byExternalId.get(lead.externalId), userId, target)
      const isNamed = known.records.has(lead.externalId) && record?.['IsConverted'] !== true
      const how = { lead, isNamed, unnamed: known.refused.get(lead.externalId) }
      const ruleOf = this.ruleFor(lead)
      const unconfirmed = unconfirmedOf(lead).map((sent) => mapLead(sent, settings, fields))
      const contact = record && byContactId.get(contactIdOf(record) ?? '')
      if (contact) {
        const decision = decideFields(
          ofPerson(target),
          asLeadValues(contact),
          lead.lastPushed,
          ruleOf,
          unconfirmed.map(ofPerson),
        )
        return { ...how, record: contact, contactId: contact.Id, decision }
      }
      return {
        ...how,
        record,
        contactId: null,
        decision: decideFields(target, record ?? null, lead.lastPushed, ruleOf, unconfirmed),
      }
    })
  }

  /** Whose a field of this lead's record is. */
  ruleFor(lead: OutgoingLead): (field: string) => FieldRule {
    const overrides = overridesOf(lead)
    const { ownership } = this.parts.settings
    return (field) => ({ ownership: ownershipOf(overrides, field) ?? ownership[field] ?? 'if_unchanged' })
  }

  /** The fields that these leads may fill. @throws AppError where one is missing without which none is delivered. */
  async fieldMap(isSetUp: boolean, leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, CrmField>> {
    const { settings } = this.parts
    const { external_id_field: externalIdField, custom_fields: customFields } = settings
    const described = await this.described.get()
    const fields = new Map(mappedFields(settings, described).map((field) => [field.name, field]))
    const named = new Set(leads.flatMap((lead) => [...overridesOf(lead).keys()]))
    for (const field of described) if (named.has(field.name)) fields.set(field.name, field)
    await this.owners.narrow(fields, leads, 'Lead')
    const needed = [...leadNeeds, ...Object.values(customFields), ...(isSetUp ? [externalIdField] : [])]
    const missing = needed.filter((name) => !fields.has(name))
    if (missing.length > 0) {
      throw new AppError(
        'DESTINATION_INVALID',
        `The Salesforce user cannot write ${missing.map((name) => `Lead.${name}`).join(', ')}; test the destination (\`panji destination test\`), which makes what is missing and says what to grant`,
      )
    }
    if (isSetUp) requireIdentity('Lead', fields.get(externalIdField))
    return fields
  }
}

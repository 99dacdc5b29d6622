/**
 * Decides which fields of each Lead are written, from what the org holds and who owns each field. For a converted
 * Lead, its Contact is compared and written. Writes nothing.
 */
import { CachedAnswer } from '../../cached-answer.ts'
import type { CrmField, OutgoingLead, Refusal } from '../../contract.ts'
import { decideFields, type FieldRule, unconfirmedOf } from '../../field-ownership.ts'
import { refusalOfLeftOut, unseen, unseenOf } from '../../left-out.ts'
import { withListValues } from '../../listed-value.ts'
import { overridesOf, ownershipOf } from '../../overrides.ts'
import type { Act, Decided } from '../../push-port.ts'
import { sentences } from '../administrator.ts'
import type { SalesforceRecord } from '../client.ts'
import { type FieldValues, foreseenRefusal } from '../fill-fields.ts'
import { leadNeeds, mapLead, mappedFields, standardNames, usedManagedFields } from '../mapping.ts'
import { NarrowedLists } from '../narrowed-lists.ts'
import { asUnowned, OrgOwners, ownerField } from '../owners.ts'
import type { OrgParts } from '../records.ts'
import { requireIdentity, unwritable, type Withheld, withheldAmong, writableFields } from '../setup.ts'
import { asLeadValues, contactFieldNames, contactIdOf, ofPerson, outOfSight } from './converted.ts'

/** Fields by name. */
export type LeadFields = ReadonlyMap<string, CrmField>
/** The org's Leads by external id. */
export type FoundLeads = ReadonlyMap<string, SalesforceRecord>

export interface PreparedLead extends Decided {
  /** Set for a converted Lead: the Contact that is compared and written. */
  readonly contactId: string | null
}

export class LeadDecider {
  readonly parts: OrgParts
  /** The fields that the signed-in user may write. */
  readonly described: CachedAnswer<readonly CrmField[]>
  readonly owners: OrgOwners
  readonly lists = new NarrowedLists()
  /** As of the last describe. */
  #withheld: Withheld = { listed: new Set(), fields: [] }

  constructor(parts: OrgParts) {
    this.parts = parts
    this.owners = new OrgOwners(parts.client)
    this.described = new CachedAnswer(async () => {
      const { fields } = await parts.client.describe('Lead')
      this.#withheld = withheldAmong(fields)
      return withListValues(writableFields(fields), parts.settings.list_values)
    })
  }

  async decide(
    leads: readonly OutgoingLead[],
    found: FoundLeads,
    fields: LeadFields,
  ): Promise<readonly PreparedLead[]> {
    const { settings, client } = this.parts
    const contactIds = [...found.values()].flatMap((record) => contactIdOf(record) ?? [])
    const contacts = await client.findVisible('Contact', 'Id', contactIds, contactFieldNames)
    const byContactId = new Map(contacts.map((contact) => [contact.Id, contact]))
    const userId = fields.has(ownerField) ? (await client.organization()).userId : undefined
    return leads.map((lead) => {
      const target = mapLead(lead, settings, fields)
      const own = asUnowned(found.get(lead.externalId), userId, target)
      const contact = own && byContactId.get(contactIdOf(own) ?? '')
      const record = contact
        ? { crmId: contact.Id, values: asLeadValues(contact) }
        : own && { crmId: own.Id, values: own }
      const wanted = (all: FieldValues) => (contact ? ofPerson(all) : all)
      const unconfirmed = unconfirmedOf(lead).map((sent) => wanted(mapLead(sent, settings, fields)))
      const held = record?.values ?? null
      const decision = decideFields(wanted(target), held, lead.lastPushed, this.ruleFor(lead), unconfirmed)
      const isClosed = own?.['IsConverted'] === true && contact === undefined && Object.keys(decision.write).length > 0
      const refusal = isClosed ? outOfSight(own.Id) : foreseenRefusal(decision.write, fields)
      return { lead, record, contactId: contact?.Id ?? null, refusal, decision }
    })
  }

  /** The ownership of a field of this lead's record. */
  ruleFor(lead: OutgoingLead): (field: string) => FieldRule {
    const overrides = overridesOf(lead)
    const { ownership } = this.parts.settings
    return (field) => ({ ownership: ownershipOf(overrides, field) ?? ownership[field] ?? 'if_unchanged' })
  }

  /** What each of these leads is delivered without. */
  async leftOut(leads: readonly OutgoingLead[]): Promise<(lead: OutgoingLead) => Refusal | null> {
    const { settings } = this.parts
    const fields = await this.fields(leads, 'plan')
    const { listed, fields: withheld } = this.#withheld
    const hidden = standardNames.filter((name) => !listed.has(name)).map(unseen)
    const managed = usedManagedFields(settings).map(({ name }) => name)
    const always = [...mappedFields(settings, withheld), ...hidden]
    return (lead) => {
      const own = new Set(overridesOf(lead).keys())
      const named = withheld.filter(({ name }) => own.has(name))
      const others = [...always, ...named, ...unseenOf(lead, managed, listed)]
      if (others.length === 0) return null
      const wide = new Map([...others.map((field) => [field.name, field] as const), ...fields])
      return refusalOfLeftOut(lead, {
        ...{ may: mapLead(lead, settings, fields), would: mapLead(lead, settings, wide), own, note: 'Description' },
        todo: (missing) => sentences.letWrite('Lead', missing),
      })
    }
  }

  /**
   * The fields that these leads may fill. @throws AppError if a field is missing without which none can be delivered.
   */
  async fields(leads: readonly OutgoingLead[], act: Act): Promise<LeadFields> {
    const { settings } = this.parts
    const { external_id_field: identity, custom_fields: customFields } = settings
    const described = await this.described.get()
    const fields = new Map(mappedFields(settings, described).map((field) => [field.name, field]))
    const named = new Set(leads.flatMap((lead) => [...overridesOf(lead).keys()]))
    for (const field of described) if (named.has(field.name)) fields.set(field.name, field)
    await this.owners.narrow(fields, leads, 'Lead')
    this.lists.narrow(fields)
    const needed = [...leadNeeds, ...Object.values(customFields), ...(act === 'push' ? [identity] : [])]
    const missing = needed.filter((name) => !fields.has(name))
    if (missing.length > 0) throw unwritable(missing.map((name) => `Lead.${name}`))
    if (act === 'push') requireIdentity('Lead', fields.get(identity))
    return fields
  }
}

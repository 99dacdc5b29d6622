/** What is to be written into which Account and Contact: leads go in, the fields of each of their records come out. Writes nothing. */
import { AppError } from '../../../src/errors.ts'
import { AskedOnce } from '../../asked-once.ts'
import type { CrmField, OutgoingLead, PlannedAction } from '../../contract.ts'
import { decideFields, type FieldDecision, type FieldRule, unconfirmedOf } from '../../field-ownership.ts'
import {
  areAllKnown,
  type Known,
  type KnownRefusal,
  type KnownUse,
  lostAmong,
  nothingKnown,
  plannedFate,
  type Sought,
} from '../../known-records.ts'
import { withListValues } from '../../listed-value.ts'
import { NewRecords } from '../../new-records.ts'
import { overridesOf, ownershipOf } from '../../overrides.ts'
import { findMany } from '../bulk/read-many.ts'
import type { SalesforceRecord } from '../client.ts'
import { findKnownRecords } from '../known.ts'
import { asUnowned, OrgOwners, ownerField } from '../owners.ts'
import type { OrgParts } from '../records.ts'
import { fieldsToAskBy, holdsIdentity, requireIdentity, writableFields } from '../setup.ts'
import {
  fieldsOfPart,
  mainObjectOf,
  mainObjectOfId,
  neededFields,
  type PartObject,
  partName,
  partObjects,
  partsOf,
} from './parts.ts'

export interface PreparedPart {
  readonly object: PartObject
  readonly record: SalesforceRecord | undefined
  readonly decision: FieldDecision
}

export interface PreparedRow {
  readonly lead: OutgoingLead
  /** The main one first. */
  readonly parts: readonly PreparedPart[]
  /** Account of a director's company, where the org has it. */
  readonly companyId: string | null
  /** Objects whose record was found by its Id alone: its identity is to be written, or was just now. */
  readonly named: readonly PartObject[]
  /** Why the lead is not to be written: its record is gone, was merged, or did not take its identity back. */
  readonly unnamed: KnownRefusal | undefined
  /** What a plan says of a main record that is gone; undefined where it is there, or never was. */
  readonly fate: PlannedAction | undefined
  /** Of a person beside the company whom somebody deleted or merged away: what the ledger remembers, so that nobody is made anew. */
  readonly kept: Readonly<Record<string, unknown>>
}

export type PartFields = Readonly<Record<PartObject, ReadonlyMap<string, CrmField>>>
/** By object and external id. */
export type FoundParts = Readonly<Record<PartObject, ReadonlyMap<string, SalesforceRecord>>>

/** By object what is known of these leads in the org, beside what their identity finds. */
export type KnownParts = Readonly<Record<PartObject, Known<SalesforceRecord>>>

export const nothingFound: FoundParts = { Account: new Map(), Contact: new Map() }
const noParts: KnownParts = { Account: nothingKnown(), Contact: nothingKnown() }

export class AccountDecider {
  readonly parts: OrgParts
  readonly newRecords = new NewRecords()
  /** The fields that the signed-in user may write, by object. */
  readonly described: AskedOnce<Readonly<Record<PartObject, readonly CrmField[]>>>
  readonly owners: OrgOwners

  constructor(parts: OrgParts) {
    this.parts = parts
    this.owners = new OrgOwners(parts.client)
    const describe = async (object: PartObject) => {
      const { fields } = await parts.client.describe(object)
      return withListValues(writableFields(fields), parts.settings.list_values, (name) => partName(object, name))
    }
    this.described = new AskedOnce(async () => ({
      Account: await describe('Account'),
      Contact: await describe('Contact'),
    }))
  }

  async isSetUp(): Promise<boolean> {
    const { external_id_field: identity } = this.parts.settings
    const described = await this.described.get()
    return partObjects.every((object) => holdsIdentity(described[object], identity))
  }

  /** Fields that rules may ask by, named with their object. */
  async askable(): Promise<ReadonlySet<string>> {
    const described = await this.described.get()
    return new Set(
      partObjects.flatMap((object) => [...fieldsToAskBy(described[object])].map((name) => partName(object, name))),
    )
  }

  /** The fields that these leads may fill. @throws AppError where one is missing without which none is delivered. */
  async fieldMaps(isSetUp: boolean, leads: readonly OutgoingLead[]): Promise<PartFields> {
    const described = await this.described.get()
    const overridden = new Set(leads.flatMap((lead) => [...overridesOf(lead).keys()]))
    const mapOf = (object: PartObject) => {
      const fields = new Map(
        fieldsOfPart(this.parts.settings, object, described[object]).map((each) => [each.name, each]),
      )
      for (const each of described[object]) if (overridden.has(partName(object, each.name))) fields.set(each.name, each)
      return fields
    }
    const maps = { Account: mapOf('Account'), Contact: mapOf('Contact') }
    for (const object of partObjects) {
      await this.owners.narrow(maps[object], leads, object, partName(object, ownerField))
    }
    const identity = isSetUp ? [this.parts.settings.external_id_field] : []
    const missing = partObjects.flatMap((object) =>
      [...neededFields(object), ...identity]
        .filter((name) => !maps[object].has(name))
        .map((name) => partName(object, name)),
    )
    for (const object of isSetUp ? partObjects : [])
      requireIdentity(object, maps[object].get(this.parts.settings.external_id_field))
    if (missing.length === 0) return maps
    throw new AppError(
      'DESTINATION_INVALID',
      `The Salesforce user cannot write ${missing.join(', ')}; test the destination (\`panji destination test\`), which makes what is missing and says what to grant`,
    )
  }

  async find(externalIds: readonly string[], fields: PartFields): Promise<FoundParts> {
    const { settings, client } = this.parts
    const keyField = settings.external_id_field
    const directors = externalIds.filter((id) => id.startsWith('director:'))
    const read = async (object: PartObject, keys: readonly string[]) => {
      const records = await findMany(client, { object, keyField, keys, fields: [...fields[object].keys()] })
      return new Map(records.map((record) => [String(record[keyField]), record]))
    }
    const others = externalIds.filter((id) => !id.startsWith('director:'))
    return { Account: await read('Account', others), Contact: await read('Contact', [...others, ...directors]) }
  }

  /** By their identity, and by Salesforce's own Id where that was lost. Writes nothing. */
  async seek(sought: readonly Sought[]): Promise<{ readonly found: FoundParts; readonly fields: PartFields }> {
    const isSetUp = await this.isSetUp()
    const fields = await this.fieldMaps(isSetUp || !areAllKnown(sought), [])
    const externalIds = sought.map(({ externalId }) => externalId)
    const found = isSetUp ? await this.find(externalIds, fields) : nothingFound
    const known = await this.known(sought, fields, found, 'look')
    const all = (object: PartObject) => new Map([...found[object], ...known[object].records])
    return { fields, found: { Account: all('Account'), Contact: all('Contact') } }
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
  async prepare(leads: readonly OutgoingLead[], use: KnownUse): Promise<PreparedRow[]> {
    const fields = await this.fieldMaps(true, leads)
    const found = await this.find(
      leads.map(({ externalId }) => externalId),
      fields,
    )
    this.newRecords.note(leads, ({ externalId, type }) => found[mainObjectOf(type)].has(externalId))
    return this.decide(leads, fields, found, await this.known(leads, fields, found, use))
  }

  /** Records that the org has, and that their identity does not find: the main one of a lead, and the person beside it. */
  async known(leads: readonly Sought[], fields: PartFields, found: FoundParts, use: KnownUse): Promise<KnownParts> {
    const read = (object: PartObject) => {
      const lost = lostAmong(
        leads.map((lead) => ({ ...lead, crmId: knownIdOf(lead, object) })),
        found[object],
      )
      return findKnownRecords(this.parts, { object, lost, fields: [...fields[object].keys()], use })
    }
    return { Account: await read('Account'), Contact: await read('Contact') }
  }

  async decide(
    leads: readonly OutgoingLead[],
    fields: PartFields,
    byIdentity: FoundParts,
    known: KnownParts = noParts,
  ): Promise<PreparedRow[]> {
    const found = {
      Account: new Map([...byIdentity.Account, ...known.Account.records]),
      Contact: new Map([...byIdentity.Contact, ...known.Contact.records]),
    }
    const companies = await this.#companies(leads.filter((lead) => !found.Contact.has(lead.externalId)))
    const { settings, client } = this.parts
    const userId = partObjects.some((object) => fields[object].has(ownerField))
      ? (await client.organization()).userId
      : undefined
    return leads.map((lead) => {
      const unconfirmed = unconfirmedOf(lead).flatMap((sent) => partsOf(sent, settings, fields))
      return {
        lead,
        companyId: companiesOf(lead).flatMap((id) => companies.get(id) ?? [])[0] ?? null,
        named: partObjects.filter((object) => known[object].records.has(lead.externalId)),
        unnamed: refusalIn(known, lead),
        fate: plannedFate(known[mainObjectOf(lead.type)], lead.externalId),
        kept: isAlone(known, lead) ? rememberedOf(lead, 'Contact') : {},
        parts: partsOf(lead, settings, fields, isAlone(known, lead)).map(({ object, target }) => {
          const record = asUnowned(found[object].get(lead.externalId), userId, target)
          const sent = unconfirmed.filter((part) => part.object === object).map((part) => part.target)
          const [before, ruleOf] = [lastPushedOf(lead, object), this.ruleFor(lead, object)]
          return { object, record, decision: decideFields(target, record ?? null, before, ruleOf, sent) }
        }),
      }
    })
  }

  /** Whose a field of this lead's record is. */
  ruleFor(lead: OutgoingLead, object: PartObject): (field: string) => FieldRule {
    const overrides = overridesOf(lead)
    const { ownership } = this.parts.settings
    return (field) => {
      const name = partName(object, field)
      return { ownership: ownershipOf(overrides, name) ?? ownership[name] ?? 'if_unchanged' }
    }
  }

  /** Accounts of the companies that these directors direct, by external id. */
  async #companies(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, string>> {
    const { client, settings } = this.parts
    const keyField = settings.external_id_field
    const keys = [...new Set(leads.flatMap(companiesOf))]
    if (keys.length === 0 || !(await this.isSetUp())) return new Map()
    const records = await findMany(client, { object: 'Account', keyField, keys, fields: [] })
    return new Map(records.map((record) => [String(record[keyField]), record.Id]))
  }
}

function companiesOf({ type, row }: OutgoingLead): string[] {
  if (type !== 'director') return []
  const cins = String(row['CompanyCINs'] ?? '').split(';')
  return cins
    .map((cin) => cin.trim())
    .filter((cin) => cin !== '')
    .map((cin) => `company:${cin}`)
}

/** The main record decides; a person beside it only where their identity was refused, since another one would be made. */
function refusalIn(known: KnownParts, { type, externalId }: OutgoingLead): KnownRefusal | undefined {
  const beside = known.Contact.refused.get(externalId)
  return known[mainObjectOf(type)].refused.get(externalId) ?? (beside?.code === 'IDENTITY_LOST' ? beside : undefined)
}

/** True of a company whose person was deleted or merged away in the org: it goes on without. */
function isAlone(known: KnownParts, { type, externalId }: OutgoingLead): boolean {
  const beside = mainObjectOf(type) === 'Account' ? known.Contact.refused.get(externalId) : undefined
  return beside !== undefined && beside.code !== 'IDENTITY_LOST'
}

function rememberedOf({ lastPushed }: OutgoingLead, object: PartObject): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(lastPushed ?? {}).filter(([name]) => name.startsWith(`${object}.`)))
}

/** What the ledger knows: the Id of the main record, and that of the person beside a company. */
function knownIdOf(lead: Sought, object: PartObject): string | null {
  if (object === mainObjectOfId(lead.externalId)) return lead.crmId
  const id = lead.lastPushed?.[partName(object, 'Id')]
  return typeof id === 'string' ? id : null
}

/** The ledger names fields with their object. */
function lastPushedOf({ lastPushed }: OutgoingLead, object: PartObject): Readonly<Record<string, unknown>> | null {
  if (lastPushed === null) return null
  const prefix = `${object}.`
  return Object.fromEntries(
    Object.entries(lastPushed).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    ),
  )
}

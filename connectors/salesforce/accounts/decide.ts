/** Decides which fields of which Account and Contact are written for each lead. Writes nothing. */
import { CachedAnswer } from '../../cached-answer.ts'
import type { CrmField, OutgoingLead, Refusal } from '../../contract.ts'
import { decideFields, type FieldDecision, type FieldRule, unconfirmedOf } from '../../field-ownership.ts'
import { refusalOfLeftOut, unseen, unseenOf } from '../../left-out.ts'
import { withListValues } from '../../listed-value.ts'
import { overridesOf, ownershipOf } from '../../overrides.ts'
import type { Act, Decided } from '../../push-port.ts'
import { sentences } from '../administrator.ts'
import { findMany } from '../bulk/read-many.ts'
import type { SalesforceRecord } from '../client.ts'
import { foreseenRefusal } from '../fill-fields.ts'
import { usedManagedFields } from '../mapping.ts'
import { NarrowedLists } from '../narrowed-lists.ts'
import { asUnowned, OrgOwners, ownerField } from '../owners.ts'
import type { OrgParts } from '../records.ts'
import {
  fieldsToAskBy,
  holdsIdentity,
  requireIdentity,
  unwritable,
  type Withheld,
  withheldAmong,
  writableFields,
} from '../setup.ts'
import {
  fieldsOfPart,
  mainObjectOf,
  namedWith,
  namesWithin,
  neededFields,
  type PartObject,
  partName,
  partObjects,
  partsOf,
  standardNamesOf,
} from './parts.ts'

export interface PreparedPart {
  readonly object: PartObject
  readonly record: SalesforceRecord | undefined
  /** Fields by their own name; in the decision of the row they are prefixed with the object. */
  readonly decision: FieldDecision
}

export interface PreparedRow extends Decided {
  /** The main record first. */
  readonly parts: readonly PreparedPart[]
  /** Account of a director's company, if the org has it. */
  readonly companyId: string | null
}

export type PartFields = Readonly<Record<PartObject, ReadonlyMap<string, CrmField>>>

/** The org's records of one lead. */
export interface FoundParts extends Readonly<Partial<Record<PartObject, SalesforceRecord | undefined>>> {
  /**
   * True for a company whose person was deleted or merged: it is written without one, so that no person is created
   * again.
   */
  readonly isAlone?: boolean
}

export class AccountDecider {
  readonly parts: OrgParts
  /** The fields that the signed-in user may write, by object. */
  readonly described: CachedAnswer<Readonly<Record<PartObject, readonly CrmField[]>>>
  readonly owners: OrgOwners
  readonly lists = new NarrowedLists()
  /** As of the last describe. */
  readonly #withheld = new Map<PartObject, Withheld>()

  constructor(parts: OrgParts) {
    this.parts = parts
    this.owners = new OrgOwners(parts.client)
    const describe = async (object: PartObject) => {
      const { fields } = await parts.client.describe(object)
      this.#withheld.set(object, withheldAmong(fields))
      return withListValues(writableFields(fields), parts.settings.list_values, (name) => partName(object, name))
    }
    this.described = new CachedAnswer(async () => ({
      Account: await describe('Account'),
      Contact: await describe('Contact'),
    }))
  }

  async isSetUp(): Promise<boolean> {
    const { external_id_field: identity } = this.parts.settings
    const described = await this.described.get()
    return partObjects.every((object) => holdsIdentity(described[object], identity))
  }

  /** Fields that rules may query by, prefixed with their object. */
  async askable(): Promise<ReadonlySet<string>> {
    const described = await this.described.get()
    return new Set(
      partObjects.flatMap((object) => [...fieldsToAskBy(described[object])].map((name) => partName(object, name))),
    )
  }

  /**
   * The fields that these leads may fill. @throws AppError if a field is missing without which none can be delivered.
   */
  async fields(leads: readonly OutgoingLead[], act: Act): Promise<PartFields> {
    const { settings } = this.parts
    const described = await this.described.get()
    const overridden = new Set(leads.flatMap((lead) => [...overridesOf(lead).keys()]))
    const mapOf = (object: PartObject) => {
      const fields = new Map(fieldsOfPart(settings, object, described[object]).map((each) => [each.name, each]))
      for (const each of described[object]) if (overridden.has(partName(object, each.name))) fields.set(each.name, each)
      return fields
    }
    const maps = { Account: mapOf('Account'), Contact: mapOf('Contact') }
    for (const object of partObjects) {
      await this.owners.narrow(maps[object], leads, object, partName(object, ownerField))
      this.lists.narrow(maps[object], (name) => partName(object, name))
    }
    const { external_id_field: identity } = settings
    const missing = partObjects.flatMap((object) =>
      [...neededFields(object), ...(act === 'push' ? [identity] : [])]
        .filter((name) => !maps[object].has(name))
        .map((name) => partName(object, name)),
    )
    if (act === 'push') for (const object of partObjects) requireIdentity(object, maps[object].get(identity))
    if (missing.length > 0) throw unwritable(missing)
    return maps
  }

  /** What each of these leads is delivered without. */
  async leftOut(leads: readonly OutgoingLead[]): Promise<(lead: OutgoingLead) => Refusal | null> {
    const { settings } = this.parts
    const fields = await this.fields(leads, 'plan')
    return (lead) => {
      const own = new Set(overridesOf(lead).keys())
      const wideOf = (object: PartObject) => {
        const { listed, fields: withheld } = this.#withheld.get(object) ?? { listed: new Set(), fields: [] }
        const named = withheld.filter(({ name }) => own.has(partName(object, name)))
        const hidden = standardNamesOf(object).filter((name) => !listed.has(name))
        const managed = usedManagedFields(settings, object).map(({ name }) => name)
        const before = { ...lead, lastPushed: lastPushedOf(lead, object), overrides: [] }
        const mapped = namesWithin(object, own).filter((name) => !listed.has(name))
        const others = [...fieldsOfPart(settings, object, withheld), ...named, ...unseenOf(before, managed, listed)]
        return [...others, ...[...hidden, ...mapped].map(unseen)]
      }
      const others = { Account: wideOf('Account'), Contact: wideOf('Contact') }
      if (partObjects.every((object) => others[object].length === 0)) return null
      const wide = (object: PartObject) =>
        new Map([...others[object].map((field) => [field.name, field] as const), ...fields[object]])
      const filled = (among: PartFields): Readonly<Record<string, unknown>> =>
        Object.assign({}, ...partsOf(lead, settings, among).map(({ object, target }) => namedWith(object, target)))
      const note = partName(mainObjectOf(lead.type), 'Description')
      return refusalOfLeftOut(lead, {
        ...{ may: filled(fields), would: filled({ Account: wide('Account'), Contact: wide('Contact') }), own, note },
        todo: (missing) => {
          const within = partObjects.map((object) => ({ object, names: namesWithin(object, missing) }))
          const lacking = within.filter(({ names }) => names.length > 0)
          return lacking.map(({ object, names }) => sentences.letWrite(object, names)).join(' ')
        },
      })
    }
  }

  /** @param found by external id. */
  async decide(
    leads: readonly OutgoingLead[],
    found: ReadonlyMap<string, FoundParts>,
    fields: PartFields,
  ): Promise<readonly PreparedRow[]> {
    const companies = await this.#companies(leads.filter((lead) => !found.get(lead.externalId)?.Contact))
    const { settings, client } = this.parts
    const isOwned = partObjects.some((object) => fields[object].has(ownerField))
    const userId = isOwned ? (await client.organization()).userId : undefined
    return leads.map((lead) => {
      const { isAlone = false, ...there } = found.get(lead.externalId) ?? {}
      const unconfirmed = unconfirmedOf(lead).flatMap((sent) => partsOf(sent, settings, fields))
      const parts = partsOf(lead, settings, fields, isAlone).map(({ object, target }) => {
        const record = asUnowned(there[object], userId, target)
        const sent = unconfirmed.filter((part) => part.object === object).map((part) => part.target)
        const [before, ruleOf] = [lastPushedOf(lead, object), this.ruleFor(lead, object)]
        return { object, record, decision: decideFields(target, record ?? null, before, ruleOf, sent) }
      })
      const [main] = parts
      return {
        ...{ lead, parts, companyId: companiesOf(lead).flatMap((id) => companies.get(id) ?? [])[0] ?? null },
        record: main?.record && { crmId: main.record.Id, values: heldBy(parts) ?? {} },
        refusal: refusalIn(parts, fields),
        decision: decisionOf(parts, isAlone ? rememberedOf(lead, 'Contact') : {}, personIdOf(lead)),
      }
    })
  }

  /** The ownership of a field of this lead's record. */
  ruleFor(lead: OutgoingLead, object: PartObject): (field: string) => FieldRule {
    const overrides = overridesOf(lead)
    const { ownership } = this.parts.settings
    return (field) => {
      const name = partName(object, field)
      return { ownership: ownershipOf(overrides, name) ?? ownership[name] ?? 'if_unchanged' }
    }
  }

  /** Accounts of the companies of these directors, by external id. */
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

/** The values of the records, prefixed with their object; null if there are none. */
export function heldBy(parts: readonly PreparedPart[]): Readonly<Record<string, unknown>> | null {
  const there = parts.flatMap(({ object, record }) => (record === undefined ? [] : [namedWith(object, record)]))
  return there.length === 0 ? null : Object.assign({}, ...there)
}

function refusalIn(parts: readonly PreparedPart[], fields: PartFields): Refusal | null {
  for (const { object, decision } of parts) {
    const refusal = foreseenRefusal(decision.write, fields[object])
    if (refusal) return { ...refusal, field: refusal.field === null ? null : partName(object, refusal.field) }
  }
  return null
}

/** The id under which the ledger knows a company's person; null if it knows none. */
export function personIdOf({ lastPushed }: Pick<OutgoingLead, 'lastPushed'>): string | null {
  const id = lastPushed?.[partName('Contact', 'Id')]
  return typeof id === 'string' ? id : null
}

/**
 * The decision for the whole row. The ledger also stores the id of a company's person, and keeps it where people
 * merged that person into a contact of their own. @param kept further values to remember.
 */
function decisionOf(
  parts: readonly PreparedPart[],
  kept: Readonly<Record<string, unknown>>,
  personId: string | null,
): FieldDecision {
  const [, person] = parts
  return {
    write: Object.assign({}, ...parts.map(({ object, decision }) => namedWith(object, decision.write))),
    held: parts.flatMap(({ object, decision }) => decision.held.map((field) => partName(object, field))),
    values: {
      ...kept,
      ...Object.assign({}, ...parts.map(({ object, decision }) => namedWith(object, decision.values))),
      ...(person?.record && { [partName(person.object, 'Id')]: personId ?? person.record.Id }),
    },
  }
}

function rememberedOf({ lastPushed }: OutgoingLead, object: PartObject): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(lastPushed ?? {}).filter(([name]) => name.startsWith(`${object}.`)))
}

/** The ledger prefixes fields with their object. */
function lastPushedOf(lead: OutgoingLead, object: PartObject): Readonly<Record<string, unknown>> | null {
  if (lead.lastPushed === null) return null
  const own = Object.entries(rememberedOf(lead, object))
  const { Id: _id, ...values } = Object.fromEntries(own.map(([name, value]) => [name.slice(object.length + 1), value]))
  return values
}

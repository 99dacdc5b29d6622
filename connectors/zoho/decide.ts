/**
 * Decides which fields of each record are written, from what the org holds and who owns each field, and why a lead
 * would be refused. Writes nothing.
 */
import { AppError } from '../../src/errors.ts'
import { CachedAnswer } from '../cached-answer.ts'
import type { CrmField, OutgoingLead, Refusal } from '../contract.ts'
import { decideFields, type FieldRule, unconfirmedOf } from '../field-ownership.ts'
import { identityFault } from '../identity-field.ts'
import type { Sought } from '../known-records.ts'
import { refusalOfLeftOut, unseenOf } from '../left-out.ts'
import { withListValues } from '../listed-value.ts'
import { overridesOf, ownershipOf } from '../overrides.ts'
import { type Owner, ownersAmong, ownersNamed, withOwners } from '../owner-list.ts'
import type { Decided, FoundRecord } from '../push-port.ts'
import { letWrite, restoreIdentity } from './administrator.ts'
import type { ZohoClient } from './client.ts'
import { findRecords, isExternalId } from './lookup.ts'
import {
  type FieldValues,
  foreseenRefusal,
  identityField,
  identityLabel,
  identityType,
  mapLead,
  mappedFields,
  neededFields,
  noteOf,
  numberTypes,
  standardFields,
  usedManagedFields,
} from './mapping.ts'
import type { FieldMetadata } from './replies.ts'
import type { ZohoSettings } from './settings.ts'
import { isWritable, listFields, toCrmField } from './setup.ts'
import { isOwnerField, listUsers } from './users.ts'

export interface Fields {
  readonly mapped: ReadonlyMap<string, CrmField>
  /** Fields of the customer's mapping, in addition to Panji's own. */
  readonly named: ReadonlySet<string>
  /** Of fields with lists: values by their other names. */
  readonly names: ReadonlyMap<string, CrmField['labels']>
  /** Fields other than the external id whose values must be unique in the org. */
  readonly unique: readonly string[]
}

export interface ZohoDecided extends Decided {
  /** Fields left out because another record has their unique value. */
  readonly without: ReadonlySet<string>
}

/**
 * Zoho silently ignores unknown fields and reports the row as written, so a delivery uses outdated fields for at most
 * this long.
 */
const fieldsGoodForMs = 60_000
const noSuchId = { code: 'INVALID_ID', field: identityField, message: 'This is not an identity of a registry' }

export class ZohoDecider {
  readonly #settings: ZohoSettings
  readonly #client: ZohoClient
  /** The org's own list of fields. */
  readonly listed: CachedAnswer<readonly FieldMetadata[]>
  /** The possible owners of leads. */
  readonly users: CachedAnswer<readonly Owner[] | null>

  constructor(settings: ZohoSettings, client: ZohoClient) {
    this.#settings = settings
    this.#client = client
    this.listed = new CachedAnswer(() => listFields(client), fieldsGoodForMs)
    this.users = new CachedAnswer(() => listUsers(client))
  }

  /** Fields by which records can be queried: encrypted ones can be read but not queried by. */
  async askable(): Promise<ReadonlySet<string>> {
    const listed = await this.listed.get()
    return new Set(listed.filter(({ crypt }) => !crypt).map((field) => field.api_name))
  }

  async fields(leads: readonly OutgoingLead[] = []): Promise<Fields> {
    const listed = (await this.listed.get()).filter(isWritable)
    const own = listed.map(toCrmField)
    const fields = withListValues(own, this.#settings.list_values)
    const named = ownersNamed(leads, new Set(fields.filter(isOwnerField).map(({ name }) => name)))
    const owners = named.length === 0 ? null : ((await this.users.get()) ?? ownersAmong(named))
    const described = fields.map((field) => (isOwnerField(field) ? withOwners(field, owners) : field))
    const overridden = new Set(leads.flatMap((lead) => [...overridesOf(lead).keys()]))
    const customers = described.filter(({ name }) => overridden.has(name))
    const unique = listed.filter((field) => Object.keys(field.unique).length > 0).map((field) => field.api_name)
    return {
      mapped: new Map([
        ...mappedFields(this.#settings, described),
        ...customers.map((field) => [field.name, field] as const),
      ]),
      named: new Set(customers.map(({ name }) => name)),
      names: new Map(own.map(({ name, labels }) => [name, labels])),
      unique: unique.filter((name) => name !== identityField),
    }
  }

  /** What each of these leads is delivered without. */
  async leftOut(leads: readonly OutgoingLead[]): Promise<(lead: OutgoingLead) => Refusal | null> {
    const { mapped } = await this.fields(leads)
    const all = await this.listed.get()
    const listed = new Set(all.map((field) => field.api_name))
    const withheld = all.filter((field) => !isWritable(field) && field.data_type !== 'formula').map(toCrmField)
    const ours = [...standardFields, 'Description', ...usedManagedFields(this.#settings).map(({ name }) => name)]
    const mappable = [...mappedFields(this.#settings, withheld).values()]
    return (lead) => {
      const own = new Set(overridesOf(lead).keys())
      const named = withheld.filter(({ name }) => own.has(name))
      const others = [...mappable, ...named, ...unseenOf(lead, ours, listed)]
      if (others.length === 0) return null
      const wide = new Map([...others.map((field) => [field.name, field] as const), ...mapped])
      return refusalOfLeftOut(lead, {
        ...{ may: mapLead(lead, mapped), would: mapLead(lead, wide), own, note: 'Description' },
        todo: (missing) => letWrite(missing.map((name) => wide.get(name)?.label ?? name)),
      })
    }
  }

  find(leads: readonly Sought[], { mapped, named }: Fields): Promise<ReadonlyMap<string, FoundRecord>> {
    return findRecords(
      this.#client,
      leads.map(({ externalId }) => externalId),
      mapped,
      named,
    )
  }

  /** @param omitted fields that Zoho refused. */
  decide(
    lead: OutgoingLead,
    record: FoundRecord | undefined,
    { mapped, names, unique }: Fields,
    omitted: ReadonlySet<string> = new Set(),
  ): ZohoDecided {
    const without = new Set([...omitted, ...unique.filter((field) => isSettledWithout(lead, record, field))])
    const target: FieldValues = mapLead(lead, mapped, without)
    const refusal = isExternalId(lead.externalId) ? foreseenRefusal(target, mapped) : noSuchId
    const overrides = overridesOf(lead)
    const ruleOf = (field: string): FieldRule => {
      const type = mapped.get(field)?.type ?? ''
      const ownership = ownershipOf(overrides, field) ?? this.#settings.ownership[field] ?? 'if_unchanged'
      return { ownership, numeric: numberTypes.has(type), caseless: field === identityField, names: names.get(field) }
    }
    const unconfirmed = unconfirmedOf(lead).map((sent) => mapLead(sent, mapped, without))
    const decision = decideFields(target, record?.values ?? null, lead.lastPushed, ruleOf, unconfirmed)
    return { lead, record, refusal, decision, without }
  }
}

/** An earlier push left out the value because another record has it; another attempt would be refused every time. */
function isSettledWithout(lead: OutgoingLead, record: FoundRecord | undefined, field: string): boolean {
  const value = lead.row[field]
  if (record === undefined || value === undefined || value === null || record.values[field] !== undefined) return false
  return String(record.values['Description'] ?? '')
    .split('\n')
    .includes(noteOf(field, value))
}

/** Whether records can be queried by external id. */
export function holdsIdentity(mapped: ReadonlyMap<string, CrmField>): boolean {
  const identity = mapped.get(identityField)
  return identity !== undefined && identityFault(identity, identityType) === null
}

/**
 * @throws AppError if a required field is missing, or the external-id field was changed so that it cannot hold
 * external ids.
 */
export function requireFields(mapped: ReadonlyMap<string, CrmField>): void {
  const identity = mapped.get(identityField)
  const fault = identity && identityFault(identity, identityType)
  if (fault) throw new AppError('DESTINATION_INVALID', restoreIdentity(identityLabel, fault))
  const missing = [identityField, ...neededFields].filter((name) => !mapped.has(name))
  if (missing.length > 0)
    throw new AppError(
      'DESTINATION_INVALID',
      `The Zoho user cannot write ${missing.map((name) => `Leads.${name}`).join(', ')}; test the destination (\`panji destination test\`), which makes what is missing and says what to grant`,
    )
}

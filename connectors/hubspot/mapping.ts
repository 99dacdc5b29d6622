/**
 * Which HubSpot object and properties a lead fills. Company and GST leads become `companies`, directors `contacts`.
 * Columns that match one of HubSpot's own properties fill it; every other column fills a custom property `panji_…`.
 * The columns themselves are declared in `config/lead-columns.ts`.
 */

import { type LeadColumn, type LeadColumnKind, leadColumns } from '../../config/lead-columns.ts'
import type { EntityType } from '../../src/domain/identity.ts'
import type { CrmField, FieldOverride, OutgoingLead } from '../contract.ts'
import type { ReportMisfit } from '../filled-lead.ts'
import { listedValue } from '../listed-value.ts'
import { layOver, overridesOf } from '../overrides.ts'

export const crmObjects = ['companies', 'contacts'] as const
export type CrmObject = (typeof crmObjects)[number]

/** The unique property that holds the external id, e.g. `gst:27AAACR5055K1Z7`. */
export const idProperty = 'panji_id'
export const groupName = 'panji'
/** HubSpot's limit of characters in a text property. */
export const textLengthMax = 65_536

export type PropertyType = 'string' | 'number' | 'date'

export interface MappedProperty {
  readonly name: string
  readonly label: string
  readonly type: PropertyType
  readonly fieldType: 'text' | 'textarea' | 'number' | 'date'
  /** False for HubSpot's own properties, which exist in every account. */
  readonly custom: boolean
}

const objectByType: Readonly<Record<EntityType, CrmObject>> = {
  company: 'companies',
  gst: 'companies',
  director: 'contacts',
}

export function objectOf(type: EntityType): CrmObject {
  return objectByType[type]
}

/** `gst:…` and `company:…` are companies, `director:…` contacts. */
export function objectOfExternalId(externalId: string): CrmObject {
  return externalId.startsWith('director:') ? 'contacts' : 'companies'
}

const ownProperties: Readonly<Record<CrmObject, Readonly<Record<string, string>>>> = {
  companies: {
    Company: 'name',
    Phone: 'phone',
    Website: 'website',
    Street: 'address',
    City: 'city',
    State: 'state',
    Zip_Code: 'zip',
    Country: 'country',
  },
  contacts: {
    Last_Name: 'lastname',
    First_Name: 'firstname',
    Email: 'email',
    Mobile: 'mobilephone',
    Street: 'address',
    City: 'city',
    State: 'state',
    Zip_Code: 'zip',
    Country: 'country',
  },
}

const typeByKind: Readonly<Record<LeadColumnKind, Pick<MappedProperty, 'type' | 'fieldType'>>> = {
  text: { type: 'string', fieldType: 'text' },
  number: { type: 'number', fieldType: 'number' },
  date: { type: 'date', fieldType: 'date' },
  list: { type: 'string', fieldType: 'textarea' },
  descriptions: { type: 'string', fieldType: 'textarea' },
}

/**
 * The properties that a column fills. A contact's e-mail has two: HubSpot allows one contact per `email`, while in
 * the register several directors share their accountant's, so `panji_email` keeps what `email` cannot hold.
 */
function targetsOf(object: CrmObject, column: LeadColumn): readonly MappedProperty[] {
  const own = ownProperties[object][column.name]
  const words = wordsOf(column.name)
  const custom: MappedProperty = {
    name: `panji_${words.join('_').toLowerCase()}`,
    label: `Panji ${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')}`,
    ...typeByKind[column.kind],
    custom: true,
  }
  if (own === undefined) return [custom]
  const standard: MappedProperty = { ...custom, name: own, label: own, custom: false }
  return own === 'email' ? [standard, custom] : [standard]
}

/** `HSNCodes` → HSN Codes, `dateOfLastAGM` → date Of Last AGM, `DirectorDINs` → Director DINs. */
function wordsOf(column: string): string[] {
  return column
    .replace(/(?<![A-Z])([A-Z]{2,}s)$/, '_$1')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z]{2})/g, '$1_$2')
    .split('_')
    .filter((word) => word !== '')
}

interface Target {
  readonly column: string
  readonly property: MappedProperty
}

const targetsByType = (type: EntityType): readonly Target[] =>
  leadColumns[type].flatMap((column) =>
    targetsOf(objectOf(type), column).map((property) => ({ column: column.name, property })),
  )

const targets: Readonly<Record<EntityType, readonly Target[]>> = {
  company: targetsByType('company'),
  director: targetsByType('director'),
  gst: targetsByType('gst'),
}

const identity: MappedProperty = {
  name: idProperty,
  label: 'Panji ID',
  type: 'string',
  fieldType: 'text',
  custom: true,
}

const propertyIndex = (types: readonly EntityType[]): ReadonlyMap<string, MappedProperty> =>
  new Map([
    [identity.name, identity],
    ...types.flatMap((type) => targets[type].map(({ property }) => [property.name, property] as const)),
  ])

const propertiesByObject: Readonly<Record<CrmObject, ReadonlyMap<string, MappedProperty>>> = {
  companies: propertyIndex(['company', 'gst']),
  contacts: propertyIndex(['director']),
}

/** All properties that Panji fills in records of this object, by name, including the unique one. */
export function propertiesOf(object: CrmObject): ReadonlyMap<string, MappedProperty> {
  return propertiesByObject[object]
}

export const mappedPropertyNames: ReadonlySet<string> = new Set(
  crmObjects.flatMap((object) => [...propertiesOf(object).keys()]).filter((name) => name !== idProperty),
)

/** How an administrator has restricted a property of the account. */
export interface Narrowed extends Pick<CrmField, 'allowed' | 'labels'> {
  /** True if it accepts none of Panji's values: apps can only read it, or it has another type. */
  readonly isUnfit: boolean
}

/** Restricted properties of the account, by field as `describe` names it. */
export type Lists = ReadonlyMap<string, Narrowed>

/** Types that accept Panji's values; enumerations accept what their lists have. */
const takers: Readonly<Record<PropertyType, readonly string[]>> = {
  string: ['string', 'phone_number'],
  number: ['number', 'string'],
  date: ['date', 'datetime', 'string'],
}

/**
 * Whether a property with its current type in the account accepts Panji's values. @param field as `describe` names
 * it.
 */
export function takesItsColumn({ name, type, allowed }: Pick<CrmField, 'name' | 'type' | 'allowed'>): boolean {
  const [object, property = ''] = name.split('.')
  const mapped = propertiesOf(object as CrmObject).get(property)
  return mapped === undefined || allowed !== null || takers[mapped.type].includes(type)
}

/** The values that the lead wants in the CRM, by property; the empty string if the register has none. */
export function desiredValues(
  lead: Pick<OutgoingLead, 'type' | 'row' | 'overrides'>,
  lists: Lists = new Map(),
  reportMisfit: ReportMisfit = () => {},
): ReadonlyMap<string, string> {
  const values = new Map(
    targets[lead.type].map(({ column, property }) => [property.name, textOf(lead.row[column])] as const),
  )
  // A HubSpot company has no mobile number, so it is used as the phone number if it is the only one.
  if (values.get('phone') === '') values.set('phone', textOf(lead.row['Mobile']))
  const overrides = ownOverrides(lead)
  layOver(overrides, (name, value) => {
    if (value === null) values.delete(name)
    else values.set(name, value.trim())
  })
  for (const [name, value] of values) {
    const field = `${objectOf(lead.type)}.${name}`
    const list = value === '' ? undefined : lists.get(field)
    if (list?.isUnfit === true) {
      values.delete(name)
      continue
    }
    const listed = list === undefined ? value : listedValue(list, value)
    if (listed !== null) values.set(name, listed)
    else {
      const column = overrides.get(name)?.value === undefined ? columnOf(lead, name) : null
      reportMisfit({ field, column, value })
      values.delete(name)
    }
  }
  return values
}

/** Properties for which the lead has a value that they do not accept, by name. */
export function unfitOf(lead: Pick<OutgoingLead, 'type' | 'row' | 'overrides'>, lists: Lists): string[] {
  const isUnfit = (name: string) => lists.get(`${objectOf(lead.type)}.${name}`)?.isUnfit === true
  return [...desiredValues(lead)].flatMap(([name, value]) => (value !== '' && isUnfit(name) ? [name] : []))
}

const columnOf = ({ type }: Pick<OutgoingLead, 'type'>, property: string): string | null =>
  targets[type].find((target) => target.property.name === property)?.column ?? null

/** The overrides of the lead's own object, by property; the field list names them `companies.city`. */
export function ownOverrides(lead: Pick<OutgoingLead, 'type' | 'overrides'>): ReadonlyMap<string, FieldOverride> {
  const prefix = `${objectOf(lead.type)}.`
  return overridesOf(lead, (field) =>
    field.startsWith(prefix) && field !== `${prefix}${idProperty}` ? field.slice(prefix.length) : null,
  )
}

/**
 * HubSpot accepts every value as text and rejects spaces around numbers and dates. A date property accepts and
 * returns YYYY-MM-DD as midnight UTC, so no time zone can shift the day.
 */
function textOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.trim()
  // Exponents (1e-7, 1e+21) are rejected as "not a valid number".
  return Number.isFinite(value) ? plainDecimal.format(value === 0 ? 0 : value) : ''
}

const plainDecimal = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 })

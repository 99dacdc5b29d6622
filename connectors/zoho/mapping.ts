/**
 * Maps a lead's row to the fields of a Zoho Lead, whose API names equal those of the row's first columns. Nothing is
 * lost: columns without a field of their own, and the full text of values that were too long, go into the
 * Description.
 */

import { leadColumns } from '../../config/lead-columns.ts'
import type { EntityType } from '../../src/domain/identity.ts'
import type { CrmField, OutgoingLead, Refusal } from '../contract.ts'
import type { ReportMisfit } from '../filled-lead.ts'
import { listedValue } from '../listed-value.ts'
import { managedValue } from '../managed-value.ts'
import { layOver, overridesOf } from '../overrides.ts'
import { companyOf, isEmailShape, nameOf, tidy } from '../row-cells.ts'
import { shorten } from '../shorten.ts'
import { isOfKind, managedFieldOf, managedFields } from './managed-fields.ts'
import type { ZohoSettings } from './settings.ts'

export type FieldValues = Readonly<Record<string, string | number>>

export const identityField = 'Panji_Id'
export const identityLabel = 'Panji Id'
export const identityLength = 80
export const identityType = 'text'

export const standardFields: ReadonlySet<string> = new Set(
  'Last_Name First_Name Company Email Mobile Phone Website Street City State Zip_Code Country Lead_Source'.split(' '),
)
/** Names and places stay useful when cut to the field's length; identifiers, numbers and e-mail addresses do not. */
const shortenable = new Set('Last_Name First_Name Company Street City State Country'.split(' '))
export const numberTypes: ReadonlySet<string> = new Set(['double', 'currency', 'integer', 'bigint'])
/** The type of a picklist of which a lead can have several values; in texts they are separated by `;`. */
export const manyValues = 'multiselectpicklist'
export const neededFields = ['Last_Name', 'Company']
/** Types that are never empty. */
const alwaysFilled: ReadonlySet<string> = new Set(['ownerlookup', 'boolean'])

/** The fields that a row of any kind may fill in this org. */
export function mappedFields(settings: ZohoSettings, crmFields: readonly CrmField[]): ReadonlyMap<string, CrmField> {
  const managed = new Map(usedManagedFields(settings).map((field) => [field.name, field]))
  const isMapped = (field: CrmField) => {
    const own = managed.get(field.name)
    if (own !== undefined) return isOfKind(own, field)
    return standardFields.has(field.name) || field.name === 'Description' || field.name === identityField
  }
  return new Map(crmFields.filter(isMapped).map((field) => [field.name, field]))
}

export function usedManagedFields({ managed_fields: use }: ZohoSettings): typeof managedFields {
  return use === 'off' ? [] : managedFields
}

/** The mapped fields that a lead of this type may fill. */
export function columnsToAsk(type: EntityType, fields: ReadonlyMap<string, CrmField>): string[] {
  const names = leadColumns[type].map(({ name }) => (standardFields.has(name) ? name : managedFieldOf(name)?.name))
  const wanted = new Set([...names, ...neededFields, 'Description', identityField])
  return [...wanted].filter((name) => name !== undefined && fields.has(name)) as string[]
}

/** @param without fields that may not be filled: their values go into the Description. */
export function mapLead(
  lead: Pick<OutgoingLead, 'type' | 'row' | 'externalId' | 'overrides'>,
  fields: ReadonlyMap<string, CrmField>,
  without: ReadonlySet<string> = new Set(),
  reportMisfit: ReportMisfit = () => {},
): FieldValues {
  const values: Record<string, string | number> = {}
  const notes: string[] = []
  const put = (name: string, value: string | number | null, full: string | number) => {
    const isKept = value !== null && !without.has(name)
    if (isKept) values[name] = value
    if (!isKept || String(value) !== String(full)) notes.push(noteOf(name, full))
  }
  // A value that the register no longer has is cleared in the record; if the org requires one, the last value stays.
  const empty = ({ name, type, required }: CrmField) => {
    if (!required && !alwaysFilled.has(type)) values[name] = ''
  }
  const unknown: CrmField[] = []
  for (const { name: column } of leadColumns[lead.type]) {
    const value = tidy(lead.row[column])
    const managed = managedFieldOf(column)
    const field = fields.get(managed?.name ?? (standardFields.has(column) ? column : ''))
    if (value === null) {
      if (field) unknown.push(field)
    } else if (field === undefined) notes.push(noteOf(column, value))
    else if (managed !== undefined) put(field.name, managedValue(managed, value, field.lengthMax), value)
    else {
      const fitting = standardValue(field, String(value))
      if (fitting === null) reportMisfit({ field: field.name, column, value: String(value) })
      put(field.name, fitting, value)
    }
  }
  // Zoho requires a last name on every Lead, many orgs a company; a director's row has no company, and a sole trader
  // may have no person.
  if (values['Last_Name'] === undefined) putText(values, fields.get('Last_Name'), nameOf(lead))
  if (values['Company'] === undefined) putText(values, fields.get('Company'), companyOf(lead))
  const overrides = overridesOf(lead)
  layOver(overrides, (name, value) => {
    const field = fields.get(name)
    delete values[name]
    if (!field || value === null || without.has(name)) return
    if (value === '') return empty(field)
    const listed = listedValue(field, value)
    if (listed !== null) values[name] = typedValue(field, listed)
    else {
      reportMisfit({ field: name, column: null, value })
      notes.push(noteOf(field.label, value))
    }
  })
  const description = fields.get('Description')
  if (notes.length === 0 && description) unknown.push(description)
  for (const field of unknown) {
    const isSaid = values[field.name] !== undefined || overrides.get(field.name)?.value !== undefined
    if (!isSaid && !without.has(field.name)) empty(field)
  }
  if (notes.length > 0 && description && overrides.get('Description')?.value === undefined)
    values['Description'] = shorten(notes.join('\n'), description.lengthMax ?? 32_000)
  values[identityField] = lead.externalId
  return values
}

/** A mapped text as the field's type; one that is not a number is left to be refused. */
function typedValue({ type }: CrmField, text: string): string | number {
  const number = numberTypes.has(type) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : text
}

/** The line in the Description. */
export function noteOf(name: string, value: string | number): string {
  return `${name}: ${value}`
}

/** What Zoho would refuse according to its field list: reported by a plan, and not sent by a push. */
export function foreseenRefusal(values: FieldValues, fields: ReadonlyMap<string, CrmField>): Refusal | null {
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name)
    const text = String(value)
    if (field === undefined || text === '') continue
    if (field.allowed !== null && !field.allowed.includes(text))
      return { code: 'INVALID_DATA', field: name, message: `${field.label}: ${text} is not in the picklist` }
    if (field.type === 'email' && !isEmailShape(text))
      return { code: 'INVALID_DATA', field: name, message: `${field.label}: ${text} is no e-mail address` }
    if (typeof value === 'string' && field.lengthMax !== null && text.length > field.lengthMax) {
      const message = `${field.label}: ${text.length} characters, the field takes ${field.lengthMax}`
      return { code: 'INVALID_DATA', field: name, message }
    }
  }
  return null
}

/** A value that the picklist lacks could make Zoho refuse the whole lead, so it goes into the Description. */
function standardValue(field: CrmField, text: string): string | null {
  const listed = listedValue(field, text)
  if (listed === null || field.allowed !== null) return listed
  return field.lengthMax !== null && shortenable.has(field.name) ? shorten(text, field.lengthMax) : text
}

function putText(values: Record<string, string | number>, field: CrmField | undefined, text: string): void {
  if (field) values[field.name] = shorten(text, field.lengthMax ?? text.length)
}

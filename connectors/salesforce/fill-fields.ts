/**
 * Fills the fields of one record of the org from the columns of a lead's row. Nothing is lost: columns without a
 * field of their own, and the full text of values that were too long, go into the Description.
 */

import { isIsoDate } from '../../src/domain/iso-date.ts'
import type { CrmField, FieldOverride, OutgoingLead, Refusal } from '../contract.ts'
import type { ReportMisfit } from '../filled-lead.ts'
import { listedValue } from '../listed-value.ts'
import { managedValue } from '../managed-value.ts'
import { layOver } from '../overrides.ts'
import { isEmailShape, tidy } from '../row-cells.ts'
import { shorten } from '../shorten.ts'
import { isOfKind, type ManagedField, managedFieldOf } from './managed-fields.ts'

export type FieldValues = Readonly<Record<string, string | number>>

/** Which fields of an object are filled, and from which columns. */
export interface FillPlan {
  readonly columns: readonly string[]
  /** Column → standard field. */
  readonly standard: Readonly<Record<string, string>>
  /** Column → field from the settings. */
  readonly custom: Readonly<Record<string, string>>
  readonly managed: readonly ManagedField[]
  /** Value of a required field that no column fills: the column named in the notes, and its value. */
  readonly fallbacks: Readonly<Record<string, readonly [string, string]>>
  readonly overrides: ReadonlyMap<string, FieldOverride>
  readonly reportMisfit?: ReportMisfit | undefined
}

/** Names and places stay useful when cut to the field's length; identifiers, numbers and e-mail addresses do not. */
const places = ['Street', 'City', 'State', 'Country']
const shortenable = new Set([
  ...['LastName', 'FirstName', 'Company', 'Name', 'Description'],
  ...['', 'Billing', 'Mailing'].flatMap((kind) => places.map((place) => `${kind}${place}`)),
])

export function fillFields(
  lead: Pick<OutgoingLead, 'row'>,
  { columns, standard, custom, managed, fallbacks, overrides, reportMisfit = () => {} }: FillPlan,
  crmFields: ReadonlyMap<string, CrmField>,
): Record<string, string | number> {
  const fields: Record<string, string | number> = {}
  const notes: string[] = []
  const put = (name: string, label: string, value: string | number) => {
    // If the org uses state and country picklists, it accepts their codes.
    const field = codeFieldOf(name, crmFields) ?? crmFields.get(name)
    const listed = field && typeof value === 'string' ? listedValue(field, value) : value
    if (field && listed === null) reportMisfit({ field: field.name, column: label, value: String(value) })
    if (!field || listed === null) return void notes.push(`${label}: ${value}`)
    const isCode = field.name !== name
    const fitting = fittingValue(field, listed)
    if (fitting !== value && !isCode) notes.push(`${label}: ${value}`)
    fields[field.name] = fitting
  }
  // A value that the register no longer has is cleared in the record; if the org requires one, the last value stays.
  const empty = ({ name, isNeverEmpty }: CrmField) => {
    if (isNeverEmpty !== true) fields[name] = ''
  }
  const putManaged = (own: ManagedField, column: string, value: string | number) => {
    const field = crmFields.get(own.name)
    const fitting = field ? managedValue(own, value, field.lengthMax) : null
    if (fitting !== null) fields[own.name] = fitting
    if (fitting === null || String(fitting) !== String(value)) notes.push(`${column}: ${value}`)
  }
  for (const column of columns) {
    const value = tidy(lead.row[column])
    if (value === null) continue
    const field = custom[column] ?? standard[column]
    const own = field === undefined ? ownOf(column, managed) : undefined
    if (own !== undefined) putManaged(own, column, value)
    else if (field === undefined) notes.push(`${column}: ${value}`)
    else put(field, column, value)
  }
  for (const [name, [column, value]] of Object.entries(fallbacks)) {
    if (fields[name] === undefined) put(name, column, value)
  }
  for (const name of Object.keys(fields).filter((each) => each.endsWith('StateCode'))) {
    // A state code needs its country code: without that the lead would be refused.
    if (fields[name.replace(/StateCode$/, 'CountryCode')] !== undefined) continue
    notes.push(`State: ${fields[name]}`)
    delete fields[name]
  }
  layOver(overrides, (name, value) => {
    const field = crmFields.get(name)
    delete fields[name]
    if (!field || value === null) return
    if (value === '') return empty(field)
    const listed = listedValue(field, value)
    if (listed !== null) fields[name] = typedValue(field, listed)
    else {
      reportMisfit({ field: name, column: null, value })
      notes.push(`${field.label}: ${value}`)
    }
  })
  const unknown = columns.filter((column) => tidy(lead.row[column]) === null)
  const names = unknown.flatMap((column) => custom[column] ?? standard[column] ?? ownOf(column, managed)?.name ?? [])
  for (const name of [...names, ...(notes.length === 0 ? ['Description'] : [])]) {
    const field = codeFieldOf(name, crmFields) ?? crmFields.get(name)
    const isSaid = field && (fields[field.name] !== undefined || overrides.get(field.name)?.value !== undefined)
    if (field && !isSaid) empty(field)
  }
  const isOwnDescription = overrides.get('Description')?.value === undefined
  if (notes.length > 0 && isOwnDescription && crmFields.has('Description')) {
    fields['Description'] = shorten(notes.join('\n'), crmFields.get('Description')?.lengthMax ?? 32_000)
  }
  return fields
}

function ownOf(column: string, managed: readonly ManagedField[]): ManagedField | undefined {
  const own = managedFieldOf(column)
  return own !== undefined && managed.includes(own) ? own : undefined
}

/** The fields that a plan may fill in this org. */
export function fieldsToFill(
  { standard, custom, managed }: Pick<FillPlan, 'standard' | 'custom' | 'managed'>,
  identity: string,
  crmFields: readonly CrmField[],
): CrmField[] {
  const places = Object.values(standard).filter((name) => isPlace.test(name))
  const codes = places.map((name) => `${name}Code`)
  const wanted = new Set(['Description', identity, ...Object.values(standard), ...codes, ...Object.values(custom)])
  const byName = new Map(managed.map((field) => [field.name, field]))
  return crmFields.filter((field) => {
    const own = byName.get(field.name)
    return wanted.has(field.name) || (own !== undefined && isOfKind(own, field))
  })
}

const numberTypes = /^(double|currency|int|percent)$/
const isPlace = /(State|Country)$/

function codeFieldOf(name: string, crmFields: ReadonlyMap<string, CrmField>): CrmField | undefined {
  const field = isPlace.test(name) ? crmFields.get(`${name}Code`) : undefined
  return field?.allowed ? field : undefined
}

/** What Salesforce would refuse according to its field list: reported by a plan, and not sent by a push. */
export function foreseenRefusal(fields: FieldValues, crmFields: ReadonlyMap<string, CrmField>): Refusal | null {
  for (const [field, value] of Object.entries(fields)) {
    const known = crmFields.get(field)
    const text = String(value)
    if (text === '') continue
    if (known !== undefined && !isOfFieldType(known, value)) {
      const message = `${known.label} is of the type ${known.type} and takes no "${text}": change its type back, or what fills it in this destination's mapping`
      return { code: 'INVALID_TYPE_ON_FIELD_IN_RECORD', field, message }
    }
    if (known?.lengthMax !== null && known?.lengthMax !== undefined && text.length > known.lengthMax) {
      const message = `${known.label}: ${text.length} characters, the field takes ${known.lengthMax}`
      return { code: 'STRING_TOO_LONG', field, message }
    }
    if (known?.allowed && !known.allowed.includes(text)) {
      const message = `${known.label}: ${text} is not in the restricted picklist`
      return { code: 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', field, message }
    }
    if (known?.type === 'email' && !isEmailShape(text)) {
      return { code: 'INVALID_EMAIL_ADDRESS', field, message: `${known.label}: invalid email address: ${text}` }
    }
  }
  return null
}

/** Salesforce refuses a whole call with text in a number or date field, and does not name the field. */
function isOfFieldType({ type }: CrmField, value: string | number): boolean {
  if (numberTypes.test(type)) return typeof value === 'number'
  return type !== 'date' || isIsoDate(String(value))
}

/** A mapped text as the field's type; one that is not a number is left to be refused. */
function typedValue(field: CrmField, text: string): string | number {
  const number = numberTypes.test(field.type) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : fittingValue(field, text)
}

function fittingValue(field: CrmField, value: string | number): string | number {
  if (typeof value === 'number') return numberTypes.test(field.type) ? value : String(value)
  if (field.lengthMax === null || !shortenable.has(field.name)) return value
  return shorten(value, field.lengthMax)
}

/**
 * A flat lead row becomes the fields of a Salesforce Lead. Nothing is lost: columns without a field of their own, and the
 * full text of what a field was too short for, lie in the Description.
 */
import { leadColumns } from '../../config/lead-columns.ts'
import type { CrmField, OutgoingLead, Refusal } from '../contract.ts'
import { managedValue } from '../managed-value.ts'
import { layOver, overridesOf } from '../overrides.ts'
import { shorten } from '../shorten.ts'
import { isOfKind, type ManagedField, managedFieldOf, managedFields } from './managed-fields.ts'
import type { SalesforceSettings } from './settings.ts'

export type FieldValues = Readonly<Record<string, string | number>>

const standardFields: Readonly<Record<string, string>> = {
  Last_Name: 'LastName',
  First_Name: 'FirstName',
  Company: 'Company',
  Email: 'Email',
  Mobile: 'MobilePhone',
  Phone: 'Phone',
  Website: 'Website',
  Street: 'Street',
  City: 'City',
  State: 'State',
  Zip_Code: 'PostalCode',
  Country: 'Country',
  Lead_Source: 'LeadSource',
}

/** Names and places stay useful when cut at the field's length. Identifiers, numbers and addresses for mail do not. */
const shortenable = new Set(['LastName', 'FirstName', 'Company', 'Street', 'City', 'State', 'Country', 'Description'])

/** The fields that a row of any kind may fill, in this org. */
export function mappedFields(settings: SalesforceSettings, crmFields: readonly CrmField[]): CrmField[] {
  const wanted = new Set([
    'Description',
    settings.external_id_field,
    ...Object.values(standardFields),
    ...Object.values(settings.custom_fields),
  ])
  const managed = new Map(usedManagedFields(settings).map((field) => [field.name, field]))
  return crmFields.filter((field) => {
    const own = managed.get(field.name)
    return wanted.has(field.name) || (own !== undefined && isOfKind(own, field))
  })
}

/** Those that the settings do not give to another purpose. */
export function usedManagedFields(settings: SalesforceSettings): readonly ManagedField[] {
  if (settings.managed_fields === 'off') return []
  const taken = new Set(Object.values(settings.custom_fields))
  return managedFields.filter(
    ({ name, columns }) => !taken.has(name) && columns.some((column) => settings.custom_fields[column] === undefined),
  )
}

export function mapLead(
  lead: OutgoingLead,
  settings: SalesforceSettings,
  crmFields: ReadonlyMap<string, CrmField>,
): FieldValues {
  const fields: Record<string, string | number> = {}
  const notes: string[] = []
  const put = (name: string, label: string, value: string | number) => {
    const field = crmFields.get(name)
    if (!field) return void notes.push(`${label}: ${value}`)
    const fitting = fittingValue(field, value)
    if (fitting !== value) notes.push(`${label}: ${value}`)
    fields[name] = fitting
  }

  const used = new Set(usedManagedFields(settings))
  const putManaged = (managed: ManagedField, column: string, value: string | number) => {
    const field = crmFields.get(managed.name)
    const fitting = field ? managedValue(managed, value, field.lengthMax) : null
    if (fitting !== null) fields[managed.name] = fitting
    if (fitting === null || String(fitting) !== String(value)) notes.push(`${column}: ${value}`)
  }

  for (const { name: column } of leadColumns[lead.type]) {
    const value = tidy(lead.row[column])
    if (value === null) continue
    const field = settings.custom_fields[column] ?? standardFields[column]
    const managed = field === undefined ? managedFieldOf(column) : undefined
    if (managed !== undefined && used.has(managed)) putManaged(managed, column, value)
    else if (field === undefined) notes.push(`${column}: ${value}`)
    else put(field, column, value)
  }
  // Salesforce wants both on every Lead; a director's row has no Company, a trader's perhaps no person.
  if (fields['LastName'] === undefined) put('LastName', 'Last_Name', nameOf(lead))
  if (fields['Company'] === undefined) put('Company', 'Company', companyOf(lead))
  if (notes.length > 0 && crmFields.has('Description')) {
    fields['Description'] = shorten(notes.join('\n'), crmFields.get('Description')?.lengthMax ?? 32_000)
  }
  layOver(overridesOf(lead), (name, value) => {
    const field = crmFields.get(name)
    if (value === null || value === '') delete fields[name]
    else if (field) fields[name] = typedValue(field, value)
  })
  fields[settings.external_id_field] = lead.externalId
  return fields
}

/** What Salesforce would refuse, as far as the field list tells: said by a plan, and not sent by a push. */
export function foreseenRefusal(fields: FieldValues, crmFields: ReadonlyMap<string, CrmField>): Refusal | null {
  for (const [field, value] of Object.entries(fields)) {
    const known = crmFields.get(field)
    const text = String(value)
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

/** One @ between texts without white space, and a dot inside the domain. */
function isEmailShape(text: string): boolean {
  const [local, domain, ...more] = text.split('@')
  if (!local || !domain || more.length > 0 || /\s/.test(text)) return false
  const dot = domain.indexOf('.', 1)
  return dot > 0 && dot < domain.length - 1
}

/** A text of a mapping as the field wants it; what is no number is left to be refused. */
function typedValue(field: CrmField, text: string): string | number {
  const number = /^(double|currency|int|percent)$/.test(field.type) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : fittingValue(field, text)
}

function fittingValue(field: CrmField, value: string | number): string | number {
  if (typeof value === 'number') return /^(double|currency|int|percent)$/.test(field.type) ? value : String(value)
  if (field.lengthMax === null || !shortenable.has(field.name)) return value
  return shorten(value, field.lengthMax)
}

/** Salesforce trims what it stores; an empty text would clear a field that we do not know. */
function tidy(value: string | number | null | undefined): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return value
  const text = value.replaceAll('\r\n', '\n').trim()
  return text === '' ? null : text
}

function nameOf(lead: OutgoingLead): string {
  const name = tidy(lead.row['Full_Name']) ?? tidy(lead.row['LegalName']) ?? tidy(lead.row['Company'])
  return String(name ?? lead.externalId)
}

function companyOf(lead: OutgoingLead): string {
  const first = String(lead.row['CompanyNames'] ?? '').split(';')[0]
  return String(tidy(first) ?? tidy(lead.row['LegalName']) ?? nameOf(lead))
}

/** Maps a lead's row to the fields of a Salesforce Lead. */

import { leadColumns } from '../../config/lead-columns.ts'
import type { CrmField, OutgoingLead } from '../contract.ts'
import type { ReportMisfit } from '../filled-lead.ts'
import { overridesOf } from '../overrides.ts'
import { companyOf, nameOf } from '../row-cells.ts'
import type { OrgObject } from './administrator.ts'
import { type FieldValues, fieldsToFill, fillFields } from './fill-fields.ts'
import { type ManagedField, managedFieldsOf } from './managed-fields.ts'
import type { SalesforceObject } from './question.ts'
import type { SalesforceSettings } from './settings.ts'

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

/** Every org has them; a user who does not see one lacks the permission. */
export const standardNames: readonly string[] = ['Description', ...Object.values(standardFields)]

/** The fields that a row of any kind may fill in this org. */
export function mappedFields(settings: SalesforceSettings, crmFields: readonly CrmField[]): CrmField[] {
  const plan = { standard: standardFields, custom: settings.custom_fields, managed: usedManagedFields(settings) }
  return fieldsToFill(plan, settings.external_id_field, crmFields)
}

/** Managed fields that the settings do not use for another purpose. */
export function usedManagedFields(
  settings: SalesforceSettings,
  object: SalesforceObject = 'Lead',
): readonly ManagedField[] {
  if (settings.managed_fields === 'off') return []
  const used = new Set(Object.values(settings.custom_fields))
  return managedFieldsOf(object).filter(
    ({ name, columns }) => !used.has(name) && columns.some((column) => settings.custom_fields[column] === undefined),
  )
}

/** Fields that Salesforce requires on every Lead. */
export const leadNeeds = ['LastName', 'Company']

/** The object of a destination whose leads become Leads. */
export function leadObject(settings: SalesforceSettings): OrgObject {
  const { external_id_field: identity, custom_fields: custom } = settings
  return {
    ...{ object: 'Lead', identity, managed: usedManagedFields(settings) },
    ...{ standard: Object.values(standardFields), custom: Object.values(custom) },
    ...{ always: leadNeeds, needed: [...leadNeeds, ...Object.values(custom)] },
    nameOf: (field) => field,
  }
}

export function mapLead(
  lead: OutgoingLead,
  settings: SalesforceSettings,
  crmFields: ReadonlyMap<string, CrmField>,
  reportMisfit?: ReportMisfit,
): FieldValues {
  const plan = {
    reportMisfit,
    columns: leadColumns[lead.type].map(({ name }) => name),
    standard: standardFields,
    custom: settings.custom_fields,
    managed: usedManagedFields(settings),
    // Both are required on every Lead; a director's row has no Company, and a sole trader may have no person.
    fallbacks: { LastName: ['Last_Name', nameOf(lead)], Company: ['Company', companyOf(lead)] } as const,
    overrides: overridesOf(lead),
  }
  return { ...fillFields(lead, plan, crmFields), [settings.external_id_field]: lead.externalId }
}

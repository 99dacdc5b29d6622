/**
 * Splits a lead's row into Accounts and Contacts: a company or GST registration becomes an Account, with a Contact if
 * a person or an e-mail address is known; a director becomes a Contact. Each record has the lead's external id, which
 * is unique per object, so both are found by the same id.
 */

import { leadColumns } from '../../../config/lead-columns.ts'
import type { EntityType } from '../../../src/domain/identity.ts'
import type { CrmField, OutgoingLead } from '../../contract.ts'
import type { ReportMisfit } from '../../filled-lead.ts'
import { fieldsWithin } from '../../object-reports.ts'
import { overridesOf } from '../../overrides.ts'
import { nameOf, tidy } from '../../row-cells.ts'
import type { OrgObject } from '../administrator.ts'
import { type FieldValues, fieldsToFill, fillFields } from '../fill-fields.ts'
import { usedManagedFields } from '../mapping.ts'
import type { SalesforceSettings } from '../settings.ts'

export type PartObject = 'Account' | 'Contact'
export const partObjects: readonly PartObject[] = ['Account', 'Contact']

/** The desired values of one record of a lead. */
export interface Part {
  readonly object: PartObject
  readonly target: FieldValues
}

const accountFields: Readonly<Record<string, string>> = {
  Company: 'Name',
  Phone: 'Phone',
  Website: 'Website',
  Street: 'BillingStreet',
  City: 'BillingCity',
  State: 'BillingState',
  Zip_Code: 'BillingPostalCode',
  Country: 'BillingCountry',
  Lead_Source: 'AccountSource',
}
const personFields: Readonly<Record<string, string>> = {
  Last_Name: 'LastName',
  First_Name: 'FirstName',
  Email: 'Email',
  Mobile: 'MobilePhone',
  Lead_Source: 'LeadSource',
}
const contactFields: Readonly<Record<string, string>> = {
  ...personFields,
  Street: 'MailingStreet',
  City: 'MailingCity',
  State: 'MailingState',
  Zip_Code: 'MailingPostalCode',
  Country: 'MailingCountry',
}
const standardFields: Readonly<Record<PartObject, Readonly<Record<string, string>>>> = {
  Account: accountFields,
  Contact: contactFields,
}
/** Every org has them; a user who does not see one lacks the permission. */
export const standardNamesOf = (object: PartObject): readonly string[] => [
  'Description',
  ...Object.values(standardFields[object]),
]
/** Columns about a company's person rather than the company itself. */
const ofPerson = ['Last_Name', 'Email', 'Mobile']
const always: Readonly<Record<PartObject, readonly string[]>> = { Account: ['Name'], Contact: ['LastName'] }

/** The record by which a lead is counted, linked and adopted. */
export const mainObjectOf = (type: EntityType): PartObject => (type === 'director' ? 'Contact' : 'Account')

export const mainObjectOfId = (externalId: string): PartObject =>
  externalId.startsWith('director:') ? 'Contact' : 'Account'

/** The name of a field in the field list, mappings, ownership and the ledger. */
export const partName = (object: PartObject, field: string): string => `${object}.${field}`

export const namedWith = (object: PartObject, values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [partName(object, field), value]))

/** The distinct fields of one object among such names. */
export const namesWithin = (object: PartObject, names: Iterable<string>): readonly string[] =>
  fieldsWithin(partName(object, ''), names)

export function orgObject(settings: SalesforceSettings, object: PartObject): OrgObject {
  const { external_id_field: identity, custom_fields: custom } = settings
  return {
    ...{ object, identity, managed: usedManagedFields(settings, object) },
    ...{ standard: Object.values(standardFields[object]), custom: Object.values(custom) },
    // A field from the settings exists on one of the two objects, so neither requires it.
    ...{ always: always[object], needed: always[object] },
    nameOf: (field) => partName(object, field),
  }
}

/** The object's fields that a row may fill in this org. */
export function fieldsOfPart(
  settings: SalesforceSettings,
  object: PartObject,
  crmFields: readonly CrmField[],
): CrmField[] {
  const plan = {
    standard: standardFields[object],
    custom: settings.custom_fields,
    managed: usedManagedFields(settings, object),
  }
  return fieldsToFill(plan, settings.external_id_field, crmFields)
}

/** Fields that every record of the object requires. */
export const neededFields = (object: PartObject): readonly string[] => always[object]

/** The main record first. @param isAlone true if no person is to be written with it. */
export function partsOf(
  lead: OutgoingLead,
  settings: SalesforceSettings,
  fields: Readonly<Record<PartObject, ReadonlyMap<string, CrmField>>>,
  isAlone = false,
  reportMisfit: ReportMisfit = () => {},
): readonly Part[] {
  const identity = { [settings.external_id_field]: lead.externalId }
  const columns = leadColumns[lead.type].map(({ name }) => name)
  const overridesIn = (object: PartObject) =>
    overridesOf(lead, (field) => (field.startsWith(`${object}.`) ? field.slice(object.length + 1) : null))
  const reporterFor =
    (object: PartObject): ReportMisfit =>
    (misfit) =>
      reportMisfit({ ...misfit, field: partName(object, misfit.field) })
  const main = mainObjectOf(lead.type)
  const common = {
    reportMisfit: reporterFor(main),
    custom: settings.custom_fields,
    managed: usedManagedFields(settings, main),
  }
  if (main === 'Contact') {
    const plan = { ...common, columns, standard: contactFields, fallbacks: { LastName: lastNameOf(lead) } }
    const target = fillFields(lead, { ...plan, overrides: overridesIn('Contact') }, fields.Contact)
    return [{ object: 'Contact', target: { ...target, ...identity } }]
  }
  const hasPerson = isPersonKnown(lead) || isRemembered(lead)
  const plan = {
    ...common,
    columns: columns.filter((column) => !(hasPerson ? ofPerson : ['Last_Name']).includes(column)),
    // An account has one phone number, so the mobile number is used if it is the only one.
    standard: tidy(lead.row['Phone']) === null && !hasPerson ? { ...accountFields, Mobile: 'Phone' } : accountFields,
    fallbacks: { Name: ['Company', nameOf(lead)] } as const,
    overrides: overridesIn('Account'),
  }
  const account = { ...fillFields(lead, plan, fields.Account), ...identity }
  if (!hasPerson || isAlone) return [{ object: 'Account', target: account }]
  const ofContact = {
    ...{
      reportMisfit: reporterFor('Contact'),
      columns: [...ofPerson, 'Lead_Source'],
      standard: personFields,
      custom: {},
      managed: [],
    },
    fallbacks: { LastName: lastNameOf(lead) },
    overrides: overridesIn('Contact'),
  }
  const contact = { ...fillFields(lead, ofContact, fields.Contact), ...identity }
  return [
    { object: 'Account', target: account },
    { object: 'Contact', target: contact },
  ]
}

const lastNameOf = (lead: OutgoingLead) => ['Last_Name', nameOf(lead)] as const

/** A person that was delivered stays with the company, so that values the register no longer has are cleared. */
function isRemembered({ lastPushed }: OutgoingLead): boolean {
  return Object.keys(lastPushed ?? {}).some((name) => name.startsWith('Contact.'))
}

/** If no person is known, the row's last name is the company's name. */
function isPersonKnown({ row }: OutgoingLead): boolean {
  if (tidy(row['Email']) !== null) return true
  const name = tidy(row['Last_Name'])
  return name !== null && ![row['Company'], row['LegalName'], row['CIN']].includes(name)
}

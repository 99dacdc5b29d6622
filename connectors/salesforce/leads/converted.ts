/**
 * A Lead that a user converted becomes a Contact, and Salesforce refuses to write the Lead. Later values are written
 * to the Contact: person and mailing address, nothing of the company, under the same ownership as the Lead's fields.
 */
import type { Refusal } from '../../contract.ts'
import type { SalesforceRecord } from '../client.ts'
import type { FieldValues } from '../fill-fields.ts'

/** Field of the Lead → field of the Contact; their lengths are equal. */
const contactFields: Readonly<Record<string, string>> = {
  LastName: 'LastName',
  FirstName: 'FirstName',
  Email: 'Email',
  Phone: 'Phone',
  MobilePhone: 'MobilePhone',
  Street: 'MailingStreet',
  City: 'MailingCity',
  State: 'MailingState',
  PostalCode: 'MailingPostalCode',
  Country: 'MailingCountry',
}

export const contactFieldNames = Object.values(contactFields)
/** Read for every Lead, to know whether it was converted and into what. */
export const conversionFields = ['IsConverted', 'ConvertedContactId'] as const

export function contactIdOf(lead: SalesforceRecord): string | null {
  const id = lead['ConvertedContactId']
  return lead['IsConverted'] === true && typeof id === 'string' ? id : null
}

/** The first three characters of an Id identify its object. */
export const isContactId = (id: string): boolean => id.startsWith('003')

/** The Contact's values under the Lead's field names, which the ledger uses. */
export function asLeadValues(contact: SalesforceRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(contactFields).map(([lead, name]) => [lead, contact[name] ?? null]))
}

export function ofPerson(target: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(target).filter(([name]) => name in contactFields))
}

export function toContact(contactId: string, write: FieldValues): Readonly<Record<string, unknown>> {
  const fields = Object.entries(write).map(([name, value]) => [contactFields[name] ?? name, value])
  return { Id: contactId, ...Object.fromEntries(fields) }
}

/** The Contact was deleted, or merged into another, or this user may not read it or one of these fields. */
export const outOfSight = (leadId: string): Refusal => ({
  ...{ code: 'CONVERTED', field: null },
  message: `The lead ${leadId} was converted in Salesforce, and this user does not see the contact that came of it: it was deleted or merged, or the user may not read it. Nothing of the lead is written. What to do: if the contact is to follow the register, let this user read and edit it (Setup > Users > Permission Sets > a set of this user > Object Settings > Contacts > Edit: tick Read and Edit under Object Permissions, and Read Access and Edit Access of its name, e-mail, phone and mailing address fields), and try again.`,
})

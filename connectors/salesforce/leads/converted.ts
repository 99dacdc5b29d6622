/**
 * A Lead that a rep converted lives on as a Contact, and Salesforce refuses to write the Lead. Its later values go into the
 * Contact: person and mailing address, nothing of the company, and under the same ownership as the Lead's fields.
 */
import type { SalesforceRecord } from '../client.ts'
import type { FieldValues } from '../fill-fields.ts'

/** Field of the Lead → field of the Contact; their lengths are the same. */
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
/** Asked of every Lead, to know whether and into what it was converted. */
export const conversionFields = ['IsConverted', 'ConvertedContactId'] as const

export function contactIdOf(lead: SalesforceRecord): string | null {
  const id = lead['ConvertedContactId']
  return lead['IsConverted'] === true && typeof id === 'string' ? id : null
}

/** Ids say by their first three characters what they are of. */
export const isContactId = (id: string): boolean => id.startsWith('003')

/** The Contact's values under the Lead's field names, in which the ledger remembers what was pushed. */
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

/**
 * The fields of Lead, Account and Contact as a describe reports them, with their standard lengths, which realistic
 * tests need.
 */

export interface SandboxField {
  readonly name: string
  readonly label: string
  readonly type:
    | 'id'
    | 'string'
    | 'textarea'
    | 'email'
    | 'phone'
    | 'url'
    | 'picklist'
    | 'double'
    | 'date'
    | 'boolean'
    | 'reference'
  readonly length: number
  readonly required: boolean
  readonly writable: boolean
  readonly externalId: boolean
  readonly unique: boolean
  /** True if it can be read but not queried by. */
  readonly encrypted?: boolean
  /** False if this user does not see the field. */
  readonly visible?: boolean
  /** Values of a restricted picklist; absent if any value is accepted. */
  readonly allowed?: readonly string[]
  /** Labels of allowed values, where they differ. */
  readonly labels?: Readonly<Record<string, string>>
}

function field(name: string, type: SandboxField['type'], length: number, more: Partial<SandboxField> = {}) {
  const label = name.replace(/__c$/, '').replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, ' ')
  return { name, label, type, length, required: false, writable: true, externalId: false, unique: false, ...more }
}

const readOnly = { writable: false }
/** Never empty: the user who creates a record owns it unless another owner is given. */
const owner = field('OwnerId', 'reference', 18, { label: 'Owner ID' })
const person = [
  field('Id', 'id', 18, readOnly),
  field('LastName', 'string', 80, { required: true }),
  field('FirstName', 'string', 40),
  field('Name', 'string', 121, readOnly),
  field('Salutation', 'picklist', 40),
  field('Title', 'string', 128),
  field('Email', 'email', 80),
  field('Phone', 'phone', 40),
  field('MobilePhone', 'phone', 40),
  field('Fax', 'phone', 40),
  field('Description', 'textarea', 32_000),
  field('LeadSource', 'picklist', 255),
]

export const standardFields: Readonly<Record<string, readonly SandboxField[]>> = {
  Lead: [
    ...person,
    field('Company', 'string', 255, { required: true }),
    field('Website', 'url', 255),
    field('Street', 'textarea', 255),
    field('City', 'string', 40),
    field('State', 'string', 80),
    field('PostalCode', 'string', 20),
    field('Country', 'string', 80),
    field('Status', 'picklist', 255),
    field('Rating', 'picklist', 255),
    field('Industry', 'picklist', 255),
    field('AnnualRevenue', 'double', 0),
    owner,
    field('IsConverted', 'boolean', 0, readOnly),
    field('ConvertedContactId', 'reference', 18, readOnly),
  ],
  Account: [
    field('Id', 'id', 18, readOnly),
    field('Name', 'string', 255, { required: true }),
    field('AccountNumber', 'string', 40),
    field('AccountSource', 'picklist', 255),
    field('Phone', 'phone', 40),
    field('Fax', 'phone', 40),
    field('Website', 'url', 255),
    field('BillingStreet', 'textarea', 255),
    field('BillingCity', 'string', 40),
    field('BillingState', 'string', 80),
    field('BillingPostalCode', 'string', 20),
    field('BillingCountry', 'string', 80),
    field('Industry', 'picklist', 255),
    field('Type', 'picklist', 255),
    field('AnnualRevenue', 'double', 0),
    field('Description', 'textarea', 32_000),
    owner,
  ],
  Contact: [
    ...person,
    field('MailingStreet', 'textarea', 255),
    field('MailingCity', 'string', 40),
    field('MailingState', 'string', 80),
    field('MailingPostalCode', 'string', 20),
    field('MailingCountry', 'string', 80),
    field('AccountId', 'reference', 18),
    owner,
  ],
}

/** A custom field as the Tooling API's CustomField metadata describes it. */
export function customField(name: string, metadata: Readonly<Record<string, unknown>>): SandboxField {
  const type = { Number: 'double', Date: 'date' }[String(metadata['type'])] ?? 'string'
  const length = type === 'string' ? Number(metadata['length'] ?? 255) : 0
  return field(name, type as SandboxField['type'], length, {
    label: String(metadata['label'] ?? name),
    externalId: metadata['externalId'] === true,
    unique: metadata['unique'] === true,
    required: metadata['required'] === true,
  })
}

/** Names by code. */
export interface AddressLists {
  readonly states: Readonly<Record<string, string>>
  readonly countries: Readonly<Record<string, string>>
}

/** The code fields of states and countries, for an org with state and country picklists. */
export function codeFields(fields: readonly SandboxField[], { states, countries }: AddressLists): SandboxField[] {
  return fields.flatMap(({ name }) => {
    const labels = name.endsWith('State') ? states : name.endsWith('Country') ? countries : null
    return labels === null ? [] : [field(`${name}Code`, 'picklist', 10, { allowed: Object.keys(labels), labels })]
  })
}

/** Key prefixes of ids by object. */
export const keyPrefixes: Readonly<Record<string, string>> = { Lead: '00Q', Account: '001', Contact: '003' }

/** What the signed-in user may do with an object. */
export interface ObjectRights {
  readonly createable: boolean
  readonly updateable: boolean
  readonly deletable: boolean
}

export function describeOf(object: string, fields: readonly SandboxField[], rights: ObjectRights) {
  return {
    ...rights,
    name: object,
    label: object,
    keyPrefix: keyPrefixes[object],
    fields: fields.map((each) => ({
      name: each.name,
      label: each.label,
      type: each.type,
      length: each.length,
      nillable: !each.required && each.name !== 'OwnerId',
      createable: each.writable,
      updateable: each.writable,
      defaultedOnCreate: each.name === 'Status' || each.name === 'OwnerId',
      externalId: each.externalId,
      filterable: each.encrypted !== true,
      idLookup: each.externalId || each.name === 'Id' || each.name === 'Email',
      unique: each.unique,
      restrictedPicklist: each.allowed !== undefined,
      picklistValues: (each.allowed ?? []).map((value) => ({
        ...{ active: true, defaultValue: false, value },
        label: each.labels?.[value] ?? value,
      })),
      precision: 0,
      scale: 0,
    })),
  }
}

export function globalDescribeOf(object: string) {
  const keyPrefix = keyPrefixes[object]
  const rights = { createable: true, updateable: true, deletable: true, queryable: true, retrieveable: true }
  return { name: object, label: object, labelPlural: `${object}s`, keyPrefix, custom: false, ...rights }
}

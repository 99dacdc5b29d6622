/** Instructions for the administrator of an org: the exact menus of Setup and the boxes to tick. Pure. */
import type { CrmField, UnfilledField } from '../contract.ts'
import type { DescribedObject } from './client.ts'
import type { ManagedField } from './managed-fields.ts'
import { packageOf } from './metadata-package.ts'
import type { SalesforceObject } from './question.ts'

/** An object of the org in which leads are stored. */
export interface OrgObject {
  readonly object: SalesforceObject
  /** API name of the field that holds the external id. */
  readonly identity: string
  readonly managed: readonly ManagedField[]
  /** Standard fields that a row may fill. */
  readonly standard: readonly string[]
  /** Custom fields named in the settings. */
  readonly custom: readonly string[]
  /** Fields that every row fills. */
  readonly always: readonly string[]
  /** Fields without which nothing is delivered. */
  readonly needed: readonly string[]
  /** The name of one of this object's fields in the connector's field list. */
  nameOf(field: string): string
}

const plurals: Readonly<Record<SalesforceObject, string>> = { Lead: 'Leads', Account: 'Accounts', Contact: 'Contacts' }
const fieldMenu = (object: SalesforceObject) => `Setup > Object Manager > ${object} > Fields & Relationships`
const setMenu = (object: SalesforceObject) =>
  `Setup > Users > Permission Sets > ${packageOf(object).label} (or another set of this user) > Object Settings > ${plurals[object]} > Edit`

export const sentences = {
  makeUnique: (object: SalesforceObject, field: string) =>
    `Mark ${object}.${field} as External ID and Unique: ${fieldMenu(object)} > ${field} > Edit, tick both, Save.`,
  restoreIdentity: (object: SalesforceObject, field: string, fault: string) =>
    `${object}.${field} ${fault}: ${fieldMenu(object)} > ${field} > Edit (Change Field Type for another type), make it Text of Length 80 again, with Unique and External ID ticked, Save.`,
  createIdentity: (object: SalesforceObject, field: string, code: string) =>
    `Create ${object}.${field}: ${fieldMenu(object)} > New > Text, Length 80, Field Name ${field.replace(/__c$/, '')}, tick Unique (case sensitive) and External ID, Visible for the profile of this user, Save; or give this user the system permission Customize Application and test again (${code}).`,
  letWrite: (object: SalesforceObject, fields: readonly string[]) =>
    `Grant the user of this destination edit access to ${fields.map((name) => `${object}.${name}`).join(', ')}: ${setMenu(object)}, tick Read Access and Edit Access of ${fields.length === 1 ? 'the field' : 'each field'} under Field Permissions, Save, and assign the set under Manage Assignments.`,
  deploy: (object: SalesforceObject, list: string, codes: string) =>
    `Deploy connectors/salesforce/${packageOf(object).folder} with \`sf project deploy start --source-dir force-app\` and assign the permission set ${packageOf(object).permissionSet} to this user, or create under ${fieldMenu(object)} > New: ${list} (${codes}).`,
} as const

/** Required fields that the user cannot write. */
export function fieldsTodo({ object, needed }: OrgObject, writable: readonly CrmField[]): string[] {
  const hidden = hiddenAmong(needed, writable)
  return hidden.length === 0 ? [] : [sentences.letWrite(object, hidden)]
}

/** Standard fields that the user cannot write; their values go into the Description. */
export function fieldsAdvice({ object, standard, needed }: OrgObject, writable: readonly CrmField[]): string[] {
  const hidden = hiddenAmong([...standard, 'Description'], writable).filter((name) => !needed.includes(name))
  return hidden.length === 0 ? [] : [sentences.letWrite(object, hidden)]
}

function hiddenAmong(names: readonly string[], writable: readonly CrmField[]): string[] {
  const there = new Set(writable.map(({ name }) => name))
  return [...new Set(names)].filter((name) => !there.has(name))
}

const rights = { createable: 'Create', updateable: 'Edit' } as const

/** Without these nothing is delivered. */
export function rightsTodo({ object }: OrgObject, described: DescribedObject): string[] {
  const missing = (['createable', 'updateable'] as const).filter((right) => described[right] === false)
  if (missing.length === 0) return []
  const boxes = ['Read', ...missing.map((right) => rights[right])].join(', ')
  return [
    `Let the user of this destination write ${plurals[object]}: ${setMenu(object)}, tick ${boxes} under Object Permissions, Save, and assign the set under Manage Assignments.`,
  ]
}

/** Without these leads are delivered, but something else is not done. */
export function rightsAdvice({ object }: OrgObject, { deletable }: DescribedObject): string[] {
  if (deletable !== false) return []
  return [
    `Records of people who object cannot be deleted: ${setMenu(object)}, tick Delete under Object Permissions, Save.`,
  ]
}

/** Without these leads are delivered, but do not become campaign members. */
export const letJoinCampaigns =
  'This user may not make members of campaigns. What to do: Setup > Users > this user > Edit, tick Marketing User; and Setup > Users > Permission Sets > a set of this user > Object Settings > Campaigns > Edit, tick Read and Edit, Save.'

/** @param reason in Salesforce's words. */
export const notInCampaign = (campaign: string, reason: string): string =>
  `written, but no member of the campaign ${campaign} (${reason}). What to do: name a campaign that is there in the mapping, let this user edit it (tick Marketing User), and send the lead again`

/** @param why the end of a sentence. */
export const privateRecords = (object: SalesforceObject, why: string): string =>
  `${plurals[object]} are private in this org, so those that other people own may not be updated (${why}): ${setMenu(object)}, tick View All Records and Modify All Records under Object Permissions, Save, and assign the set under Manage Assignments; the package's own set has them.`

/** Fields that the org requires in every record, and that no row fills. */
export function requiredFields(
  { object, always, nameOf, identity }: OrgObject,
  writable: readonly CrmField[],
): UnfilledField[] {
  const filled = new Set([...always, identity])
  return writable
    .filter(({ name, required }) => required && !filled.has(name))
    .map(({ name, label }) => ({
      field: nameOf(name),
      todo: `${object}.${name} (${label}) is required and no lead fills it: ${fieldMenu(object)} > ${label} > Edit, untick Required or set a Default Value; or give it a value in this destination's mapping, ${nameOf(name)}.`,
    }))
}

/** Restricted picklists, which refuse a row with another value. */
export function pickListAdvice({ object, standard, custom }: OrgObject, writable: readonly CrmField[]): string[] {
  const names = new Set([...standard, ...custom])
  return writable.flatMap(({ name, label, allowed }) => {
    if (allowed === null || !names.has(name)) return []
    if (/Country$/.test(name) && allowed.includes('India')) return []
    const menu = /(State|Country)$/.test(name)
      ? 'Setup > State and Country/Territory Picklists > Configure states, countries, and territories'
      : `${fieldMenu(object)} > ${label} > Values > New`
    return [
      `${object}.${name} takes the ${allowed.length} values of its list alone; another one goes into the Description: add what is missing under ${menu}, or say in list_values which value is meant.`,
    ]
  })
}

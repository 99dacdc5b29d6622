/**
 * Prepares an org: creates the external-id field, without which nothing is delivered, and the managed fields, without
 * which their columns go into the Description. Only what is missing is created, so a second run creates nothing.
 * `administrator.ts` words what a person has to do.
 */
import { AppError } from '../../src/errors.ts'
import type { CrmField, SetupReport } from '../contract.ts'
import { identityFault } from '../identity-field.ts'
import { fieldsWithin, type ObjectReport, reportOf } from '../object-reports.ts'
import {
  fieldsAdvice,
  fieldsTodo,
  type OrgObject,
  pickListAdvice,
  requiredFields,
  rightsAdvice,
  rightsTodo,
  sentences,
} from './administrator.ts'
import type { DescribedField, DescribedObject, SalesforceClient } from './client.ts'
import { isNumber, isOfKind, type ManagedField } from './managed-fields.ts'
import { identityMetadata, metadataOf } from './metadata-package.ts'
import { errorCodeOf } from './outcomes.ts'
import { sharingAdvice } from './sharing.ts'

export async function setUp(
  client: SalesforceClient,
  objects: readonly OrgObject[],
  mapped: readonly string[],
): Promise<SetupReport> {
  const reports: ObjectReport[] = []
  for (const each of objects) reports.push(await setUpObject(client, each, mapped))
  const absent = reports.flatMap((each) => each.absent)
  return reportOf(reports, () => absent)
}

async function setUpObject(
  client: SalesforceClient,
  each: OrgObject,
  mapped: readonly string[],
): Promise<ObjectReport> {
  const { object, identity, managed, custom, nameOf } = each
  const described = await visible(client, object)
  if (described === null) return { created: [], present: [], todo: rightsTodo(each, nothingMay), absent: [] }
  const before = new Map(described.fields.map((field) => [field.name, field]))
  const present = [identity, ...managed.map(({ name }) => name)].filter((name) => before.has(name))
  const missing = managed.filter(({ name }) => !before.has(name))
  const own = fieldsWithin(nameOf(''), mapped)
  const unmade = await client.createFields(
    object,
    new Map([
      ...(before.has(identity) ? [] : [[identity, identityMetadata()] as const]),
      ...missing.map((field) => [field.name, metadataOf(field)] as const),
    ]),
  )
  const created = [identity, ...missing.map(({ name }) => name)].filter(
    (name) => !before.has(name) && !unmade.has(name),
  )
  const hidden = [...unmade.keys()].filter((name) => unmade.get(name) === isThere)
  const refusals = new Map([...unmade].filter(([, code]) => code !== isThere))
  const after = created.length > 0 ? (await client.describe(object)).fields : [...before.values()]
  const writable = writableFields(after)
  return {
    created: created.map(nameOf),
    present: present.map(nameOf),
    todo: [
      ...rightsTodo(each, described),
      ...fieldsTodo(each, writable),
      ...identityTodo(each, before.get(identity), refusals.get(identity) ?? null, writable),
    ],
    advice: [
      ...rightsAdvice(each, described),
      ...(await sharingAdvice(client, object)),
      ...fieldsAdvice(each, writable),
      ...adviceOn(each, writable, new Set([...present, ...created, ...hidden]), refusals),
      ...pickListAdvice(each, writable),
    ],
    unfilled: requiredFields(each, writable),
    absent: [identity, ...missing.map(({ name }) => name), ...custom, ...own]
      .filter((name) => !before.has(name))
      .map(nameOf),
  }
}

const nothingMay = { createable: false, updateable: false, deletable: false, fields: [] }

/** @returns null if the user does not see the object: a missing permission to report like any other. */
async function visible(client: SalesforceClient, object: OrgObject['object']): Promise<DescribedObject | null> {
  try {
    return await client.describe(object)
  } catch (error) {
    const code = errorCodeOf(error instanceof AppError ? error.cause : error)
    if (code === 'NOT_FOUND' || code === 'INVALID_TYPE' || code === 'INSUFFICIENT_ACCESS') return null
    throw error
  }
}

function identityTodo(
  { object, identity }: OrgObject,
  present: DescribedField | undefined,
  refused: string | null,
  writable: readonly CrmField[],
): string[] {
  if (present && !(present.externalId === true && present.unique === true))
    return [sentences.makeUnique(object, identity)]
  if (refused !== null) return [sentences.createIdentity(object, identity, refused)]
  const field = writable.find((each) => each.name === identity)
  if (field === undefined) return [sentences.letWrite(object, [identity])]
  const fault = identityFault(field, identityType)
  return fault === null ? [] : [sentences.restoreIdentity(object, identity, fault)]
}

const identityType = 'string'

/** The org's error for a field that exists but that this user does not see. */
const isThere = 'DUPLICATE_DEVELOPER_NAME'

/** Whether records can be queried by external id: the field exists and still has the right type. */
export function holdsIdentity(fields: readonly CrmField[], identity: string): boolean {
  const field = fields.find(({ name }) => name === identity)
  return field !== undefined && identityFault(field, identityType) === null
}

/** @throws AppError if the field was changed so that not every lead could be found by it again. */
export function requireIdentity(object: OrgObject['object'], field: CrmField | undefined): void {
  const fault = field && identityFault(field, identityType)
  if (fault) throw new AppError('DESTINATION_INVALID', sentences.restoreIdentity(object, field.name, fault))
}

/** For fields without which no lead is delivered. */
export const unwritable = (fields: readonly string[]): AppError =>
  new AppError(
    'DESTINATION_INVALID',
    `The Salesforce user cannot write ${fields.join(', ')}; test the destination (\`panji destination test\`), which makes what is missing and says what to grant`,
  )

/** What an administrator can do so that columns get fields of their own. */
function adviceOn(
  { object, managed }: OrgObject,
  writable: readonly CrmField[],
  there: ReadonlySet<string>,
  refusals: ReadonlyMap<string, string>,
): string[] {
  const byName = new Map(writable.map((field) => [field.name, field]))
  const advice: string[] = []
  const lacking = managed.filter(({ name }) => refusals.has(name))
  if (lacking.length > 0) {
    const list = lacking.map((field) => `${field.name} (${wordsFor(field)})`).join(', ')
    advice.push(sentences.deploy(object, list, [...new Set(lacking.map(({ name }) => refusals.get(name)))].join(', ')))
  }
  const hidden = managed.filter(({ name }) => there.has(name) && !byName.has(name)).map(({ name }) => name)
  if (hidden.length > 0) advice.push(sentences.letWrite(object, hidden))
  for (const field of managed) {
    const own = byName.get(field.name)
    if (own && !isOfKind(field, own)) {
      const kinds = `${own.type}, not ${wordsFor(field)}`
      advice.push(`${object}.${field.name} is ${kinds}, so its column stays in the Description.`)
    }
  }
  return advice
}

function wordsFor(field: ManagedField): string {
  const { kind, length } = field
  if (kind === 'date') return 'date'
  return isNumber(field) ? `number of ${length} digits, 2 decimals` : `text of length ${length}`
}

/** The fields that the signed-in user may write. */
export function writableFields(fields: readonly DescribedField[]): readonly CrmField[] {
  return fields.filter((field) => field.createable && field.updateable).map(toCrmField)
}

/** All fields that the org lists, and those that are writable in general but not for the signed-in user. */
export interface Withheld {
  readonly listed: ReadonlySet<string>
  readonly fields: readonly CrmField[]
}

export const withheldAmong = (fields: readonly DescribedField[]): Withheld => ({
  listed: new Set(fields.map(({ name }) => name)),
  fields: fields
    .filter(({ createable, updateable, calculated }) => !(createable && updateable) && calculated !== true)
    .map(toCrmField),
})

/** Fields by which records can be queried: encrypted ones can be read but not queried by. */
export const fieldsToAskBy = (fields: readonly CrmField[]): ReadonlySet<string> =>
  new Set(fields.filter(({ isSealed }) => isSealed !== true).map(({ name }) => name))

function toCrmField(field: DescribedField): CrmField {
  const allowed = field.restrictedPicklist ? (field.picklistValues ?? []).filter(({ active }) => active) : null
  const named = (allowed ?? []).flatMap(({ value, label }) =>
    label && label !== value ? [[label, value] as const] : [],
  )
  return {
    ...(named.length > 0 ? { labels: Object.fromEntries(named) } : {}),
    ...(field.filterable === false && { isSealed: true }),
    name: field.name,
    label: field.label,
    type: field.type,
    lengthMax: field.length > 0 ? field.length : null,
    required: !field.nillable && !field.defaultedOnCreate,
    ...(field.nillable ? {} : { isNeverEmpty: true as const }),
    allowed: allowed?.map(({ value }) => value) ?? null,
  }
}

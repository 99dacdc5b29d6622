/**
 * Prepares an account: the property group, the unique `panji_id` and the custom properties, on both objects. Only
 * what is missing is created, so a second run creates nothing. Missing permissions are returned as sentences.
 */
import { readAs } from '../answers.ts'
import { answerIn, rightsMissing } from '../call-result.ts'
import type { CrmField, SetupReport } from '../contract.ts'
import { identityFault } from '../identity-field.ts'
import { fieldsWithin, type ObjectReport, reportOf } from '../object-reports.ts'
import {
  companyAutomation,
  createGroup,
  createProperties as createPropertiesTodo,
  deleteNotUnique,
  ownersByEmail,
  propertyAdvice,
  restoreIdentity,
} from './administrator.ts'
import type { CallResult, HubspotClient } from './client.ts'
import {
  type CrmObject,
  crmObjects,
  groupName,
  idProperty,
  type MappedProperty,
  objectOf,
  propertiesOf,
  textLengthMax,
} from './mapping.ts'
import { listOwners, ownerType } from './owners.ts'
import { refusalOf, refusedCall } from './refusals.ts'
import { BatchReply, faultOf, GroupList, PropertyList } from './replies.ts'

export async function setUp(client: HubspotClient, mapped: readonly string[]): Promise<SetupReport> {
  const byObject = new Map<CrmObject, ObjectReport>()
  for (const object of crmObjects) byObject.set(object, await setUpObject(client, object, mapped))
  const report = reportOf([...byObject.values()], (type) => byObject.get(objectOf(type))?.absent ?? [])
  const scopes = await missingRights(client)
  const people = (await listOwners(client)) === null ? [ownersByEmail] : []
  return {
    ...report,
    todo: [...report.todo, ...scopes],
    advice: [...report.advice, companyAutomation, ...people],
  }
}

/** Calls without rows write and find nothing; missing permissions are reported before the rows are looked at. */
function missingRights(client: HubspotClient): Promise<readonly string[]> {
  const paths = crmObjects.flatMap((object) => ['read', 'update'].map((act) => `${object}/batch/${act}`))
  return rightsMissing(
    paths.map((path) => () => {
      return client.call({ method: 'POST', path: `/crm/objects/2026-03/${path}`, body: { inputs: [] } })
    }),
  )
}

async function setUpObject(client: HubspotClient, object: CrmObject, mapped: readonly string[]): Promise<ObjectReport> {
  const existing = new Map((await listProperties(client, object)).map((property) => [property.name, property]))
  const wanted = [...propertiesOf(object).values()].filter(({ custom }) => custom)
  const missing = wanted.filter(({ name }) => !existing.has(name))
  const own = fieldsWithin(`${object}.`, mapped)
  const absent = [...missing.map(({ name }) => name), ...own.filter((name) => !existing.has(name))]
  const present = wanted.filter(({ name }) => existing.has(name)).map(({ name }) => `${object}.${name}`)
  const identity = existing.get(idProperty)
  const fields = [...existing.values()].map((each) => asField(object, each))
  const held = fields.find(({ name }) => name === `${object}.${idProperty}`)
  const todo = held === undefined ? [] : identityTodo(object, identity?.hasUniqueValue === true, held)
  const advice = propertyAdvice(object, fields)
  if (missing.length === 0) return { created: [], present, todo, advice, absent }
  const group = await ensureGroup(client, object)
  if (group !== null) return { created: [], present, todo: [...todo, group], advice, absent }
  // The unique one first and alone: with it leads can be delivered, even if a plan allows few more properties.
  const parts = [missing.filter(({ name }) => name === idProperty), missing.filter(({ name }) => name !== idProperty)]
  const outcomes: CreateReport[] = []
  for (const part of parts) if (part.length > 0) outcomes.push(await createProperties(client, object, part))
  return {
    created: outcomes.flatMap(({ created }) => created),
    present,
    todo: [...todo, ...outcomes.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]))],
    advice,
    absent,
  }
}

function identityTodo(object: CrmObject, isUnique: boolean, field: PropertyField): string[] {
  if (!isUnique) return [deleteNotUnique(object)]
  const fault = faultOfIdentity(field)
  return fault === null ? [] : [restoreIdentity(object, fault)]
}

interface CreateReport {
  readonly created: readonly string[]
  readonly refusal: string | null
}

async function createProperties(
  client: HubspotClient,
  object: CrmObject,
  properties: readonly MappedProperty[],
): Promise<CreateReport> {
  const result = await client.call({
    method: 'POST',
    path: `/crm/properties/2026-03/${object}/batch/create`,
    body: { inputs: properties.map(definitionOf) },
  })
  const requested = properties.map(({ name }) => name)
  if (result.kind === 'answer' && result.status < 300) {
    const faults = BatchReply.pick({ errors: true }).catch({ errors: [] }).parse(result.body).errors
    const names = new Set((await listProperties(client, object)).map(({ name }) => name))
    const left = requested.filter((name) => !names.has(name))
    const reason = faults[0] === undefined ? 'HubSpot gave no reason' : refusalOf(faults[0]).message
    return {
      created: requested.filter((name) => names.has(name)).map((name) => `${object}.${name}`),
      refusal: left.length > 0 ? createPropertiesTodo(object, left, reason) : null,
    }
  }
  return { created: [], refusal: createPropertiesTodo(object, requested, reasonOf(result)) }
}

/** @returns null once the group exists, otherwise what a person must do. */
async function ensureGroup(client: HubspotClient, object: CrmObject): Promise<string | null> {
  const path = `/crm/properties/2026-03/${object}/groups`
  const listed = await client.ask({ method: 'GET', path })
  const groups = GroupList.catch({ results: [] }).parse(listed.body).results
  if (groups.some(({ name }) => name === groupName)) return null
  const result = await client.call({
    method: 'POST',
    path,
    body: { name: groupName, label: 'Panji', displayOrder: -1 },
  })
  // 409: a concurrent set-up created it first.
  if (result.kind === 'answer' && (result.status < 300 || result.status === 409)) return null
  return createGroup(object, reasonOf(result))
}

/** A missing permission is a to-do for a person; an account that cannot be reached fails the whole set-up. */
function reasonOf(result: CallResult): string {
  if (result.kind === 'refused' && result.error.code === 'CRM_UNAUTHORIZED') return result.error.message
  const { status, body } = answerIn(result, 'HubSpot')
  return `${status} ${refusalOf(faultOf(body)).message}`
}

function definitionOf({ name, label, type, fieldType }: MappedProperty): Readonly<Record<string, unknown>> {
  const unique = name === idProperty ? { hasUniqueValue: true } : {}
  return { name, label, type, fieldType, groupName, formField: false, ...unique }
}

async function listProperties(client: HubspotClient, object: CrmObject): Promise<PropertyList['results']> {
  const { status, body } = await client.ask({ method: 'GET', path: `/crm/properties/2026-03/${object}` })
  if (status >= 300) throw refusedCall(`list the properties of ${object}`, status, faultOf(body))
  return readAs(PropertyList, body, `HubSpot's list of ${object} properties`).results
}

/** Named `companies.name`, `contacts.email`, since both objects have properties of the same name. */
export async function describeFields(client: HubspotClient, object: CrmObject): Promise<readonly PropertyField[]> {
  return (await listProperties(client, object)).map((property) => asField(object, property))
}

export interface PropertyField extends CrmField {
  /** True if apps cannot write it. */
  readonly isReadOnly: boolean
}

/** Why the external-id property cannot hold external ids after it was changed. */
export function faultOfIdentity(field: PropertyField): string | null {
  return field.isReadOnly ? 'takes no values of an app now' : identityFault(field, 'string')
}

/** In display order, such as the stages of a lifecycle; options without a position come last. */
const placeOf = ({ displayOrder = 0 }: { readonly displayOrder?: number | undefined }): number =>
  displayOrder < 0 ? Number.MAX_SAFE_INTEGER : displayOrder

function asField(
  object: CrmObject,
  { name, label, type, options, modificationMetadata, referencedObjectType }: PropertyList['results'][number],
): PropertyField {
  const shown = (options ?? []).filter(({ hidden }) => hidden !== true).toSorted((a, b) => placeOf(a) - placeOf(b))
  const named = shown.flatMap((each) => (each.label && each.label !== each.value ? [[each.label, each.value]] : []))
  return {
    ...(named.length > 0 ? { labels: Object.fromEntries(named) } : {}),
    name: `${object}.${name}`,
    label,
    // Its options are the users of the account, which the property does not list.
    type: referencedObjectType === 'OWNER' ? ownerType : type,
    lengthMax: type === 'string' ? textLengthMax : null,
    required: false,
    allowed: type === 'enumeration' && referencedObjectType !== 'OWNER' ? shown.map(({ value }) => value) : null,
    isReadOnly: modificationMetadata?.readOnlyValue === true,
  }
}

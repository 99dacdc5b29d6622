/**
 * Makes an org ready: the external-id field, without which nothing is delivered, and the managed fields, without which
 * their columns lie in the Description. Only what is missing is created, so a second run creates nothing.
 */
import type { CrmField, SetupReport } from '../contract.ts'
import type { DescribedField, SalesforceClient } from './client.ts'
import { isOfKind, type ManagedField } from './managed-fields.ts'
import { usedManagedFields } from './mapping.ts'
import { identityMetadata, metadataOf, permissionSetName } from './metadata-package.ts'
import type { SalesforceSettings } from './settings.ts'

export async function setUp(client: SalesforceClient, settings: SalesforceSettings): Promise<SetupReport> {
  const { external_id_field: identity } = settings
  const managed = usedManagedFields(settings)
  const before = new Map((await client.describe('Lead')).fields.map((field) => [field.name, field]))
  const present = [identity, ...managed.map(({ name }) => name)].filter((name) => before.has(name))
  const missing = managed.filter(({ name }) => !before.has(name))
  const refusals = await client.createFields(
    'Lead',
    new Map([
      ...(before.has(identity) ? [] : [[identity, identityMetadata()] as const]),
      ...missing.map((field) => [field.name, metadataOf(field)] as const),
    ]),
  )
  const created = [identity, ...missing.map(({ name }) => name)].filter(
    (name) => !before.has(name) && !refusals.has(name),
  )
  const after = created.length > 0 ? (await client.describe('Lead')).fields : [...before.values()]
  const writable = writableFields(after)
  return {
    created,
    present,
    todo: identityTodo(identity, before.get(identity), refusals.get(identity) ?? null, writable),
    advice: adviceOn(managed, writable, new Set([...present, ...created]), refusals),
  }
}

function identityTodo(
  name: string,
  present: DescribedField | undefined,
  refused: string | null,
  writable: readonly CrmField[],
): string[] {
  const field = `Lead.${name}`
  if (present && !(present.externalId === true && present.unique === true)) {
    return [`Mark ${field} as External ID and Unique in the object manager.`]
  }
  if (refused !== null) {
    return [
      `Create ${field}: text of length 80, External ID, Unique, case-sensitive, with edit access for this user (${refused}).`,
    ]
  }
  return writable.some((each) => each.name === name)
    ? []
    : [`Grant the user of this destination edit access to ${field}.`]
}

/** What an administrator can do so that columns get fields of their own. */
function adviceOn(
  managed: readonly ManagedField[],
  writable: readonly CrmField[],
  there: ReadonlySet<string>,
  refusals: ReadonlyMap<string, string>,
): string[] {
  const byName = new Map(writable.map((field) => [field.name, field]))
  const advice: string[] = []
  const lacking = managed.filter(({ name }) => refusals.has(name))
  if (lacking.length > 0) {
    const list = lacking.map((field) => `${field.name} (${wordsFor(field)})`).join(', ')
    const codes = [...new Set(refusals.values())].join(', ')
    advice.push(
      `Deploy connectors/salesforce/package with \`sf project deploy start\` and assign the permission set ${permissionSetName} to this user, or create on Lead: ${list} (${codes}).`,
    )
  }
  const hidden = managed.filter(({ name }) => there.has(name) && !byName.has(name)).map(({ name }) => name)
  if (hidden.length > 0) {
    advice.push(`Grant the user of this destination edit access to these fields of Lead: ${hidden.join(', ')}.`)
  }
  for (const field of managed) {
    const own = byName.get(field.name)
    if (own && !isOfKind(field, own)) {
      advice.push(`Lead.${field.name} is ${own.type}, not ${wordsFor(field)}, so its column stays in the Description.`)
    }
  }
  return advice
}

function wordsFor({ kind, length }: ManagedField): string {
  if (kind === 'date') return 'date'
  return kind === 'number' ? `number of ${length} digits, 2 decimals` : `text of length ${length}`
}

/** The fields that the signed-in user may write. */
export function writableFields(fields: readonly DescribedField[]): readonly CrmField[] {
  return fields.filter((field) => field.createable && field.updateable).map(toCrmField)
}

function toCrmField(field: DescribedField): CrmField {
  const allowed = field.restrictedPicklist ? (field.picklistValues ?? []).filter(({ active }) => active) : null
  return {
    name: field.name,
    label: field.label,
    type: field.type,
    lengthMax: field.length > 0 ? field.length : null,
    required: !field.nillable && !field.defaultedOnCreate,
    allowed: allowed?.map(({ value }) => value) ?? null,
  }
}

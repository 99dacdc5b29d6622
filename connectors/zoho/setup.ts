/**
 * Prepares an org: creates the unique field Panji Id, without which nothing is delivered, and the managed fields,
 * without which their columns go into the Description. Only what is missing is created, so a second run creates
 * nothing.
 */
import { entityTypes } from '../../src/domain/identity.ts'
import { readAs } from '../answers.ts'
import { answerIn, rightsMissing } from '../call-result.ts'
import type { CrmField, SetupReport } from '../contract.ts'
import { identityFault } from '../identity-field.ts'
import {
  allowNoDuplicates,
  createFieldMenu,
  letWrite,
  privateLeads,
  renameFields,
  required,
  restoreIdentity,
  usersByEmail,
} from './administrator.ts'
import type { ZohoClient } from './client.ts'
import { isOfKind, type ManagedField } from './managed-fields.ts'
import {
  identityField,
  identityLabel,
  identityLength,
  identityType,
  manyValues,
  neededFields,
  standardFields,
  usedManagedFields,
} from './mapping.ts'
import { refusalOfCall, refusedCall } from './outcomes.ts'
import { FieldList, type FieldMetadata, FieldReplies } from './replies.ts'
import type { ZohoSettings } from './settings.ts'
import { profileOfUser } from './users.ts'

/** Zoho creates at most this many fields in one call. */
const fieldsPerCallMax = 5

type Definition = Readonly<Record<string, unknown>> & { readonly field_label: string }

const identity: Definition = {
  field_label: identityLabel,
  data_type: 'text',
  length: identityLength,
  unique: { case_sensitive: false },
}

export async function setUp(
  client: ZohoClient,
  settings: ZohoSettings,
  mapped: readonly string[],
): Promise<SetupReport> {
  const managed = usedManagedFields(settings)
  const listed = await listFields(client)
  const before = new Map(listed.map((field) => [field.api_name, field]))
  const wanted = [identityField, ...managed.map(({ name }) => name)]
  const present = wanted.filter((name) => before.has(name))
  const absent = wanted.filter((name) => !before.has(name))
  const ours = [{ name: identityField, label: identityLabel }, ...managed]
  const renamed = ours.flatMap((field) => renamedAs(field, listed))
  const isToCome = ({ name }: { readonly name: string }) =>
    !before.has(name) && renamed.every(([, , wanted]) => wanted !== name)
  const missing = managed.filter(isToCome)
  const refusals: string[] = []
  // The unique one first and alone: with it leads can be delivered, even if an edition allows few more fields.
  if (isToCome({ name: identityField })) refusals.push(...(await create(client, [identity])))
  for (let from = 0; from < missing.length && refusals.length === 0; from += fieldsPerCallMax)
    refusals.push(...(await create(client, missing.slice(from, from + fieldsPerCallMax).map(definitionOf))))
  const after = new Map((await listFields(client)).map((field) => [field.api_name, field]))
  const codes = [...new Set(refusals)].join(', ')
  return {
    created: absent.filter((name) => after.has(name)),
    present,
    absent: new Map(entityTypes.map((type) => [type, [...absent, ...mapped.filter((name) => !before.has(name))]])),
    todo: [
      ...identityTodo(after.get(identityField), renamed, codes),
      ...lockedAmong(after, neededFields),
      ...(await missingRights(client)),
    ],
    advice: [...adviceOn(managed, after, renamed, codes), ...(await adviceOnPeople(client))],
    unfilled: [...after.values()]
      .filter(
        (field) => field.system_mandatory && field.api_name !== identityField && !neededFields.includes(field.api_name),
      )
      .map((field) => ({ field: field.api_name, todo: required(field.api_name, field.field_label || field.api_name) })),
  }
}

/**
 * Label, the API name that a user gave the field, and the one that Panji writes. A second field with the label is not
 * created.
 */
type Renamed = readonly [label: string, now: string, wanted: string]

function renamedAs(
  { name, label }: { readonly name: string; readonly label: string },
  listed: readonly FieldMetadata[],
): Renamed[] {
  if (listed.some((field) => field.api_name === name)) return []
  return listed.filter((field) => field.field_label === label).map((field) => [label, field.api_name, name])
}

/** A sentence on the fields that the user may not write; none if all are writable. */
function lockedAmong(fields: ReadonlyMap<string, FieldMetadata>, names: readonly string[]): string[] {
  const locked = names.flatMap((name) => fields.get(name) ?? []).filter((field) => !isWritable(field))
  return locked.length === 0 ? [] : [letWrite(locked.map((field) => field.field_label || field.api_name))]
}

/** For use in brackets. */
const withoutEnd = (text: string): string => text.replace(/\.$/, '')

/** Calls without a record change nothing; missing permissions are reported before the rows are looked at. */
const missingRights = (client: ZohoClient): Promise<readonly string[]> =>
  rightsMissing(
    (['POST', 'PUT'] as const).map(
      (method) => () => client.call({ method, path: '/Leads', body: { data: [], trigger: [] } }),
    ),
  )

/** @returns why fields were not created; empty if all were. */
async function create(client: ZohoClient, fields: readonly Definition[]): Promise<string[]> {
  const result = await client.call({ method: 'POST', path: '/settings/fields?module=Leads', body: { fields } })
  // A missing permission is a to-do for a person; an account that cannot be reached fails the whole set-up.
  if (result.kind === 'refused' && result.error.code === 'CRM_UNAUTHORIZED') return [result.error.message]
  const { status, body } = answerIn(result, 'Zoho')
  const replies = FieldReplies.safeParse(body).data?.fields
  if (replies === undefined) return [refusalOfCall(body)?.code ?? String(status)]
  return replies.flatMap((reply) => (reply?.status === 'success' ? [] : [reply?.code ?? 'NO_ANSWER']))
}

function definitionOf({ label, kind, length }: ManagedField): Definition {
  switch (kind) {
    case 'date':
      return { field_label: label, data_type: 'date' }
    case 'amount':
      return { field_label: label, data_type: 'double', length, decimal_place: 2 }
    case 'count':
      return { field_label: label, data_type: 'integer', length }
    default:
      return { field_label: label, data_type: 'text', length }
  }
}

function identityTodo(field: FieldMetadata | undefined, renamed: readonly Renamed[], codes: string): string[] {
  const own = renamed.filter(([, , wanted]) => wanted === identityField)
  if (own.length > 0) return [renameFields(own)]
  const words = `single line, ${identityLength} characters, duplicate values not allowed, for the profile of this user to read and write`
  if (field === undefined)
    return [
      `Create in the module Leads the field "${identityLabel}": ${createFieldMenu}, ${words} (${withoutEnd(codes) || 'Zoho named it otherwise'}).`,
    ]
  if (Object.keys(field.unique).length === 0) return [allowNoDuplicates(identityLabel)]
  if (!isWritable(field)) return [letWrite([identityLabel])]
  const fault = identityFault(toCrmField(field), identityType)
  return fault === null ? [] : [restoreIdentity(identityLabel, fault)]
}

/** Access to other users' leads, which no call without a row shows. */
async function adviceOnPeople(client: ZohoClient): Promise<string[]> {
  const profile = await profileOfUser(client)
  if (profile === null) return [usersByEmail]
  return profile === 'Administrator' ? [] : [privateLeads(profile)]
}

/** What an administrator can do so that columns get fields of their own. */
function adviceOn(
  managed: readonly ManagedField[],
  fields: ReadonlyMap<string, FieldMetadata>,
  renamed: readonly Renamed[],
  codes: string,
): string[] {
  const others = renamed.filter(([, , wanted]) => wanted !== identityField)
  const filled = [...standardFields, 'Description', ...managed.map(({ name }) => name)]
  const advice = lockedAmong(
    fields,
    filled.filter((name) => !neededFields.includes(name)),
  )
  if (others.length > 0) advice.push(renameFields(others))
  const lacking = managed.filter(({ name }) => !fields.has(name) && others.every(([, , wanted]) => wanted !== name))
  if (lacking.length > 0) {
    const list = lacking.map((field) => `${field.label} (${wordsFor(field)})`).join(', ')
    advice.push(
      `Create in the module Leads, as far as your edition allows, under ${createFieldMenu}: ${list} (${withoutEnd(codes) || 'not created'}).`,
    )
  }
  for (const field of managed) {
    const own = fields.get(field.name)
    if (own && !isOfKind(field, toCrmField(own)))
      advice.push(
        `Leads.${field.name} is ${own.data_type}, not ${wordsFor(field)}, so its column stays in the Description.`,
      )
  }
  return advice
}

function wordsFor({ kind, length }: ManagedField): string {
  if (kind === 'date') return 'date'
  if (kind === 'amount') return `decimal of ${length} digits`
  return kind === 'count' ? 'number' : `single line of ${length}`
}

export async function listFields(client: ZohoClient): Promise<readonly FieldMetadata[]> {
  const { status, body } = await client.ask({ method: 'GET', path: '/settings/fields?module=Leads' })
  if (status >= 300) throw refusedCall('list the fields of Leads', status, body)
  return readAs(FieldList, body, "Zoho's list of fields").fields
}

export function isWritable({
  read_only: locked,
  field_read_only: fieldLocked,
  operation_type: may,
}: FieldMetadata): boolean {
  return !locked && !fieldLocked && may.api_create && may.api_update
}

export function toCrmField(field: FieldMetadata): CrmField {
  const isPicklist = field.data_type === 'picklist' || field.data_type === manyValues
  const used = field.pick_list_values.filter(({ type }) => type !== 'unused')
  const named = used.flatMap((option) =>
    shownOf(option) === option.actual_value ? [] : [[option.actual_value, shownOf(option)] as const],
  )
  return {
    ...(isPicklist && named.length > 0 && { labels: Object.fromEntries(named) }),
    name: field.api_name,
    label: field.field_label || field.api_name,
    type: field.data_type,
    lengthMax: typeof field.length === 'number' && field.length > 0 ? field.length : null,
    required: field.system_mandatory,
    allowed: isPicklist ? used.map(shownOf) : null,
  }
}

type PicklistOption = FieldMetadata['pick_list_values'][number]

const shownOf = ({ actual_value: value, display_value: shown }: PicklistOption): string => shown || value

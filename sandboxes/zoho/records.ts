/** Insert, update, upsert and delete of Leads: at most a hundred rows, with a result per row in order. */
import type { WireAnswer } from '../kit.ts'
import { failure, type Reply, refused, rowsAnswer } from './replies.ts'
import type { SandboxField } from './standard-fields.ts'
import { manyValues, type Org, type OrgRecord, type Value, type Values } from './state.ts'
import { isActive, mayChange, maySee } from './users.ts'

const rowsMax = 100
const lockedWords = 'the record is locked'

type Row = Readonly<Record<string, unknown>>

export function insert(org: Org, body: unknown): WireAnswer {
  return eachRow(body, 201, (row, n) => {
    const fault = faultOfRow(org, row, n, undefined)
    return fault ?? faultOfRules(org, body, row) ?? saved(org, null, row, 'record added')
  })
}

export function update(org: Org, body: unknown): WireAnswer {
  return eachRow(body, 200, (row, n) => {
    const present = org.get(String(row['id'] ?? ''))
    const path = { api_name: 'id', json_path: `$.data[${n}].id` }
    if (row['id'] === undefined) return refused('MANDATORY_NOT_FOUND', 'required field not found', path)
    if (present === undefined || !maySee(org, present))
      return refused('INVALID_DATA', 'the id given seems to be invalid', path)
    if (!mayChange(org, present)) return refused('NO_PERMISSION', 'permission denied', { permissions: ['Crm_Edit'] })
    if (org.locked.has(present.id)) return refused('RECORD_LOCKED', lockedWords, { id: present.id })
    return (
      faultOfRow(org, row, n, present) ??
      faultOfRules(org, body, row, present) ??
      saved(org, present.id, row, 'record updated')
    )
  })
}

/**
 * Matches by the given fields first, then by the org's other unique fields; a record found by the latter is
 * overwritten like any other.
 */
export function upsert(org: Org, body: unknown): WireAnswer {
  const named: unknown = (body as { duplicate_check_fields?: unknown } | null)?.duplicate_check_fields
  const checked = Array.isArray(named) ? named.map(String) : ['Email']
  const unique = uniqueFields(org).map((field) => field.api_name)
  const strange = checked.find((name) => name !== 'Email' && !unique.includes(name))
  if (strange !== undefined)
    return failure(400, 'INVALID_DATA', 'invalid data', { api_name: 'duplicate_check_fields', value: strange })
  const order = [...checked, ...unique.filter((name) => !checked.includes(name))]
  return eachRow(body, 200, (row, n) => {
    const found = order.map((name) => ({ name, record: org.find(name, row[name])[0] })).find(({ record }) => record)
    const fault = faultOfRow(org, row, n, found?.record)
    if (fault) return fault
    const reply = saved(org, found?.record?.id ?? null, row, found ? 'record updated' : 'record added')
    return { ...reply, action: found ? 'update' : 'insert', duplicate_field: found?.name ?? null }
  })
}

export function destroy(org: Org, ids: readonly string[]): WireAnswer {
  if (ids.length === 0) return failure(400, 'REQUIRED_PARAM_MISSING', 'One of the expected parameter is missing')
  if (ids.length > rowsMax) return failure(400, 'LIMIT_EXCEEDED', 'more ids than allowed', { limit: rowsMax })
  const replies = ids.map((id): Reply => {
    if (org.locked.has(id)) return refused('RECORD_LOCKED', lockedWords, { id })
    if (!org.delete(id)) return refused('INVALID_DATA', 'the id given seems to be invalid', { id })
    return { code: 'SUCCESS', details: { id }, message: 'record deleted', status: 'success' }
  })
  return rowsAnswer('data', replies, 200)
}

function eachRow(body: unknown, good: number, write: (row: Row, n: number) => Reply): WireAnswer {
  const rows: unknown = (body as { data?: unknown } | null)?.data
  if (!Array.isArray(rows)) return failure(400, 'MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'data' })
  if (rows.length === 0 || rows.length > rowsMax)
    return failure(400, 'INVALID_DATA', 'invalid data', { api_name: 'data', maximum_length: rowsMax })
  const replies = rows.map((row: unknown, n) =>
    typeof row === 'object' && row !== null
      ? write(row as Row, n)
      : refused('INVALID_DATA', 'invalid data', { expected_data_type: 'jsonobject', json_path: `$.data[${n}]` }),
  )
  return rowsAnswer('data', replies, good)
}

function saved(org: Org, id: string | null, row: Row, message: string): Reply {
  // Unknown fields are silently ignored.
  const known = org.fields.filter((field) => !field.read_only && row[field.api_name] !== undefined)
  const values = known.map((field) => [field.api_name, keptOf(field, row[field.api_name])])
  const record = org.save(id, Object.fromEntries(values) as Values)
  return { code: 'SUCCESS', details: { id: record.id }, message, status: 'success' }
}

/** For an owner, the id; for a picklist, the value behind the name that users see, several as one text. */
function keptOf({ pick_list_values: list }: SandboxField, value: unknown): Value {
  const stored = (shown: unknown) => list.find((option) => option.display_value === shown)?.actual_value ?? shown
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(stored).join(';')
  if (typeof value === 'object' && value !== null) return String((value as { readonly id?: unknown }).id)
  return value === '' ? null : (stored(value) as Value)
}

/** Rules are skipped unless the caller asks for them; if several refuse a row, they are reported together. */
function faultOfRules(org: Org, body: unknown, row: Row, present?: OrgRecord): Reply | null {
  const features = (body as { readonly apply_feature_execution?: readonly { readonly name?: unknown }[] })
    .apply_feature_execution
  if (!features?.some(({ name }) => name === 'criteria_validation_rule')) return null
  const values: Readonly<Record<string, unknown>> = { ...present?.values, ...row }
  const faults = org.validationRules
    .filter(({ field, refuses }) => values[field] === refuses)
    .map(({ field, message }) => refused('INVALID_DATA', message, { api_name: field }))
  const [only, second] = faults
  if (only === undefined || second === undefined) return only ?? null
  return refused('MULTIPLE_OR_MULTI_ERRORS', 'multiple errors occurred', { errors: faults })
}

function faultOfRow(org: Org, row: Row, n: number, present: OrgRecord | undefined): Reply | null {
  for (const field of org.fields) {
    const name = field.api_name
    const at = { api_name: name, json_path: `$.data[${n}].${name}` }
    const value = row[name]
    const isEmpty = value === null || value === '' || (value === undefined && present === undefined)
    if ((field.system_mandatory || field.requiredByLayout === true) && isEmpty)
      return refused('MANDATORY_NOT_FOUND', 'required field not found', at)
    if (value === undefined || value === null || value === '' || field.read_only) continue
    const fault = faultOfValue(field, value) ?? (org.restrictsLists ? faultOfList(field, value) : null)
    if (fault) return refused('INVALID_DATA', 'invalid data', { ...at, ...fault })
  }
  for (const { api_name: name } of uniqueFields(org)) {
    const other = org.find(name, row[name]).find(({ id }) => id !== present?.id)
    const at = { api_name: name, json_path: `$.data[${n}].${name}` }
    if (other) return refused('DUPLICATE_DATA', 'duplicate data', { ...at, duplicate_record: { id: other.id } })
  }
  return org.full === null || present !== undefined ? null : refused(org.full.code, org.full.message)
}

const uniqueFields = (org: Org) => org.fields.filter((field) => Object.keys(field.unique).length > 0)

function faultOfValue({ data_type: type, length }: SandboxField, value: unknown): Reply['details'] | null {
  const isNumber = typeof value === 'number'
  switch (type) {
    case 'ownerlookup':
      return isActive((value as { readonly id?: unknown }).id) ? null : { expected_data_type: 'jsonobject' }
    case 'integer':
    case 'bigint':
      return Number.isSafeInteger(value) && String(value).length <= length ? null : { expected_data_type: type }
    case 'double':
    case 'currency':
      return isNumber && String(Math.trunc(value)).length <= length ? null : { expected_data_type: type }
    case manyValues:
      return Array.isArray(value) ? null : { expected_data_type: 'jsonarray' }
    case 'date':
      return isDay(value) ? null : { expected_data_type: 'date' }
    default:
      break
  }
  if (typeof value !== 'string') return { expected_data_type: type === 'email' ? 'email' : 'string' }
  if (value.length > length) return { maximum_length: length }
  if (type === 'email' && !/^[^\s@"<>(),;:\\]+@[^\s@]+\.[A-Za-z]{2,}$/.test(value))
    return { expected_data_type: 'email' }
  if (type === 'phone' && !/^[+\d][\d\s().-]*$/.test(value)) return { expected_data_type: 'phone' }
  return null
}

function faultOfList(
  { data_type: type, pick_list_values: list }: SandboxField,
  value: unknown,
): Reply['details'] | null {
  const supported = list.filter((each) => each.type !== 'unused').map((each) => each.display_value)
  if (type !== 'picklist' && type !== manyValues) return null
  if ([value].flat().every((each) => supported.some((one) => one === each))) return null
  return { supported_values: supported }
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
}

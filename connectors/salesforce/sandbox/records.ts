/** sObject Collections: upsert by external id and delete, at most 200 rows, a result per row in the order given. */
import type { WireAnswer } from '../../sandbox-kit.ts'
import type { SandboxField } from './fields.ts'
import { failure } from './replies.ts'
import type { Org, OrgRecord, Values } from './state.ts'

const rowsMax = 200

interface RowError {
  readonly statusCode: string
  readonly message: string
  readonly fields: readonly string[]
}
type RowResult =
  | { readonly id: string; readonly success: true; readonly errors: []; readonly created?: boolean }
  | { readonly success: false; readonly errors: readonly RowError[] }

export function upsert(org: Org, object: string, keyField: string, body: unknown): WireAnswer {
  const fields = org.fields(object)
  if (!fields) return failure(404, 'NOT_FOUND', 'The requested resource does not exist')
  if (!fields.some((field) => field.name === keyField && field.externalId)) {
    const message = `Provided external ID field does not exist or is not accessible: ${keyField}`
    return failure(404, 'NOT_FOUND', message)
  }
  const records = (body as { records?: unknown } | null)?.records
  if (!Array.isArray(records)) return failure(400, 'JSON_PARSER_ERROR', 'records is missing or no list')
  if (records.length > rowsMax) {
    return failure(400, 'EXCEEDED_MAX_SIZE_REQUEST', `${records.length} records, at most ${rowsMax} are allowed`)
  }
  const malformed = faultOfCall(records, object, keyField, fields)
  if (malformed) return malformed
  const rows = records as readonly Values[]
  const met = new Set<unknown>()
  const twice = new Set(rows.map((row) => row[keyField]).filter((key) => met.size === met.add(key).size))
  const before = new Map(rows.map((row) => [row, org.find(object, keyField, row[keyField])[0]] as const))
  const results = rows.map((row): RowResult => {
    if (twice.has(row[keyField])) {
      return refused('DUPLICATE_VALUE', `Duplicate external id specified: ${String(row[keyField])}`)
    }
    return upsertRow(org, object, keyField, fields, row)
  })
  const isAllOrNone = (body as { allOrNone?: unknown }).allOrNone === true
  if (!isAllOrNone || results.every(({ success }) => success)) return { status: 200, body: results }
  return { status: 200, body: results.map((result, n) => rolledBack(org, result, before.get(rows[n] as Values))) }
}

/** Update by Id: PATCH composite/sobjects. */
export function update(org: Org, body: unknown): WireAnswer {
  const records = (body as { records?: unknown } | null)?.records
  if (!Array.isArray(records)) return failure(400, 'JSON_PARSER_ERROR', 'records is missing or no list')
  if (records.length > rowsMax) return failure(400, 'EXCEEDED_MAX_SIZE_REQUEST', `at most ${rowsMax} records`)
  const results = records.map((record: Values & { attributes?: { type?: unknown } }): RowResult => {
    const { attributes, id, ...values } = record
    const object = String(attributes?.type ?? '')
    const present = org.find(object, 'Id', id)[0]
    const fields = org.fields(object)
    if (!present || !fields) return refused('ENTITY_IS_DELETED', 'entity is deleted')
    const error = faultOfRow(org, object, fields, values as Values, present)
    if (error) return { success: false, errors: [error] }
    return { id: org.save(object, present.id, values as Values).id, success: true, errors: [] }
  })
  return { status: 200, body: results }
}

export function destroy(org: Org, ids: readonly string[]): WireAnswer {
  if (ids.length > rowsMax) return failure(400, 'EXCEEDED_MAX_SIZE_REQUEST', `at most ${rowsMax} records`)
  const results = ids.map((id): RowResult => {
    if (org.delete(id)) return { id, success: true, errors: [] }
    return refused('ENTITY_IS_DELETED', 'entity is deleted')
  })
  return { status: 200, body: results }
}

/** Faults for which Salesforce refuses the whole call, whatever the other rows are. */
function faultOfCall(
  records: readonly unknown[],
  object: string,
  keyField: string,
  fields: readonly SandboxField[],
): WireAnswer | null {
  const known = new Map(fields.map((field) => [field.name, field]))
  for (const record of records) {
    if (typeof record !== 'object' || record === null) return failure(400, 'JSON_PARSER_ERROR', 'a record is no object')
    const { attributes, ...values } = record as Record<string, unknown>
    const type = (attributes as { type?: unknown } | undefined)?.type
    if (type !== object) return failure(400, 'INVALID_TYPE', `attributes.type must be ${object}`)
    if (typeof values[keyField] !== 'string') return failure(400, 'MISSING_ARGUMENT', `${keyField} not specified`)
    for (const [name, value] of Object.entries(values)) {
      const field = known.get(name)
      if (!field) {
        const message = `No such column '${name}' on sobject of type ${object}`
        return failure(400, 'INVALID_FIELD', message, [name])
      }
      if (field.type === 'date' && !isEmpty(value) && !/^\d{4}-\d{2}-\d{2}$/.test(String(value))) {
        return failure(400, 'JSON_PARSER_ERROR', `Cannot deserialize instance of date from VALUE_STRING value ${value}`)
      }
      if (field.type === 'double' && value !== null && typeof value !== 'number') {
        return failure(
          400,
          'JSON_PARSER_ERROR',
          `Cannot deserialize instance of double from VALUE_STRING value ${value}`,
        )
      }
    }
  }
  return null
}

/** One bad row takes back what the others wrote. */
function rolledBack(org: Org, result: RowResult, before: OrgRecord | undefined): RowResult {
  if (!result.success) return result
  org.delete(result.id)
  if (before) org.save(before.object, before.id, before.values)
  return refused('ALL_OR_NONE_OPERATION_ROLLED_BACK', 'Record rolled back because not all records were valid')
}

function upsertRow(
  org: Org,
  object: string,
  keyField: string,
  fields: readonly SandboxField[],
  row: Values,
): RowResult {
  const { attributes: _attributes, ...given } = row
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, trimmed(value)]))
  const [present, ...more] = org.find(object, keyField, values[keyField])
  if (more.length > 0) return refused('DUPLICATE_EXTERNAL_ID', `${keyField}: more than one record found`)
  if (present?.values['IsConverted'] === true) {
    return refused('CANNOT_UPDATE_CONVERTED_LEAD', 'cannot reference converted lead')
  }
  const error = faultOfRow(org, object, fields, values, present)
  if (error) return { success: false, errors: [error] }
  const record = org.save(object, present?.id ?? null, values)
  return { id: record.id, success: true, errors: [], created: present === undefined }
}

function faultOfRow(
  org: Org,
  object: string,
  fields: readonly SandboxField[],
  values: Values,
  present: OrgRecord | undefined,
): RowError | null {
  const merged = { ...present?.values, ...values }
  const missing = fields.filter(({ name, required }) => required && isEmpty(merged[name])).map(({ name }) => name)
  if (missing.length > 0) {
    const message = `Required fields are missing: [${missing.join(', ')}]`
    return { statusCode: 'REQUIRED_FIELD_MISSING', message, fields: missing }
  }
  for (const field of fields) {
    const value = values[field.name]
    if (isEmpty(value)) continue
    const error = faultOfValue(org, object, field, value, present)
    if (error) return error
  }
  return null
}

function faultOfValue(
  org: Org,
  object: string,
  field: SandboxField,
  value: Values[string] | undefined,
  present: OrgRecord | undefined,
): RowError | null {
  const text = String(value)
  const fields = [field.name]
  if (!field.writable) {
    const message = `Unable to create/update fields: ${field.name}.`
    return { statusCode: 'INVALID_FIELD_FOR_INSERT_UPDATE', message, fields }
  }
  if (field.length > 0 && text.length > field.length) {
    const message = `${field.label}: data value too large: ${text} (max length=${field.length})`
    return { statusCode: 'STRING_TOO_LONG', message, fields }
  }
  if (field.allowed && !field.allowed.includes(text)) {
    const message = `${field.label}: bad value for restricted picklist field: ${text}`
    return { statusCode: 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', message, fields }
  }
  if (field.type === 'email' && !/^[^\s@"<>]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)) {
    return { statusCode: 'INVALID_EMAIL_ADDRESS', message: `${field.label}: invalid email address: ${text}`, fields }
  }
  const other = field.unique ? org.find(object, field.name, value).find(({ id }) => id !== present?.id) : undefined
  if (other) {
    const message = `duplicate value found: ${field.name} duplicates value on record with id: ${other.id}`
    return { statusCode: 'DUPLICATE_VALUE', message, fields: [] }
  }
  return null
}

const refused = (statusCode: string, message: string): RowResult => ({
  success: false,
  errors: [{ statusCode, message, fields: [] }],
})
const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
const trimmed = (value: Values[string]) => (typeof value === 'string' ? value.trim() : value)

/** sObject Collections: at most 200 rows, with a result per row in order. */
import type { WireAnswer } from '../kit.ts'
import type { SandboxField } from './fields.ts'
import { makeMember, memberObject } from './members.ts'
import { shown } from './query.ts'
import { failure, missing } from './replies.ts'
import { afterTriggers, faultOfFields, type RowResult, refused, takenBack, type Written, writeRow } from './rows.ts'
import type { Org, Values } from './state.ts'

const rowsMax = 200
const retrieveMax = 2_000

interface Call {
  readonly body: unknown
  readonly saveDuplicates: boolean
}

export function upsert(org: Org, object: string, keyField: string, { body, saveDuplicates }: Call): WireAnswer {
  const fields = org.fields(object)
  if (!fields) return missing
  if (!fields.some((field) => field.name === keyField && field.externalId)) {
    const message = `Provided external ID field does not exist or is not accessible: ${keyField}`
    return failure(404, 'NOT_FOUND', message)
  }
  const records = rowsOf(body)
  if (!Array.isArray(records)) return records
  const malformed = faultOfCall(records, object, keyField, fields)
  if (malformed) return malformed
  const rows = records as readonly Values[]
  const met = new Set<unknown>()
  const twice = new Set(rows.map((row) => row[keyField]).filter((key) => met.size === met.add(key).size))
  return eachRow(org, body, rows, (row): Written => {
    if (twice.has(row[keyField]))
      return { result: refused('DUPLICATE_VALUE', `Duplicate external id specified: ${String(row[keyField])}`) }
    const { attributes: _attributes, ...values } = row
    const key = typeof row[keyField] === 'string' ? row[keyField].trim() : row[keyField]
    const [present, ...more] = org.find(object, keyField, key)
    if (more.length > 0) return { result: refused('DUPLICATE_EXTERNAL_ID', `${keyField}: more than one record found`) }
    return { before: present, result: writeRow(org, { object, present, values, saveDuplicates }) }
  })
}

/** New records: POST composite/sobjects. */
export function create(org: Org, { body, saveDuplicates }: Call): WireAnswer {
  const records = rowsOf(body)
  if (!Array.isArray(records)) return records
  return eachRow(org, body, records as readonly Values[], (record): Written => {
    const { object, values } = typed(record)
    if (object === memberObject) return { result: makeMember(org, values) }
    const fault = faultOfType(org, object, values)
    return { result: fault ?? writeRow(org, { object, present: undefined, values, saveDuplicates }) }
  })
}

/** Update by Id: PATCH composite/sobjects. */
export function update(org: Org, { body, saveDuplicates }: Call): WireAnswer {
  const records = rowsOf(body)
  if (!Array.isArray(records)) return records
  return eachRow(org, body, records as readonly Values[], (record): Written => {
    const { object, values: given } = typed(record)
    const { id, Id, ...values } = given
    const present = org.find(object, 'Id', id ?? Id)[0]
    if (!present) return { result: refused('ENTITY_IS_DELETED', 'entity is deleted') }
    const fault = faultOfType(org, object, values)
    return { before: present, result: fault ?? writeRow(org, { object, present, values, saveDuplicates }) }
  })
}

/** POST composite/sobjects/Lead {ids, fields}: null for missing records. */
export function retrieve(org: Org, version: string, object: string, body: unknown): WireAnswer {
  const { ids, fields } = (body ?? {}) as { ids?: unknown; fields?: unknown }
  const known = new Set(org.fields(object)?.map(({ name }) => name))
  if (!Array.isArray(ids) || !Array.isArray(fields) || ids.length > retrieveMax)
    return failure(400, 'JSON_PARSER_ERROR', 'ids and fields are lists')
  const unknown = fields.find((name) => !known.has(String(name)))
  if (unknown !== undefined)
    return failure(400, 'INVALID_FIELD', `No such column '${unknown}' on sobject of type ${object}`)
  const found = ids.map((id) => org.find(object, 'Id', id)[0])
  return {
    status: 200,
    body: found.map((record) => (record ? shown(record, version, ['Id', ...fields.map(String)]) : null)),
  }
}

export function destroy(org: Org, ids: readonly string[]): WireAnswer {
  if (ids.length > rowsMax) return failure(400, 'EXCEEDED_MAX_SIZE_REQUEST', `at most ${rowsMax} records`)
  const results = ids.map((id): RowResult => {
    if (org.delete(id)) return { id, success: true, errors: [] }
    return refused('ENTITY_IS_DELETED', 'entity is deleted')
  })
  return { status: 200, body: results }
}

function rowsOf(body: unknown): unknown[] | WireAnswer {
  const records = (body as { records?: unknown } | null)?.records
  if (!Array.isArray(records)) return failure(400, 'JSON_PARSER_ERROR', 'records is missing or no list')
  if (records.length <= rowsMax) return records
  return failure(400, 'EXCEEDED_MAX_SIZE_REQUEST', `${records.length} records, at most ${rowsMax} are allowed`)
}

/** With allOrNone, one bad row rolls back all others. */
function eachRow(org: Org, body: unknown, rows: readonly Values[], write: (row: Values) => Written): WireAnswer {
  const written = afterTriggers(org, rows.map(write))
  const isAllOrNone = (body as { allOrNone?: unknown }).allOrNone === true
  if (!isAllOrNone || written.every(({ result }) => result.success))
    return { status: 200, body: written.map(({ result }) => result) }
  return {
    status: 200,
    body: [...written]
      .reverse()
      .map((each) => takenBack(org, each, rolledBack))
      .reverse(),
  }
}

const rolledBack = refused('ALL_OR_NONE_OPERATION_ROLLED_BACK', 'Record rolled back because not all records were valid')

function typed(record: Values & { attributes?: unknown }): { readonly object: string; readonly values: Values } {
  const { attributes, ...values } = record
  return { object: String((attributes as { type?: unknown } | undefined)?.type ?? ''), values }
}

function faultOfType(org: Org, object: string, values: Values): RowResult | null {
  const fields = org.fields(object)
  if (!fields) return refused('INVALID_TYPE', `sObject type '${object}' is not supported.`)
  const fault = faultOfFields(values, object, new Map(fields.map((field) => [field.name, field])))
  const [first] = (fault?.body ?? []) as readonly { readonly errorCode: string; readonly message: string }[]
  return first ? refused(first.errorCode, first.message) : null
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
    const fault = faultOfFields(values, object, known)
    if (fault) return fault
  }
  return null
}

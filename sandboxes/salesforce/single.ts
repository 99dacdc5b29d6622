/** Calls for one record: create, read, change and delete by its id, or find and write it by an external id. */
import type { WireAnswer } from '../kit.ts'
import { shown } from './query.ts'
import { failure, missing } from './replies.ts'
import { faultOfFields, type RowResult, writeRow } from './rows.ts'
import type { Org, OrgRecord, Values } from './state.ts'
import { assignSet } from './system.ts'

export interface SingleCall {
  readonly version: string
  readonly method: string
  readonly object: string
  /** The path after the object: an id, or an external-id field and its value. */
  readonly rest: readonly string[]
  readonly parameters: URLSearchParams
  readonly body: unknown
  readonly saveDuplicates: boolean
}

export function single(org: Org, call: SingleCall): WireAnswer | undefined {
  const { method, object, rest } = call
  if (object === 'PermissionSetAssignment' && method === 'POST') {
    const assigned = assignSet(org, (call.body ?? {}) as Values)
    if ('code' in assigned) return failure(400, assigned.code, assigned.message)
    return { status: 201, body: { id: assigned.id, success: true, errors: [] } }
  }
  if (org.fields(object) === null) return missing
  const [key = '', value] = rest[0] === 'Id' ? rest.slice(1) : rest
  if (method === 'POST' && rest.length === 0) return written(org, call, undefined)
  if (rest.length > 2 || key === '') return undefined
  const found = value === undefined ? org.find(object, 'Id', key) : byExternalId(org, object, key, value)
  // A segment that cannot be an id names something else.
  if (found === null || (value === undefined && !/^[A-Za-z0-9]{15,18}$/.test(key))) return undefined
  if (found.length > 1) {
    const urls = found.map(({ id }) => `/services/data/v${call.version}/sobjects/${object}/${id}`)
    return { status: 300, body: urls }
  }
  const [record] = found
  const mayMake = method === 'PATCH' && value !== undefined && call.parameters.get('updateOnly') !== 'true'
  if (record === undefined) return mayMake ? written(org, call, undefined, { [key]: value }) : missing
  if (method === 'GET') return read(call, org, record)
  if (method === 'PATCH') return written(org, call, record)
  if (method !== 'DELETE') return undefined
  org.delete(record.id)
  return { status: 204 }
}

/** @returns null if the field is not an external id. */
function byExternalId(org: Org, object: string, field: string, value: string): readonly OrgRecord[] | null {
  const isKey = org.fields(object)?.some(({ name, externalId }) => name === field && externalId)
  return isKey ? org.find(object, field, value) : null
}

function read({ version, object, parameters }: SingleCall, org: Org, record: OrgRecord): WireAnswer {
  const requested = (parameters.get('fields') ?? '').split(',').filter(Boolean)
  const names = org.fields(object)?.map(({ name }) => name) ?? []
  const unknown = requested.find((name) => !names.includes(name))
  if (unknown !== undefined) return failure(400, 'INVALID_FIELD', `No such column '${unknown}' on entity '${object}'.`)
  return { status: 200, body: shown(record, version, requested.length > 0 ? ['Id', ...requested] : names) }
}

/** 201 for a new record, 200 for one found by external id, 204 for one found by its own id. */
function written(org: Org, call: SingleCall, present: OrgRecord | undefined, key: Values = {}): WireAnswer {
  const { object, body, rest, saveDuplicates } = call
  if (typeof body !== 'object' || body === null) return failure(400, 'JSON_PARSER_ERROR', 'the body is no object')
  const { attributes: _attributes, ...values } = body as Values
  const known = new Map((org.fields(object) ?? []).map((field) => [field.name, field]))
  const fault = faultOfFields(values, object, known)
  if (fault) return fault
  const result: RowResult = writeRow(org, { object, present, values: { ...values, ...key }, saveDuplicates })
  if (!result.success) {
    const errors = result.errors.map(({ statusCode, ...more }) => ({ errorCode: statusCode, ...more }))
    return { status: 400, body: errors }
  }
  if (present && rest.length === 1) return { status: 204 }
  return { status: present ? 200 : 201, body: { ...result, created: present === undefined } }
}

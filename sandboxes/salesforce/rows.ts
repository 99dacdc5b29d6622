/** Accepts or refuses one row as Salesforce does, whether it came alone, in a collection or in a bulk job. */
import type { WireAnswer } from '../kit.ts'
import type { SandboxField } from './fields.ts'
import { faultOfOwner, wholeId } from './people.ts'
import { failure } from './replies.ts'
import type { Org, OrgRecord, Values } from './state.ts'
import { mayChange } from './system.ts'

export interface RowError {
  readonly statusCode: string
  readonly message: string
  readonly fields: readonly string[]
  readonly duplicateResult?: unknown
}
export type RowResult =
  | { readonly id: string; readonly success: true; readonly errors: []; readonly created?: boolean }
  | { readonly success: false; readonly errors: readonly RowError[] }

export interface RowWrite {
  readonly object: string
  /** The record to change; undefined to create one. */
  readonly present: OrgRecord | undefined
  readonly values: Values
  /** True if the caller saves despite duplicate-rule warnings. */
  readonly saveDuplicates: boolean
}

/** Creates or changes the record, or returns why not. */
export function writeRow(org: Org, write: RowWrite): RowResult {
  const given = Object.entries(write.values).map(([name, value]) => [name, kept(name, value)] as const)
  const row = { ...write, values: Object.fromEntries(given) }
  const errors = faultsOfRow(org, row)
  if (errors.length > 0) return { success: false, errors }
  const { id } = org.save(row.object, row.present?.id ?? null, row.values)
  return { id, success: true, errors: [], created: row.present === undefined }
}

/** Faults for which the whole call is refused: unknown fields, and texts in number or date fields. */
export function faultOfFields(
  values: Readonly<Record<string, unknown>>,
  object: string,
  known: ReadonlyMap<string, SandboxField>,
): WireAnswer | null {
  for (const [name, value] of Object.entries(values)) {
    const field = known.get(name)
    if (!field) return failure(400, 'INVALID_FIELD', `No such column '${name}' on sobject of type ${object}`, [name])
    const isDay = isEmpty(value) || /^\d{4}-\d{2}-\d{2}$/.test(String(value))
    const isNumber = value === null || typeof value === 'number'
    const isSwitch = /^(true|false|null)$/.test(String(value))
    const isFault =
      (field.type === 'date' && !isDay) ||
      (field.type === 'double' && !isNumber) ||
      (field.type === 'boolean' && !isSwitch)
    if (isFault) {
      const message = `Cannot deserialize instance of ${field.type} from VALUE_STRING value ${value}`
      return failure(400, 'JSON_PARSER_ERROR', message)
    }
  }
  return null
}

/** All validation rules that refuse the row are reported together; of other faults, the first. */
function faultsOfRow(org: Org, row: RowWrite): readonly RowError[] {
  const { object, present, saveDuplicates } = row
  const own = faultOfOwnValues(org, row)
  if (own !== null) return [own]
  const merged = { ...present?.values, ...row.values }
  const rules = org.validationRules.filter((each) => each.object === object && merged[each.field] === each.refuses)
  if (rules.length > 0)
    return rules.map(({ message, field }) => ({
      ...{ statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message, fields: [field] },
    }))
  const last = duplicateFault(org, object, merged, present, saveDuplicates) ?? faultOfFullness(org, present)
  return last === null ? [] : [last]
}

function faultOfOwnValues(org: Org, { object, present, values }: RowWrite): RowError | null {
  if (present?.values['IsConverted'] === true)
    return { statusCode: 'CANNOT_UPDATE_CONVERTED_LEAD', message: 'cannot reference converted lead', fields: [] }
  if (present && !mayChange(org, present))
    return {
      statusCode: 'INSUFFICIENT_ACCESS_OR_READONLY',
      message: 'insufficient access rights on object id',
      fields: [],
    }
  if (present && org.inApproval.has(present.id))
    return { statusCode: 'ENTITY_IS_LOCKED', message: 'the entity is locked for editing', fields: [] }
  if (present && org.takeLock(present.id))
    return { statusCode: 'UNABLE_TO_LOCK_ROW', message: 'unable to obtain exclusive access to this record', fields: [] }
  const fields = org.fields(object) ?? []
  const merged = { ...present?.values, ...values }
  const missing = fields.filter(({ name, required }) => required && isEmpty(merged[name])).map(({ name }) => name)
  if (missing.length > 0) {
    const message = `Required fields are missing: [${missing.join(', ')}]`
    return { statusCode: 'REQUIRED_FIELD_MISSING', message, fields: missing }
  }
  for (const field of fields) {
    const value = values[field.name]
    if (field.name === 'OwnerId' && field.name in values && isEmpty(value))
      return {
        statusCode: 'INVALID_CROSS_REFERENCE_KEY',
        message: 'Owner ID: owner cannot be blank',
        fields: ['OwnerId'],
      }
    if (isEmpty(value)) continue
    const error = faultOfValue(org, object, field, value, present)
    if (error) return error
  }
  return null
}

function faultOfFullness({ full }: Org, present: OrgRecord | undefined): RowError | null {
  return full === null || present !== undefined ? null : { ...full, fields: [] }
}

/** A warning rule can be overridden by the caller; a blocking one cannot. */
function duplicateFault(
  org: Org,
  object: string,
  merged: Values,
  present: OrgRecord | undefined,
  saveDuplicates: boolean,
): RowError | null {
  for (const rule of org.duplicateRules) {
    if (rule.object !== object || (rule.allowSave && saveDuplicates)) continue
    const same = org.sameIn(object, rule.fields, merged).filter(({ id }) => id !== present?.id)
    if (same.length === 0) continue
    const matchRecords = same.map(({ id }) => ({
      matchConfidence: 100,
      record: { attributes: { type: object }, Id: id },
    }))
    const duplicateResult = {
      allowSave: rule.allowSave,
      duplicateRule: 'Standard_Rule',
      duplicateRuleEntityType: object,
      errorMessage: 'Use one of these records?',
      matchResults: [{ entityType: object, matchEngine: 'ExactMatchEngine', matchRecords, rule: 'Standard_Match' }],
    }
    return { statusCode: 'DUPLICATES_DETECTED', message: 'Use one of these records?', fields: [], duplicateResult }
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
  const offered = org.recordTypeLists[`${object}.${field.name}`] ?? field.allowed
  if (offered && !offered.includes(text)) {
    const message = `${field.label}: bad value for restricted picklist field: ${text}`
    return { statusCode: 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', message, fields }
  }
  const list =
    /(State|Country)$/.exec(field.name)?.[1] === 'State' ? org.addressLists?.states : org.addressLists?.countries
  if (/(State|Country)$/.test(field.name) && list && !Object.values(list).includes(text)) {
    const message = `There's a problem with this ${field.name.endsWith('State') ? 'state' : 'country'}, even though it may appear correct. Please select one from the list of valid ones.`
    return { statusCode: 'FIELD_INTEGRITY_EXCEPTION', message, fields }
  }
  if (field.type === 'email' && !/^[^\s@"<>]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)) {
    return { statusCode: 'INVALID_EMAIL_ADDRESS', message: `${field.label}: invalid email address: ${text}`, fields }
  }
  if (field.name === 'AccountId' && org.get(text)?.object !== 'Account') {
    return { statusCode: 'INVALID_CROSS_REFERENCE_KEY', message: `invalid cross reference id: ${text}`, fields }
  }
  const ownerFault = field.name === 'OwnerId' ? faultOfOwner(object, text) : null
  if (ownerFault !== null) return { ...ownerFault, fields }
  const other = field.unique ? org.find(object, field.name, value).find(({ id }) => id !== present?.id) : undefined
  if (other) {
    const message = `duplicate value found: ${field.name} duplicates value on record with id: ${other.id}`
    return { statusCode: 'DUPLICATE_VALUE', message, fields: [] }
  }
  return null
}

export interface Written {
  readonly result: RowResult
  readonly before?: OrgRecord | undefined
}

/** A trigger that is not bulkified exceeds a governor limit, and its transaction is rolled back. */
export function afterTriggers(org: Org, written: readonly Written[]): readonly Written[] {
  const count = written.filter(({ result }) => result.success).length
  if (count <= org.triggerRowsMax) return written
  const message = 'LeadTrigger: System.LimitException: Too many SOQL queries: 101'
  const stopped = refused('CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', message)
  return [...written]
    .reverse()
    .map((each) => (each.result.success ? { result: takenBack(org, each, stopped) } : each))
    .reverse()
}

export function takenBack(org: Org, { result, before }: Written, reason: RowResult): RowResult {
  if (!result.success) return result
  org.delete(result.id)
  org.dropMember(result.id)
  if (before) org.put(before)
  return reason
}

export const refused = (statusCode: string, message: string): RowResult => ({
  success: false,
  errors: [{ statusCode, message, fields: [] }],
})
export const isEmpty = (value: unknown) => value === undefined || value === null || value === ''
const kept = (name: string, value: Values[string]) =>
  typeof value !== 'string' ? value : name === 'OwnerId' ? wholeId(value.trim()) : value.trim()

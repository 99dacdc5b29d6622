/** The field endpoints: list, and create five per call. */
import { z } from 'zod'
import type { WireAnswer } from '../kit.ts'
import { failure, type Reply, refused, rowsAnswer } from './replies.ts'
import { standard } from './standard-fields.ts'
import type { Org } from './state.ts'

const fieldsPerCallMax = 5
const uniqueFieldsMax = 2

export function listFields(org: Org): WireAnswer {
  const operations = (readOnly: boolean) => ({
    web_update: !readOnly,
    api_create: !readOnly,
    web_create: !readOnly,
    api_update: !readOnly,
  })
  const fields = org.fields.map(({ requiredByLayout: _layout, ...field }) => ({
    ...field,
    field_read_only: field.read_only,
    operation_type: operations(field.read_only),
  }))
  return { status: 200, body: { fields } }
}

const lengths: Readonly<Record<string, number>> = {
  text: 255,
  integer: 9,
  double: 18,
  currency: 16,
  bigint: 18,
  date: 20,
}

const Definition = z.looseObject({
  field_label: z.string().min(1).max(50),
  data_type: z.string(),
  length: z.int().positive().optional(),
  unique: z.looseObject({}).optional(),
})

/** @param customFieldsMax the edition's limit. */
export function createFields(org: Org, body: unknown, customFieldsMax: number): WireAnswer {
  const list = z.object({ fields: z.array(z.unknown()).min(1) }).safeParse(body).data?.fields
  if (list === undefined) return failure(400, 'MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'fields' })
  if (list.length > fieldsPerCallMax)
    return failure(400, 'LIMIT_EXCEEDED', `at most ${fieldsPerCallMax} fields in a call`, { limit: fieldsPerCallMax })
  return rowsAnswer(
    'fields',
    list.map((field, n) => createField(org, field, n, customFieldsMax)),
    201,
  )
}

function createField(org: Org, body: unknown, n: number, customFieldsMax: number): Reply {
  const path = (name: string) => ({ api_name: name, json_path: `$.fields[${n}].${name}` })
  const parsed = Definition.safeParse(body)
  if (!parsed.success) return refused('INVALID_DATA', 'invalid data', path('field_label'))
  const { field_label: label, data_type: type, length = lengths[type], unique } = parsed.data
  const longest = lengths[type]
  if (longest === undefined || length === undefined) return refused('INVALID_DATA', 'invalid data', path('data_type'))
  if (length > longest) return refused('INVALID_DATA', 'invalid data', { ...path('length'), maximum_length: longest })
  const name = label.trim().replaceAll(/\W+/g, '_')
  if (org.everyField.some((field) => field.api_name === name || field.field_label === label))
    return refused('DUPLICATE_DATA', 'duplicate data', path('field_label'))
  if (org.everyField.filter((field) => field.custom_field).length >= customFieldsMax)
    return refused('LIMIT_EXCEEDED', 'the maximum number of custom fields is reached', { limit: customFieldsMax })
  if (unique && org.everyField.filter((field) => Object.keys(field.unique).length > 0).length >= uniqueFieldsMax)
    return refused('LIMIT_EXCEEDED', 'the maximum number of unique fields is reached', { limit: uniqueFieldsMax })
  org.addField({
    ...standard(name, type, length),
    field_label: label,
    crypt: null,
    custom_field: true,
    unique: unique ? { casesensitive: 'false' } : {},
  })
  return { code: 'SUCCESS', details: { id: org.newId() }, message: 'field created', status: 'success' }
}

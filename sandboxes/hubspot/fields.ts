/** The property endpoints: list, create one or many, and their groups. */
import { z } from 'zod'
import type { FieldChange } from '../contract.ts'
import type { WireAnswer } from '../kit.ts'
import { errorAnswer, limitFault, notFound, refusal, validationError } from './replies.ts'
import type { SandboxState, StoredProperty } from './state.ts'

const Definition = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,99}$/, 'must be lower-case letters, digits and underscores'),
  label: z.string().min(1),
  type: z.enum(['string', 'number', 'date', 'datetime', 'enumeration', 'bool', 'phone_number']),
  fieldType: z.string(),
  groupName: z.string(),
  hasUniqueValue: z.boolean().default(false),
  options: z.array(z.object({ label: z.string(), value: z.string(), hidden: z.boolean().default(false) })).default([]),
})

export function listProperties(state: SandboxState, object: string): WireAnswer {
  return { status: 200, body: { results: state.properties[object] ?? [] } }
}

export function readProperty(state: SandboxState, object: string, name: string): WireAnswer {
  const property = state.properties[object]?.find((each) => each.name === name)
  return property ? { status: 200, body: property } : notFound(`Property ${name} does not exist`)
}

/** 201 for a new property; 409 if the name is in use. */
export function createProperty(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = Definition.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { name, groupName } = parsed.data
  const properties = state.properties[object] ?? []
  if (properties.some((property) => property.name === name))
    return errorAnswer(409, 'OBJECT_ALREADY_EXISTS', `A property named '${name}' already exists.`)
  if (!state.groups[object]?.includes(groupName)) return validationError(`Property group ${groupName} does not exist`)
  const { propertiesMax } = state
  if (propertiesMax !== null && properties.filter((each) => each.groupName === groupName).length >= propertiesMax)
    return refusal(limitFault('custom properties', propertiesMax))
  const created: StoredProperty = parsed.data
  state.properties[object] = [...properties, created]
  return { status: 201, body: created }
}

export function createProperties(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = z.object({ inputs: z.array(z.unknown()).min(1).max(100) }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const answers = parsed.data.inputs.map((input) => createProperty(state, object, input))
  const results = answers.filter(({ status }) => status === 201).map((answer) => answer.body)
  const errors = answers.filter(({ status }) => status !== 201).map((answer) => answer.body)
  if (errors.length === 0) return { status: 201, body: { status: 'COMPLETE', results } }
  return { status: 207, body: { status: 'COMPLETE', results, numErrors: errors.length, errors } }
}

export function readProperties(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = z.object({ inputs: z.array(z.object({ name: z.string() })).min(1) }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const requested = new Set(parsed.data.inputs.map(({ name }) => name))
  const results = (state.properties[object] ?? []).filter(({ name }) => requested.has(name))
  return { status: 200, body: { status: 'COMPLETE', results } }
}

export function patchProperty(state: SandboxState, object: string, name: string, body: unknown): WireAnswer {
  const present = state.properties[object]?.find((each) => each.name === name)
  if (!present) return notFound(`Property ${name} does not exist`)
  const parsed = Definition.pick({ label: true, groupName: true }).partial().safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const changed = { ...present, ...parsed.data } as StoredProperty
  state.properties[object] = (state.properties[object] ?? []).map((each) => (each === present ? changed : each))
  return { status: 200, body: changed }
}

/** A manual change by an administrator; the internal name never changes, and no property is required. */
export function changeProperty(state: SandboxState, object: string, name: string, change: FieldChange): void {
  const { label, type, writable, values } = change
  const changed: Partial<StoredProperty> = {
    ...(label !== undefined && { label }),
    ...(type !== undefined && { type: type as StoredProperty['type'] }),
    ...(writable !== undefined && { modificationMetadata: { readOnlyValue: !writable } }),
    ...(values && { type: 'enumeration', options: values.map((value) => ({ label: value, value, hidden: false })) }),
  }
  state.properties[object] = (state.properties[object] ?? []).map((each) =>
    each.name === name ? { ...each, ...changed } : each,
  )
}

/** An administrator archives a property; the records' values are archived with it. */
export function archiveProperty(state: SandboxState, object: string, name: string): WireAnswer {
  const property = state.properties[object]?.find((each) => each.name === name)
  if (property === undefined) return { status: 204 }
  state.properties[object] = (state.properties[object] ?? []).filter((each) => each !== property)
  const values: Record<string, string> = {}
  for (const record of state.records.of(object)) {
    const { [name]: held } = record.properties
    if (held === undefined) continue
    values[record.id] = held
    delete record.properties[name]
    state.records.put(record)
  }
  const others = (state.archived[object] ?? []).filter((each) => each.property.name !== name)
  state.archived[object] = [...others, { property, values }]
  return { status: 204 }
}

/** Values of a property that was created again in the meantime are kept. */
export function restoreProperty(state: SandboxState, object: string, name: string): void {
  const found = state.archived[object]?.find(({ property }) => property.name === name)
  if (found === undefined) return
  state.archived[object] = (state.archived[object] ?? []).filter((each) => each !== found)
  const others = (state.properties[object] ?? []).filter((each) => each.name !== name)
  state.properties[object] = [...others, found.property]
  for (const [id, value] of Object.entries(found.values)) {
    const record = state.records.get(id)
    if (record === undefined || record.properties[name] !== undefined) continue
    record.properties[name] = value
    state.records.put(record)
  }
}

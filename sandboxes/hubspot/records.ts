/**
 * The record endpoints: batch upsert, batch read, batch archive, and reading and changing one record as a user does.
 */

import { z } from 'zod'
import type { WireAnswer } from '../kit.ts'
import { associationsOf } from './associations.ts'
import { storeWithCompany } from './automation.ts'
import { conflictFault, limitFault, notFound, type RowFault, refusal, rowFault, validationError } from './replies.ts'
import { findBy, findById, propertyOf, type SandboxState, type StoredRecord } from './state.ts'
import { valueFaults } from './validation.ts'

export const batchMax = 100

const UpsertInput = z.object({
  id: z.string(),
  idProperty: z.string().optional(),
  objectWriteTraceId: z.string().optional(),
  properties: z.record(z.string(), z.unknown()),
})
type UpsertInput = z.output<typeof UpsertInput>
const UpsertBody = z.object({ inputs: z.array(UpsertInput) })

export function batchUpsert(state: SandboxState, object: string, body: unknown, multiStatus: boolean): WireAnswer {
  const parsed = UpsertBody.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { inputs } = parsed.data
  const malformed = batchFault(state, object, inputs)
  if (malformed !== undefined) return validationError(malformed)
  const startedAt = new Date().toISOString()
  const traces = new Set(inputs.map((input) => input.objectWriteTraceId))
  const perRow = multiStatus && traces.size === inputs.length && !traces.has(undefined)
  if (!perRow) {
    // Without trace ids, nothing is written if one row is bad.
    for (const input of inputs) {
      const fault = faultOfInput(state, object, input)
      if (fault) return refusal(fault)
    }
  }
  const results: unknown[] = []
  const errors: unknown[] = []
  for (const input of inputs) {
    const fault = faultOfInput(state, object, input)
    if (fault) errors.push(multiStatusError(input, fault))
    else results.push(upsertOne(state, object, input))
  }
  const times = { startedAt, completedAt: new Date().toISOString() }
  if (errors.length === 0) return { status: 200, body: { status: 'COMPLETE', results, ...times } }
  return { status: 207, body: { status: 'COMPLETE', results, numErrors: errors.length, errors, ...times } }
}

function batchFault(state: SandboxState, object: string, inputs: readonly UpsertInput[]): string | undefined {
  if (inputs.length === 0) return 'inputs must not be empty'
  if (inputs.length > batchMax) return `The maximum number of inputs is ${batchMax}, got ${inputs.length}`
  for (const { idProperty = 'hs_object_id' } of inputs) {
    const definition = state.properties[object]?.find(({ name }) => name === idProperty)
    if (definition?.hasUniqueValue !== true || idProperty === 'hs_object_id')
      return `Unable to perform update/upsert by non-unique property ${idProperty} of ${object} in portal ID ${state.portalId}`
  }
  const ids = inputs.map(({ id }) => id.toLowerCase())
  const met = new Set<string>()
  const twice = ids.filter((id) => met.size === met.add(id).size)
  return twice.length > 0 ? `Duplicate IDs found in batch input: [${[...new Set(twice)].join(', ')}]` : undefined
}

export function faultOfInput(state: SandboxState, object: string, input: UpsertInput): RowFault | undefined {
  const definitions = state.properties[object] ?? []
  const faults = valueFaults(state, object, input.properties)
  if (faults.length > 0) return rowFault(faults)
  const own = findBy(state, object, input.idProperty ?? '', input.id)
  for (const { name } of definitions.filter(({ hasUniqueValue }) => hasUniqueValue)) {
    const value = input.properties[name]
    const holder = typeof value === 'string' && value !== '' ? findBy(state, object, name, value) : undefined
    if (holder && holder.id !== own?.id)
      return conflictFault(`${object === 'contacts' ? 'Contact' : 'Company'} already exists. Existing ID: ${holder.id}`)
  }
  const { recordsMax } = state
  const isFull = own === undefined && recordsMax !== null && [...state.records.of(object)].length >= recordsMax
  return isFull ? limitFault(object, recordsMax) : undefined
}

export function multiStatusError(input: UpsertInput, { status: _status, ...fault }: RowFault): unknown {
  const context = { ids: [input.id], objectWriteTraceId: [input.objectWriteTraceId] }
  return { status: 'error', ...fault, context, links: {} }
}

function upsertOne(state: SandboxState, object: string, input: UpsertInput): unknown {
  const { id, idProperty = '', objectWriteTraceId } = input
  const existing = findBy(state, object, idProperty, id)
  const values = Object.fromEntries(Object.entries(input.properties).map(([name, value]) => [name, textOf(value)]))
  const record = storeWithCompany(state, object, existing, existing ? values : { [idProperty]: id, ...values })
  return { ...shown(record, Object.keys(record.properties)), new: existing === undefined, objectWriteTraceId }
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A record as replies show it; requested properties without a value are null. */
export function shown(record: StoredRecord, names: readonly string[]) {
  const { id, createdAt, updatedAt } = record
  const requested = names.map((name) => [name, propertyOf(record, name) ?? null] as const)
  const always = { createdate: createdAt, hs_lastmodifieddate: updatedAt, hs_object_id: id }
  return { id, properties: { ...Object.fromEntries(requested), ...always }, createdAt, updatedAt, archived: false }
}

const ReadBody = z.object({
  idProperty: z.string().optional(),
  inputs: z.array(z.object({ id: z.string() })),
  properties: z.array(z.string()).default([]),
})

export function batchRead(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = ReadBody.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { idProperty = 'hs_object_id', inputs, properties } = parsed.data
  if (inputs.length > batchMax) return validationError(`The maximum number of inputs is ${batchMax}`)
  const definition = state.properties[object]?.find(({ name }) => name === idProperty)
  if (definition?.hasUniqueValue !== true) return validationError(`${idProperty} is no unique property of ${object}`)
  if (definition.type === 'number' && inputs.some(({ id }) => !Number.isFinite(Number(id))))
    return validationError(`${idProperty} is a number, and not every id is one`)
  const isById = idProperty === 'hs_object_id'
  const read = (id: string) => (isById ? findById(state, object, id) : findBy(state, object, idProperty, id))
  const found = inputs.map(({ id }) => ({ id, record: read(id) }))
  const results = found.flatMap(({ record }) => (record ? [shown(record, properties)] : []))
  const ids = found.flatMap(({ id, record }) => (record ? [] : [id]))
  const now = new Date().toISOString()
  const answer = { status: 'COMPLETE', results, startedAt: now, completedAt: now }
  if (ids.length === 0) return { status: 200, body: answer }
  const message = `Could not get some ${object} objects, they may be deleted or not exist. Check that ids are valid.`
  const error = { status: 'error', category: 'OBJECT_NOT_FOUND', message, context: { ids }, errors: [], links: {} }
  return { status: 207, body: { ...answer, numErrors: 1, errors: [error] } }
}

export function batchArchive(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = z.object({ inputs: z.array(z.object({ id: z.string() })) }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  for (const { id } of parsed.data.inputs) if (state.records.get(id)?.object === object) state.records.delete(id)
  return { status: 204 }
}

/** Permanent: it does not go into the recycle bin, and its associations are deleted too. */
export function gdprDelete(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = z.object({ objectId: z.string().min(1), idProperty: z.string().optional() }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { objectId, idProperty = 'hs_object_id' } = parsed.data
  const record = findBy(state, object, idProperty, objectId)
  if (record === undefined && idProperty !== 'email') return notFound('resource not found')
  if (record !== undefined) {
    state.records.delete(record.id)
    for (const pair of state.associations) if (pair.startsWith(`${record.id} `)) state.associations.delete(pair)
  }
  return { status: 204 }
}

/** By its id, or by the unique property that `idProperty` names. */
export function readOne(state: SandboxState, object: string, key: string, parameters: URLSearchParams): WireAnswer {
  const requested = (name: string) => (parameters.get(name) ?? '').split(',').filter(Boolean)
  const idProperty = parameters.get('idProperty')
  const id = decodeURIComponent(key)
  const record = idProperty === null ? findById(state, object, id) : findBy(state, object, idProperty, id)
  if (record === undefined) return notFound('resource not found')
  const names = [...Object.keys(record.properties), ...requested('properties')]
  const associations = associationsOf(state, object, record.id, requested('associations'))
  return { status: 200, body: { ...shown(record, names), ...associations } }
}

/** As users of the account and other apps do. */
export function createOrPatch(state: SandboxState, object: string, id: string | null, body: unknown): WireAnswer {
  const parsed = z.object({ properties: z.record(z.string(), z.unknown()) }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const existing = id === null ? undefined : findBy(state, object, 'hs_object_id', id)
  if (id !== null && !existing) return notFound('resource not found')
  const input = { id: id ?? '', idProperty: 'hs_object_id', properties: parsed.data.properties }
  const fault = faultOfInput(state, object, input)
  if (fault) return refusal(fault)
  const values = Object.fromEntries(Object.entries(input.properties).map(([name, value]) => [name, textOf(value)]))
  const record = storeWithCompany(state, object, existing, values)
  return { status: existing ? 200 : 201, body: shown(record, Object.keys(record.properties)) }
}

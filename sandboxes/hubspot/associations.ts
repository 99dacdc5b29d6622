/** Associations between contacts and companies: create, list and remove, singly and in batches. */
import { z } from 'zod'
import type { WireAnswer } from '../kit.ts'
import { notFound, validationError } from './replies.ts'
import type { SandboxState } from './state.ts'

const Body = z.object({
  inputs: z
    .array(z.object({ from: z.object({ id: z.string() }), to: z.object({ id: z.string() }) }))
    .min(1)
    .max(2_000),
})

/** 200, or 207 if a record of a pair does not exist. */
export function associateDefault(state: SandboxState, from: string, to: string, body: unknown): WireAnswer {
  const parsed = Body.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const results: unknown[] = []
  const errors: unknown[] = []
  for (const pair of parsed.data.inputs) {
    if (state.records.get(pair.from.id)?.object !== from || state.records.get(pair.to.id)?.object !== to) {
      const message = `No ${from} ${pair.from.id} or ${to} ${pair.to.id}`
      errors.push({ status: 'error', category: 'OBJECT_NOT_FOUND', message, context: {}, errors: [], links: {} })
      continue
    }
    const ids = from === 'contacts' ? [pair.from.id, pair.to.id] : [pair.to.id, pair.from.id]
    state.associations.add(ids.join(' '))
    results.push({
      ...pair,
      associationSpec: { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: from === 'contacts' ? 279 : 280 },
    })
  }
  const now = new Date().toISOString()
  const answer = { status: 'COMPLETE', results, startedAt: now, completedAt: now }
  if (errors.length === 0) return { status: 200, body: answer }
  return { status: 207, body: { ...answer, numErrors: errors.length, errors } }
}

/** @param byDefault false for an association with labels, which is accepted but not stored. */
export function associateOne(
  state: SandboxState,
  pair: { readonly from: string; readonly fromId: string; readonly to: string; readonly toId: string },
  byDefault: boolean,
): WireAnswer {
  const { from, fromId, to, toId } = pair
  const { status, body } = associateDefault(state, from, to, { inputs: [{ from: { id: fromId }, to: { id: toId } }] })
  if (status === 207) return notFound(`No ${from} ${fromId} or ${to} ${toId}`)
  if (byDefault) return { status, body }
  const types = { fromObjectTypeId: from, toObjectTypeId: to, labels: [] }
  return { status: 201, body: { ...types, fromObjectId: Number(fromId), toObjectId: Number(toId) } }
}

export function dissociate(state: SandboxState, from: string, fromId: string, toId: string): WireAnswer {
  state.associations.delete((from === 'contacts' ? [fromId, toId] : [toId, fromId]).join(' '))
  return { status: 204 }
}

const Archive = z.object({
  inputs: z.array(z.object({ from: z.object({ id: z.string() }), to: z.array(z.object({ id: z.string() })) })).min(1),
})

export function dissociateMany(state: SandboxState, from: string, body: unknown): WireAnswer {
  const parsed = Archive.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  for (const { from: one, to } of parsed.data.inputs) for (const { id } of to) dissociate(state, from, one.id, id)
  return { status: 204 }
}

export function readAssociations(state: SandboxState, from: string, body: unknown): WireAnswer {
  const parsed = z.object({ inputs: z.array(z.object({ id: z.string() })).min(1) }).safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const results = parsed.data.inputs.map(({ id }) => ({ from: { id }, to: associatedWith(state, from, id) }))
  const now = new Date().toISOString()
  return { status: 200, body: { status: 'COMPLETE', results, startedAt: now, completedAt: now } }
}

/** The association labels, with HubSpot's own numbers. */
export function listLabels(from: string): WireAnswer {
  const [primary, plain] = from === 'contacts' ? [1, 279] : [2, 280]
  const results = [
    { category: 'HUBSPOT_DEFINED', typeId: primary, label: 'Primary' },
    { category: 'HUBSPOT_DEFINED', typeId: plain, label: null },
  ]
  return { status: 200, body: { results } }
}

/** In the form in which a single record shows them, by the other object. */
export function associationsOf(state: SandboxState, object: string, id: string, others: readonly string[]) {
  const type = object === 'contacts' ? 'contact_to_company' : 'company_to_contact'
  const results = associatedWith(state, object, id).map(({ toObjectId }) => ({ id: toObjectId, type }))
  return others.length === 0 ? {} : { associations: Object.fromEntries(others.map((other) => [other, { results }])) }
}

export function listAssociations(state: SandboxState, object: string, id: string): WireAnswer {
  return { status: 200, body: { results: associatedWith(state, object, id) } }
}

function associatedWith(state: SandboxState, object: string, id: string) {
  const place = object === 'contacts' ? 0 : 1
  return [...state.associations]
    .map((pair) => pair.split(' '))
    .filter((pair) => pair[place] === id)
    .map((pair) => ({
      toObjectId: pair[1 - place],
      associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: place === 0 ? 279 : 280, label: null }],
    }))
}

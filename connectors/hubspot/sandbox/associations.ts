/** Associations between contacts and companies, without a label: made in batches, and listed for one record. */
import { z } from 'zod'
import type { WireAnswer } from '../../sandbox-kit.ts'
import { validationError } from './replies.ts'
import type { SandboxState } from './state.ts'

const Body = z.object({
  inputs: z
    .array(z.object({ from: z.object({ id: z.string() }), to: z.object({ id: z.string() }) }))
    .min(1)
    .max(2_000),
})

/** 200, or 207 where a record of a pair is not there. */
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

export function listAssociations(state: SandboxState, object: string, id: string): WireAnswer {
  const place = object === 'contacts' ? 0 : 1
  const results = [...state.associations]
    .map((pair) => pair.split(' '))
    .filter((pair) => pair[place] === id)
    .map((pair) => ({
      toObjectId: pair[1 - place],
      associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: place === 0 ? 279 : 280, label: null }],
    }))
  return { status: 200, body: { results } }
}

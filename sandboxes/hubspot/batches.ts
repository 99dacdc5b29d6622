/** Create, update and list as other programs of the account use them: rows in batches, and records page by page. */

import { z } from 'zod'
import type { WireAnswer } from '../kit.ts'
import { storeWithCompany } from './automation.ts'
import { batchMax, faultOfInput, multiStatusError, shown, textOf } from './records.ts'
import { notFound, refusal, validationError } from './replies.ts'
import { findBy, mergeRecords, type SandboxState, type StoredRecord } from './state.ts'

const pageMax = 100
const Input = z.object({
  id: z.string().optional(),
  idProperty: z.string().optional(),
  objectWriteTraceId: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
})
type Input = z.output<typeof Input>
const Body = z.object({ inputs: z.array(Input).min(1) })

export function batchCreate(state: SandboxState, object: string, body: unknown, multiStatus: boolean): WireAnswer {
  return eachInput(state, object, body, multiStatus, () => undefined, 201)
}

export function batchUpdate(state: SandboxState, object: string, body: unknown, multiStatus: boolean): WireAnswer {
  const found = ({ id = '', idProperty = 'hs_object_id' }: Input) => findBy(state, object, idProperty, id) ?? null
  return eachInput(state, object, body, multiStatus, found, 200)
}

/**
 * Without a trace id per row, nothing is written if one row is bad. @param find null if the row's record does not
 * exist.
 */
function eachInput(
  state: SandboxState,
  object: string,
  body: unknown,
  multiStatus: boolean,
  find: (input: Input) => StoredRecord | undefined | null,
  good: number,
): WireAnswer {
  const parsed = Body.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { inputs } = parsed.data
  if (inputs.length > batchMax)
    return validationError(`The maximum number of inputs is ${batchMax}, got ${inputs.length}`)
  const traces = new Set(inputs.map((input) => input.objectWriteTraceId))
  const perRow = multiStatus && traces.size === inputs.length && !traces.has(undefined)
  const faultOf = (input: Input) => {
    const present = find(input)
    if (present === null) return missing(input)
    return faultOfInput(state, object, { ...input, id: present?.id ?? '', idProperty: 'hs_object_id' })
  }
  const first = perRow ? undefined : inputs.map(faultOf).find((fault) => fault !== undefined)
  if (first) return refusal(first)
  const results: unknown[] = []
  const errors: unknown[] = []
  for (const input of inputs) {
    const fault = faultOf(input)
    if (fault) errors.push(multiStatusError({ ...input, id: input.id ?? '' }, fault))
    else results.push(saved(state, object, find(input) ?? undefined, input))
  }
  const now = new Date().toISOString()
  const answer = { status: 'COMPLETE', results, startedAt: now, completedAt: now }
  if (errors.length === 0) return { status: good, body: answer }
  return { status: 207, body: { ...answer, numErrors: errors.length, errors } }
}

function missing({ id }: Input) {
  return { status: 404, category: 'OBJECT_NOT_FOUND', message: `No record ${id}`, errors: [] }
}

function saved(state: SandboxState, object: string, present: StoredRecord | undefined, input: Input): unknown {
  const values = Object.entries(input.properties).map(([name, value]) => [name, textOf(value)] as const)
  const record = storeWithCompany(state, object, present, Object.fromEntries(values))
  const { objectWriteTraceId } = input
  return { ...shown(record, Object.keys(record.properties)), ...(objectWriteTraceId ? { objectWriteTraceId } : {}) }
}

/** `after` is the id of the last record on the previous page. */
export function listRecords(state: SandboxState, object: string, parameters: URLSearchParams): WireAnswer {
  const limit = Math.min(Number(parameters.get('limit') ?? 10), pageMax)
  const after = Number(parameters.get('after') ?? 0)
  const names = (parameters.get('properties') ?? '').split(',').filter(Boolean)
  const left = [...state.records.of(object)]
    .filter(({ id }) => Number(id) > after)
    .sort((a, b) => Number(a.id) - Number(b.id))
  const page = left.slice(0, limit)
  const last = page.at(-1)
  const paging = left.length > limit && last ? { paging: { next: { after: last.id } } } : {}
  return { status: 200, body: { results: page.map((record) => shown(record, names)), ...paging } }
}

export function archiveOne(state: SandboxState, object: string, id: string): WireAnswer {
  if (state.records.get(id)?.object !== object) return notFound('resource not found')
  state.records.delete(id)
  return { status: 204 }
}

const Merge = z.object({ primaryObjectId: z.string(), objectIdToMerge: z.string() })

/** The remaining record has a new id, and is also found by both previous ones. */
export function mergeTwo(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = Merge.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { primaryObjectId: winner, objectIdToMerge: loser } = parsed.data
  const isMissing = [winner, loser].find((id) => state.records.get(id)?.object !== object)
  if (isMissing !== undefined) return notFound(`No ${object} ${isMissing}`)
  const record = state.records.get(mergeRecords(state, loser, winner))
  return record ? { status: 200, body: shown(record, Object.keys(record.properties)) } : notFound('resource not found')
}

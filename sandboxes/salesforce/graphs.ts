/**
 * Composite graphs: up to 75 per call, 500 records in total. Each graph is written completely or not at all; a record
 * may refer to the id of an earlier one, `@{account.id}`.
 */
import type { WireAnswer } from '../kit.ts'
import { failure } from './replies.ts'
import { single } from './single.ts'
import type { Org, OrgRecord } from './state.ts'

const graphsMax = 75
const nodesMax = 500

interface Node {
  readonly method?: unknown
  readonly url?: unknown
  readonly referenceId?: unknown
  readonly body?: unknown
  readonly httpHeaders?: Readonly<Record<string, unknown>>
}

export function graphs(org: Org, version: string, body: unknown): WireAnswer {
  const list = (body as { graphs?: unknown } | null)?.graphs
  if (!Array.isArray(list) || list.length === 0 || list.length > graphsMax)
    return failure(400, 'INVALID_INPUT', `between 1 and ${graphsMax} graphs`)
  const read = list.map(({ graphId, compositeRequest }: { graphId?: unknown; compositeRequest?: unknown }) => ({
    graphId,
    nodes: (Array.isArray(compositeRequest) ? compositeRequest : []) as readonly Node[],
  }))
  if (read.reduce((sum, { nodes }) => sum + nodes.length, 0) > nodesMax)
    return failure(400, 'INVALID_INPUT', `at most ${nodesMax} nodes`)
  return { status: 200, body: { graphs: read.map(({ graphId, nodes }) => one(org, version, graphId, nodes)) } }
}

function one(org: Org, version: string, graphId: unknown, nodes: readonly Node[]) {
  const before: (() => void)[] = []
  const ids = new Map<string, string>()
  const answers: WireAnswer[] = []
  for (const node of nodes) {
    const { answer, undo } = write(org, version, node, ids)
    answers.push(answer)
    if (answer.status >= 300) break
    before.push(undo)
    const id = (answer.body as { id?: unknown } | undefined)?.id
    if (typeof id === 'string') ids.set(String(node.referenceId), id)
  }
  const isSuccessful = answers.length === nodes.length && answers.every(({ status }) => status < 300)
  if (!isSuccessful) for (const undo of before.reverse()) undo()
  const compositeResponse = nodes.map(({ referenceId }, n) => {
    const answer = answers[n]
    const reply = isSuccessful || (answer !== undefined && answer.status >= 300) ? answer : halted
    return { body: reply?.body ?? null, httpHeaders: {}, httpStatusCode: reply?.status, referenceId }
  })
  return { graphId, graphResponse: { compositeResponse }, isSuccessful }
}

const halted = failure(
  400,
  'PROCESSING_HALTED',
  'The transaction was rolled back since another operation in the same transaction failed.',
)

function write(
  org: Org,
  version: string,
  { method, url, body, httpHeaders = {} }: Node,
  ids: ReadonlyMap<string, string>,
): { readonly answer: WireAnswer; undo(): void } {
  const path = /^\/services\/data\/v\d+\.\d\/sobjects\/(.+)$/.exec(String(url))?.[1] ?? ''
  const [object = '', ...rest] = path.split('/').map(decodeURIComponent)
  const { fault, values } = withIds(body, ids)
  if (fault !== null) return { answer: failure(400, 'INVALID_INPUT', fault), undo: () => {} }
  const saveDuplicates = /allowSave=true/i.test(String(httpHeaders['Sforce-Duplicate-Rule-Header'] ?? ''))
  const call = { version, method: String(method), object, rest, parameters: new URLSearchParams(), body: values }
  const known = presentOf(org, object, rest)
  const kept = known && { ...known, values: { ...known.values } }
  const answer = single(org, { ...call, saveDuplicates }) ?? failure(404, 'NOT_FOUND', 'no such resource')
  const made = (answer.body as { id?: unknown } | undefined)?.id
  return {
    answer,
    undo() {
      if (kept) org.put(kept)
      else if (typeof made === 'string') org.delete(made)
    },
  }
}

function presentOf(org: Org, object: string, [key = '', value]: readonly string[]): OrgRecord | undefined {
  if (key === '') return undefined
  return value === undefined ? org.get(key) : org.find(object, key, value)[0]
}

function withIds(body: unknown, ids: ReadonlyMap<string, string>) {
  let fault: string | null = null
  const values = Object.entries((body ?? {}) as Record<string, unknown>).map(([name, value]) => {
    const reference = /^@\{(\w+)\.id\}$/.exec(String(value))?.[1]
    if (reference === undefined) return [name, value] as const
    const id = ids.get(reference)
    if (id === undefined) fault = `Invalid reference specified. No value for ${reference}.id found`
    return [name, id] as const
  })
  return { fault: fault as string | null, values: Object.fromEntries(values) }
}

/** Tags of Leads: list, and add to records, a hundred at a time. The API cannot create, rename or remove them here. */
import type { WireAnswer } from '../kit.ts'
import { failure, type Reply, refused, rowsAnswer } from './replies.ts'
import type { Org } from './state.ts'

const tags = [
  { id: '4150868000000781001', name: 'Goa' },
  { id: '4150868000000781002', name: 'Exporter' },
]
const idsMax = 100
/** Per record. */
const tagsMax = 10

export function listTags(parameters: URLSearchParams): WireAnswer {
  if (parameters.get('module') !== 'Leads')
    return failure(400, 'INVALID_MODULE', 'the module name given seems to be invalid')
  return { status: 200, body: { tags, info: { count: tags.length, allowed_count: 200 } } }
}

export const membersOf = (org: Org, tag: string): readonly string[] => org.tagged[tag] ?? []

/** A real org creates a tag for an unknown name; here it is refused, as no connector should send one. */
export function addTags(org: Org, body: unknown): WireAnswer {
  const { tags: given, ids } = (body ?? {}) as { tags?: { name?: unknown }[]; ids?: unknown[] }
  if (!Array.isArray(given) || given.length === 0)
    return failure(400, 'MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'tags' })
  if (!Array.isArray(ids) || ids.length === 0)
    return failure(400, 'MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'ids' })
  if (ids.length > idsMax) return failure(400, 'LIMIT_EXCEEDED', `at most ${idsMax} records`)
  const known = tags.filter(({ name }) => given.some((each) => each.name === name))
  if (known.length < given.length)
    return failure(400, 'INVALID_DATA', 'not in this sandbox: a new tag', { api_name: 'name' })
  const replies = ids.map((id): Reply => {
    const record = String(id)
    if (org.get(record) === undefined)
      return refused('INVALID_DATA', 'the id given seems to be invalid', { id: record, api_name: 'id' })
    const held = tags.filter((tag) => membersOf(org, tag.id).includes(record) || known.includes(tag))
    if (held.length > tagsMax)
      return refused('LIMIT_EXCEEDED', `a record has at most ${tagsMax} tags`, { id: record, api_name: 'tags' })
    for (const tag of known) org.tagged[tag.id] = [...new Set([...membersOf(org, tag.id), record])]
    return {
      code: 'SUCCESS',
      details: { id: record, tags: held.map(({ name }) => name) },
      message: 'tags updated successfully',
      status: 'success',
    }
  })
  return rowsAnswer('data', replies, 200)
}

/**
 * Lists of the account; apps can fill the static ones. Existing members and unknown records are skipped, and only the
 * latter are reported; an active list accepts no members. Statuses and categories of refusals are documented, their
 * messages are invented.
 */
import { parseJson, type WireAnswer } from '../kit.ts'
import { errorAnswer, missingScopes, notFound, notInSandbox, validationError } from './replies.ts'
import { findById, type SandboxState } from './state.ts'

export interface StoredList {
  readonly listId: string
  readonly name: string
  readonly objectTypeId: '0-1' | '0-2'
  readonly processingType: 'MANUAL' | 'SNAPSHOT' | 'DYNAMIC'
}

const list = (
  listId: string,
  name: string,
  objectTypeId: StoredList['objectTypeId'],
  processingType: StoredList['processingType'] = 'MANUAL',
): StoredList => ({ listId, name, objectTypeId, processingType })

const lists = [
  list('21', 'Goa launch', '0-2'),
  list('22', 'Exporters', '0-2', 'SNAPSHOT'),
  list('23', 'All companies of Goa', '0-2', 'DYNAMIC'),
  list('24', 'Directors to invite', '0-1'),
]
const objects = { '0-1': 'contacts', '0-2': 'companies' } as const
const path = /^\/crm\/(?:lists\/2026-03|v3\/lists)(?:\/(.*))?$/
const idsMax = 100_000
const pageMax = 500

/** @returns undefined for calls to other endpoints. */
export function listsRoute(
  state: SandboxState,
  { method, path: pathname, text }: { method: string; path: string; text: string },
): WireAnswer | undefined {
  if (!path.test(pathname)) return undefined
  const [, rest = ''] = path.exec(pathname) ?? []
  const act = `${method} ${rest}`
  const scope = `crm.lists.${method === 'GET' || rest === 'search' ? 'read' : 'write'}`
  if (state.withheldScopes.includes(scope)) return missingScopes([scope])
  const body = parseJson(text)
  if (act === 'POST search') return search(body)
  const [, id = ''] = /^PUT (\w+)\/memberships\/add$/.exec(act) ?? []
  if (id !== '') return add(state, id, body)
  const [, shown = ''] = /^GET (\w+)\/memberships$/.exec(act) ?? []
  if (shown === '') return notInSandbox(method, pathname)
  return { status: 200, body: { results: membersOf(state, shown).map((recordId) => ({ recordId })) } }
}

export const membersOf = (state: SandboxState, id: string): readonly string[] => state.members[id] ?? []

function search(body: unknown): WireAnswer {
  const { query = '', count = 20, offset = 0 } = (body ?? {}) as { query?: string; count?: number; offset?: number }
  if (count > pageMax) return validationError(`count must be at most ${pageMax}`)
  const found = lists.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
  const next = Math.min(offset + count, found.length)
  return {
    status: 200,
    body: { total: found.length, hasMore: next < found.length, offset: next, lists: found.slice(offset, next) },
  }
}

function add(state: SandboxState, id: string, body: unknown): WireAnswer {
  const known = lists.find(({ listId }) => listId === id)
  if (known === undefined) return notFound(`List does not exist with ID ${id}.`)
  if (known.processingType === 'DYNAMIC')
    return errorAnswer(400, 'VALIDATION_ERROR', `List ${id} is DYNAMIC: its memberships cannot be changed by hand.`)
  if (!Array.isArray(body)) return validationError('Invalid input JSON')
  if (body.length > idsMax) return validationError(`At most ${idsMax} records can be added at once.`)
  const ids = [...new Set(body.map(String))]
  const object = objects[known.objectTypeId]
  const missing = ids.filter((each) => findById(state, object, each) === undefined)
  const before = membersOf(state, id)
  const added = ids.filter((each) => !missing.includes(each) && !before.includes(each))
  state.members[id] = [...before, ...added]
  return { status: 200, body: { recordsIdsAdded: added, recordIdsMissing: missing, recordIdsRemoved: [] } }
}

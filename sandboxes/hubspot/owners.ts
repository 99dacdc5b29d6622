/** Users of the account who may own records, one of whom has left. The API can neither create nor change them. */
import type { WireAnswer } from '../kit.ts'
import { missingScopes, notFound } from './replies.ts'
import type { SandboxState } from './state.ts'

const owner = (id: string, firstName: string, email: string, archived = false) => ({
  ...{ id, email, firstName, lastName: 'Sandbox', type: 'PERSON', userId: archived ? null : Number(id) - 41_000_000 },
  ...{ createdAt: '2024-01-02T03:04:05.678Z', updatedAt: '2024-01-02T03:04:05.678Z', archived },
})

const owners = [
  owner('41629779', 'Asha', 'asha@sandbox.example.com'),
  owner('41629780', 'Ravi', 'ravi@sandbox.example.com'),
  owner('41629781', 'Meera', 'meera@sandbox.example.com', true),
]

const path = /^\/crm\/(?:owners\/2026-03|v3\/owners)\/?(\d*)$/
const scope = 'crm.objects.owners.read'
const pageMax = 500

/** @returns undefined for calls to other endpoints. */
export function ownersRoute(
  state: SandboxState,
  { method, path: pathname, parameters }: { method: string; path: string; parameters: URLSearchParams },
): WireAnswer | undefined {
  const [, id] = path.exec(pathname) ?? []
  if (id === undefined || method !== 'GET') return undefined
  if (state.withheldScopes.includes(scope)) return missingScopes([scope])
  const archived = parameters.get('archived') === 'true'
  const listed = ownersOf(state).filter((each) => each.archived === archived)
  if (id !== '') {
    const found = listed.find((each) => each.id === id)
    return found ? { status: 200, body: found } : notFound('resource not found')
  }
  const email = parameters.get('email')?.toLowerCase()
  const asking = listed.filter((each) => email === undefined || each.email === email)
  const size = Math.min(Number(parameters.get('limit') ?? 100), pageMax)
  const from = Number(parameters.get('after') ?? 0)
  const after = String(from + size)
  const paging = asking.length > from + size ? { paging: { next: { after } } } : {}
  return { status: 200, body: { results: asking.slice(from, from + size), ...paging } }
}

const ownersOf = ({ ownersLeft }: SandboxState) =>
  owners.map((each) => (ownersLeft.includes(each.email) ? { ...each, archived: true, userId: null } : each))

/** Archived owners cannot be assigned. */
export const isOwner = (state: SandboxState, id: string): boolean =>
  ownersOf(state).some((each) => each.id === id && !each.archived)

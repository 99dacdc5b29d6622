/** Routes calls by method and path. Dated paths and the older `v3` ones lead to the same handlers. */
import type { ConsentDesk } from '../consent.ts'
import { formOf, parseJson, type WireAnswer } from '../kit.ts'
import {
  associateDefault,
  associateOne,
  dissociate,
  dissociateMany,
  listAssociations,
  listLabels,
  readAssociations,
} from './associations.ts'
import { archiveOne, batchCreate, batchUpdate, listRecords, mergeTwo } from './batches.ts'
import {
  archiveProperty,
  createProperties,
  createProperty,
  listProperties,
  patchProperty,
  readProperties,
  readProperty,
} from './fields.ts'
import { createGroup, groupRoute, listGroups } from './groups.ts'
import { createImport, readImports, readParts } from './imports.ts'
import { listsRoute } from './lists.ts'
import { grant } from './oauth.ts'
import { ownersRoute } from './owners.ts'
import { batchArchive, batchRead, batchUpsert, createOrPatch, gdprDelete, readOne } from './records.ts'
import { missingScopes, notInSandbox, unauthorized, validationError } from './replies.ts'
import { search } from './search.ts'
import type { SandboxState } from './state.ts'

export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly parameters: URLSearchParams
  readonly contentType: string
  readonly authorization: string | undefined
  readonly text: string
}

export interface RouteOptions {
  /** Issues a new refresh token at each refresh and invalidates the previous one. */
  readonly rotateRefreshTokens: boolean
  /** False for accounts that refuse a whole batch although its rows have trace ids. */
  readonly multiStatus: boolean
  readonly consent: ConsentDesk
}

const tokenPath = /^\/oauth\/(2026-03|v3|v1)\/token$/
const objectPath = /^\/crm\/(?:objects\/2026-03|v3\/objects)\/(\w+)(?:\/(.*))?$/
const propertyPath = /^\/crm\/(?:properties\/2026-03|v3\/properties)\/(\w+)(?:\/(.*))?$/
const linkBatchPath =
  /^\/crm\/(?:associations\/2026-03|v4\/associations)\/(contacts|companies)\/(contacts|companies)\/batch\/([\w/]+)$/
const linkPath =
  /^\/crm\/(?:objects\/2026-03|v4\/objects)\/(contacts|companies)\/(\w+)\/associations\/(default\/)?(contacts|companies)(?:\/(\w+))?$/
const labelsPath =
  /^\/crm\/(?:associations\/2026-03|v4\/associations)\/(contacts|companies)\/(contacts|companies)\/labels$/
const importPath = /^\/crm\/(?:imports\/2026-03|v3\/imports)(?:\/(.*))?$/
const detailsPath = /^\/account-info\/(2026-03|v3)\/details$/
const usagePath = /^\/account-info\/(2026-03|v3)\/api-usage\/daily\/private-apps$/

export function route(
  state: SandboxState,
  request: WireRequest,
  options: RouteOptions,
): WireAnswer | Promise<WireAnswer> {
  const { method, path, text } = request
  if (method === 'POST' && tokenPath.test(path))
    return grant(state, formOf(text), { rotate: options.rotateRefreshTokens, consent: options.consent })
  const bearer = request.authorization?.replace(/^Bearer /, '') ?? ''
  if (bearer !== state.credentials.privateAppToken && !state.accessTokens.includes(bearer))
    return unauthorized(bearer.startsWith('sandbox-access-') ? 'EXPIRED_AUTHENTICATION' : 'INVALID_AUTHENTICATION')
  if (method === 'GET' && detailsPath.test(path)) return accountDetails(state)
  if (method === 'GET' && usagePath.test(path)) return usage(state)
  const [, fromObject, toObject] = labelsPath.exec(path) ?? []
  if (method === 'GET' && fromObject && toObject && fromObject !== toObject) return listLabels(fromObject)
  const people = ownersRoute(state, request) ?? listsRoute(state, request)
  if (people !== undefined) return people
  const linking = associations(state, method, path, text)
  if (linking !== undefined) return linking
  const [, importRest] = importPath.exec(path) ?? []
  if (importRest !== undefined || importPath.test(path)) return importRoute(state, request, importRest ?? '')
  const [, object = '', rest = ''] = objectPath.exec(path) ?? propertyPath.exec(path) ?? []
  if (!(object in state.properties)) return notInSandbox(method, path)
  const body = text === '' ? undefined : parseJson(text)
  if (text !== '' && body === undefined) return validationError('Invalid input JSON')
  const isObject = objectPath.test(path)
  const scope = scopeOf(method, object, rest, isObject)
  if (state.withheldScopes.includes(scope)) return missingScopes([scope])
  const answer = isObject
    ? objectRoute(state, { ...request, object, rest, body, multiStatus: options.multiStatus })
    : propertyRoute(state, `${method} ${rest}`, object, body)
  return answer ?? notInSandbox(method, path)
}

function associations(state: SandboxState, method: string, path: string, text: string): WireAnswer | undefined {
  const [, from = '', to = '', act = ''] = linkBatchPath.exec(path) ?? []
  const [, object = '', id = '', byDefault, other = '', otherId = ''] = linkPath.exec(path) ?? []
  const writer = from || object
  if (writer === '' || (from === to) !== (from === '')) return undefined
  const scope = `crm.objects.${writer}.${method === 'GET' || act === 'read' ? 'read' : 'write'}`
  if (state.withheldScopes.includes(scope)) return missingScopes([scope])
  if (from !== '') return method === 'POST' ? linkBatch(state, from, to, act, parseJson(text)) : undefined
  if (method === 'GET' && otherId === '') return listAssociations(state, object, id)
  if (method === 'PUT' && otherId !== '')
    return associateOne(state, { from: object, fromId: id, to: other, toId: otherId }, byDefault !== undefined)
  return method === 'DELETE' && byDefault === undefined ? dissociate(state, object, id, otherId) : undefined
}

function linkBatch(state: SandboxState, from: string, to: string, act: string, body: unknown): WireAnswer | undefined {
  if (act === 'associate/default') return associateDefault(state, from, to, body)
  if (act === 'create') {
    const answer = associateDefault(state, from, to, body)
    return answer.status === 200 ? { ...answer, status: 201 } : answer
  }
  if (act === 'archive') return dissociateMany(state, from, body)
  return act === 'read' ? readAssociations(state, from, body) : undefined
}

async function importRoute(state: SandboxState, request: WireRequest, rest: string): Promise<WireAnswer> {
  const { method, contentType, text } = request
  if (method === 'GET') return readImports(state, rest)
  if (method !== 'POST' || rest !== '' || !contentType.startsWith('multipart/form-data'))
    return notInSandbox(method, request.path)
  return createImport(state, await readParts(contentType, text))
}

function scopeOf(method: string, object: string, rest: string, isObject: boolean): string {
  const reads = method === 'GET' || rest === 'batch/read' || rest === 'search'
  return `crm.${isObject ? 'objects' : 'schemas'}.${object}.${reads ? 'read' : 'write'}`
}

interface ObjectCall {
  readonly method: string
  readonly parameters: URLSearchParams
  readonly object: string
  readonly rest: string
  readonly body: unknown
  readonly multiStatus: boolean
}

function objectRoute(state: SandboxState, { method, parameters, object, rest, body, multiStatus }: ObjectCall) {
  if (method === 'POST' && rest === 'batch/upsert') return batchUpsert(state, object, body, multiStatus)
  if (method === 'POST' && rest === 'batch/create') return batchCreate(state, object, body, multiStatus)
  if (method === 'POST' && rest === 'batch/update') return batchUpdate(state, object, body, multiStatus)
  if (method === 'POST' && rest === 'search') return search(state, object, body)
  if (method === 'POST' && rest === 'batch/read') return batchRead(state, object, body)
  if (method === 'POST' && rest === 'batch/archive') return batchArchive(state, object, body)
  if (method === 'POST' && rest === 'gdpr-delete' && object === 'contacts') return gdprDelete(state, object, body)
  if (method === 'POST' && rest === 'merge') return mergeTwo(state, object, body)
  if (method === 'POST' && rest === '') return createOrPatch(state, object, null, body)
  if (method === 'PATCH') return createOrPatch(state, object, rest, body)
  if (method === 'DELETE') return archiveOne(state, object, rest)
  if (method !== 'GET') return undefined
  return rest === '' ? listRecords(state, object, parameters) : readOne(state, object, rest, parameters)
}

function propertyRoute(state: SandboxState, act: string, object: string, body: unknown) {
  if (act === 'GET ') return listProperties(state, object)
  if (act === 'POST ') return createProperty(state, object, body)
  if (act === 'POST batch/create') return createProperties(state, object, body)
  if (act === 'POST batch/read') return readProperties(state, object, body)
  if (act === 'GET groups') return listGroups(state, object)
  const [, method = '', group = ''] = /^(\w+) groups\/(.+)$/.exec(act) ?? []
  if (group !== '') return groupRoute(state, method, object, group, body)
  if (act.startsWith('PATCH ')) return patchProperty(state, object, act.slice('PATCH '.length), body)
  if (act.startsWith('GET ')) return readProperty(state, object, act.slice('GET '.length))
  if (act === 'POST groups') return createGroup(state, object, body)
  return act.startsWith('DELETE ') ? archiveProperty(state, object, act.slice('DELETE '.length)) : undefined
}

function accountDetails({ portalId }: SandboxState): WireAnswer {
  const body = { portalId, accountType: 'DEVELOPER_TEST', timeZone: 'Asia/Kolkata', uiDomain: 'app.hubspot.com' }
  return { status: 200, body }
}

function usage(state: SandboxState): WireAnswer {
  const use = { name: 'private-apps-api-calls-daily', usageLimit: state.callsMax, currentUsage: state.callsToday }
  return { status: 200, body: { results: [{ ...use, fetchStatus: 'SUCCESS' }] } }
}

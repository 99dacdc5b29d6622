/** Method and path in, answer out. Dated paths and the legacy `v3` ones lead to the same handlers. */
import { formOf, parseJson, type WireAnswer } from '../../sandbox-kit.ts'
import { associateDefault, listAssociations } from './associations.ts'
import {
  archiveProperty,
  createGroup,
  createProperties,
  createProperty,
  listGroups,
  listProperties,
  readProperty,
} from './fields.ts'
import { grant } from './oauth.ts'
import { batchArchive, batchRead, batchUpsert, createOrPatch, gdprDelete, readOne } from './records.ts'
import { missingScopes, notFound, unauthorized, validationError } from './replies.ts'
import { dailyCallsMax, portalId, type SandboxState } from './state.ts'

export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly text: string
}

export interface RouteOptions {
  /** Gives out a new refresh token at each refresh and forgets the old one. */
  readonly rotateRefreshTokens: boolean
  /** False for accounts that refuse a whole batch although its rows carry trace ids. */
  readonly multiStatus: boolean
}

const tokenPath = /^\/oauth\/(2026-03|v3|v1)\/token$/
const objectPath = /^\/crm\/(?:objects\/2026-03|v3\/objects)\/(\w+)(?:\/(.*))?$/
const propertyPath = /^\/crm\/(?:properties\/2026-03|v3\/properties)\/(\w+)(?:\/(.*))?$/
const associatePath =
  /^\/crm\/(?:associations\/2026-03|v4\/associations)\/(contacts|companies)\/(contacts|companies)\/batch\/associate\/default$/
const associatedPath =
  /^\/crm\/(?:objects\/2026-03|v4\/objects)\/(contacts|companies)\/(\w+)\/associations\/(?:contacts|companies)$/
const detailsPath = /^\/account-info\/(2026-03|v3)\/details$/
const usagePath = /^\/account-info\/(2026-03|v3)\/api-usage\/daily\/private-apps$/

export function route(state: SandboxState, request: WireRequest, options: RouteOptions): WireAnswer {
  const { method, path, text } = request
  if (method === 'POST' && tokenPath.test(path)) return grant(state, formOf(text), options.rotateRefreshTokens)
  const bearer = request.authorization?.replace(/^Bearer /, '') ?? ''
  if (bearer !== state.credentials.privateAppToken && !state.accessTokens.includes(bearer))
    return unauthorized(bearer.startsWith('sandbox-access-') ? 'EXPIRED_AUTHENTICATION' : 'INVALID_AUTHENTICATION')
  if (method === 'GET' && detailsPath.test(path)) return accountDetails()
  if (method === 'GET' && usagePath.test(path)) return usage(state)
  const linking = associations(state, method, path, text)
  if (linking !== undefined) return linking
  const [, object = '', rest = ''] = objectPath.exec(path) ?? propertyPath.exec(path) ?? []
  if (!(object in state.properties)) return notFound(`Unable to infer object type from: ${object || path}`)
  const body = text === '' ? undefined : parseJson(text)
  if (text !== '' && body === undefined) return validationError('Invalid input JSON')
  const isObject = objectPath.test(path)
  const scope = scopeOf(method, object, rest, isObject)
  if (state.withheldScopes.includes(scope)) return missingScopes([scope])
  const answer = isObject
    ? objectRoute(state, { method, object, rest, body, multiStatus: options.multiStatus })
    : propertyRoute(state, `${method} ${rest}`, object, body)
  return answer ?? notFound(`No handler for ${method} ${path}`)
}

function associations(state: SandboxState, method: string, path: string, text: string): WireAnswer | undefined {
  const [, from = '', to = ''] = (method === 'POST' && associatePath.exec(path)) || []
  if (from !== '' && from !== to) {
    const scope = `crm.objects.${from}.write`
    if (state.withheldScopes.includes(scope)) return missingScopes([scope])
    return associateDefault(state, from, to, parseJson(text))
  }
  const [, object = '', id = ''] = (method === 'GET' && associatedPath.exec(path)) || []
  return object === '' ? undefined : listAssociations(state, object, id)
}

function scopeOf(method: string, object: string, rest: string, isObject: boolean): string {
  const reads = method === 'GET' || rest === 'batch/read'
  return `crm.${isObject ? 'objects' : 'schemas'}.${object}.${reads ? 'read' : 'write'}`
}

interface ObjectCall {
  readonly method: string
  readonly object: string
  readonly rest: string
  readonly body: unknown
  readonly multiStatus: boolean
}

function objectRoute(state: SandboxState, { method, object, rest, body, multiStatus }: ObjectCall) {
  if (method === 'POST' && rest === 'batch/upsert') return batchUpsert(state, object, body, multiStatus)
  if (method === 'POST' && rest === 'batch/read') return batchRead(state, object, body)
  if (method === 'POST' && rest === 'batch/archive') return batchArchive(state, object, body)
  if (method === 'POST' && rest === 'gdpr-delete' && object === 'contacts') return gdprDelete(state, object, body)
  if (method === 'POST' && rest === '') return createOrPatch(state, object, null, body)
  if (method === 'PATCH') return createOrPatch(state, object, rest, body)
  return method === 'GET' && rest !== '' ? readOne(state, object, rest) : undefined
}

function propertyRoute(state: SandboxState, act: string, object: string, body: unknown) {
  if (act === 'GET ') return listProperties(state, object)
  if (act === 'POST ') return createProperty(state, object, body)
  if (act === 'POST batch/create') return createProperties(state, object, body)
  if (act === 'GET groups') return listGroups(state, object)
  if (act.startsWith('GET ')) return readProperty(state, object, act.slice('GET '.length))
  if (act === 'POST groups') return createGroup(state, object, body)
  return act.startsWith('DELETE ') ? archiveProperty(state, object, act.slice('DELETE '.length)) : undefined
}

function accountDetails(): WireAnswer {
  const body = { portalId, accountType: 'DEVELOPER_TEST', timeZone: 'Asia/Kolkata', uiDomain: 'app.hubspot.com' }
  return { status: 200, body }
}

function usage(state: SandboxState): WireAnswer {
  const use = { name: 'private-apps-api-calls-daily', usageLimit: dailyCallsMax, currentUsage: state.callsToday }
  return { status: 200, body: { results: [{ ...use, fetchStatus: 'SUCCESS' }] } }
}

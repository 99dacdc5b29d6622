/** Routes calls by method and path: first the sign-in, then the REST API for callers with a token. */
import { formOf, parseJson, type WireAnswer, type WireCall } from '../kit.ts'
import { ingest } from './bulk.ts'
import { metadata } from './deploy.ts'
import { customField, describeOf, globalDescribeOf, type ObjectRights } from './fields.ts'
import { graphs } from './graphs.ts'
import { describeMember, memberObject } from './members.ts'
import type { TokenEndpoint } from './oauth.ts'
import { userId } from './people.ts'
import { columnsOf, query, queryMore } from './query.ts'
import { create, destroy, retrieve, update, upsert } from './records.ts'
import { failure, limitExceeded, missing, notInSandbox, sessionExpired } from './replies.ts'
import { single } from './single.ts'
import type { Org } from './state.ts'

export interface RouteOptions {
  readonly mayCreateFields: boolean
  /** Permissions that the user lacks, by object. */
  readonly withheld: Readonly<Record<string, Partial<ObjectRights>>>
  /** Number of rows after which bulk jobs fail. */
  readonly bulkFailsAfter: number
  readonly bulkPageRows: number
}

export async function route(
  org: Org,
  tokens: TokenEndpoint,
  call: WireCall,
  { mayCreateFields, withheld, bulkFailsAfter, bulkPageRows }: RouteOptions,
): Promise<WireAnswer> {
  const { method, path: address, headers, text } = call
  const url = new URL(`http://${headers.host}${address}`)
  if (url.pathname === '/services/oauth2/authorize') return tokens.consent(call)
  if (`${method} ${url.pathname}` === 'POST /services/oauth2/token') {
    return tokens.answer(formOf(text), `http://${headers.host}/salesforce`)
  }
  const isOwn = org.knowsToken((headers.authorization ?? '').replace(/^(Bearer|OAuth) /, ''))
  if (/^\/id\/|^\/services\/oauth2\/userinfo$/.test(url.pathname))
    return isOwn ? tokens.identity(baseOf(headers.host)) : sessionExpired
  if (method === 'POST' && /^\/services\/Soap\/m\/\d+\.\d$/.test(url.pathname))
    return metadata(org, text, mayCreateFields)
  if (method === 'GET' && /^\/services\/data\/?$/.test(url.pathname)) return { status: 200, body: versions }
  const [, version, path = ''] = /^\/services\/data\/v(\d+\.\d)(?:\/(.*))?$/.exec(url.pathname) ?? []
  if (version === undefined) return notInSandbox(`${method} ${url.pathname}`)
  if (!isOwn) return sessionExpired
  org.callsToday += 1
  if (org.callsToday > org.dailyLimit) return limitExceeded('TotalRequests')
  const isJson = !(headers['content-type'] ?? '').startsWith('text/csv')
  const body = text === '' || !isJson ? null : parseJson(text)
  if (body === undefined) return failure(400, 'JSON_PARSER_ERROR', 'the body is no JSON')
  const parts = path.split('/')
  const saveDuplicates = /allowSave=true/i.test(String(headers['sforce-duplicate-rule-header'] ?? ''))
  switch (`${method} ${parts[0]}/${parts[1] ?? ''}`) {
    case 'GET /':
      return {
        status: 200,
        body: { ...resources(version), identity: `${baseOf(headers.host)}/id/${org.orgId}/${userId}` },
      }
    case 'GET query/':
      if (url.searchParams.has('explain')) break
      if (url.searchParams.get('columns') === 'true') return columnsOf(org, url.searchParams.get('q') ?? '')
      return query(org, version, url.searchParams.get('q') ?? '')
    case 'GET queryAll/':
      return query(org, version, url.searchParams.get('q') ?? '', true)
    case 'GET sobjects/':
      return {
        status: 200,
        body: { encoding: 'UTF-8', maxBatchSize: 200, sobjects: org.objects().map(globalDescribeOf) },
      }
    case 'POST composite/sobjects':
      return parts[2] === undefined ? create(org, { body, saveDuplicates }) : retrieve(org, version, parts[2], body)
    case 'GET limits/':
      return {
        status: 200,
        body: { DailyApiRequests: { Max: org.dailyLimit, Remaining: org.dailyLimit - org.callsToday } },
      }
    case 'PATCH composite/sobjects':
      return parts[2] === undefined
        ? update(org, { body, saveDuplicates })
        : upsert(org, parts[2], parts[3] ?? '', { body, saveDuplicates })
    case 'DELETE composite/sobjects':
      return destroy(org, (url.searchParams.get('ids') ?? '').split(',').filter(Boolean))
    case 'POST tooling/sobjects':
      if (parts[2] === 'CustomField') return createField(org, body, mayCreateFields)
      break
    case 'POST tooling/composite':
      return toolingComposite(org, body, mayCreateFields)
    case 'POST composite/graph':
      return graphs(org, version, body)
    case 'POST composite/':
      return composite(org, version, body)
  }
  if (parts[0] === 'query' && parts[1] && method === 'GET') return queryMore(org, version, parts[1] ?? '')
  if (parts[0] === 'jobs' && parts[1] === 'ingest') {
    const job = ingest(org, {
      version,
      method,
      rest: parts.slice(2).filter(Boolean),
      body,
      text,
      parameters: url.searchParams,
      failsAfter: bulkFailsAfter,
      pageRows: bulkPageRows,
    })
    if (job !== undefined) return job
  }
  if (`${method} ${path}` === `GET sobjects/User/${userId}`) return { status: 200, body: tokens.user() }
  const [collection, object = '', ...rest] = parts.map(decodeURIComponent)
  const fields = org.fields(object)
  if (method === 'GET' && path === `sobjects/${memberObject}/describe`)
    return { status: 200, body: describeMember(org) }
  if (collection === 'sobjects' && method === 'GET' && fields && rest.join('/') === 'describe')
    return { status: 200, body: describeOf(object, fields, { ...allRights, ...withheld[object] }) }
  if (collection === 'sobjects' && method === 'GET' && fields && rest.length === 0)
    return { status: 200, body: { objectDescribe: globalDescribeOf(object), recentItems: [] } }
  if (collection === 'sobjects' && object !== '') {
    const one = single(org, { version, method, object, rest, parameters: url.searchParams, body, saveDuplicates })
    if (one !== undefined) return one
  }
  return notInSandbox(`${method} ${url.pathname}`)
}

/** The API versions that the org supports. */
const versions = [
  { label: "Winter '26", url: '/services/data/v65.0', version: '65.0' },
  { label: "Spring '26", url: '/services/data/v66.0', version: '66.0' },
]

const resources = (version: string) =>
  Object.fromEntries(
    ['composite', 'jobs', 'limits', 'query', 'queryAll', 'sobjects', 'tooling'].map((name) => [
      name,
      `/services/data/v${version}/${name}`,
    ]),
  )

const allRights: ObjectRights = { createable: true, updateable: true, deletable: true }

const baseOf = (host: string | undefined): string => `http://${host}/salesforce`

/** A composite call, of which only queries are supported here, at most five. */
function composite(org: Org, version: string, body: unknown): WireAnswer {
  const list = (body as { compositeRequest?: unknown } | null)?.compositeRequest
  if (!Array.isArray(list) || list.length > 5) return failure(400, 'INVALID_INPUT', 'at most 5 queries in a request')
  const compositeResponse = list.map((part: { method?: unknown; url?: unknown; referenceId?: unknown }) => {
    const [path = '', search = ''] = String(part.url).split('?')
    const [, way] = /^\/services\/data\/v\d+\.\d\/(query|queryAll)\/?$/.exec(path) ?? []
    const { status, body: answer } =
      part.method === 'GET' && way !== undefined
        ? query(org, version, new URLSearchParams(search).get('q') ?? '', way === 'queryAll')
        : missing
    return { body: answer, httpHeaders: {}, httpStatusCode: status, referenceId: part.referenceId }
  })
  return { status: 200, body: { compositeResponse } }
}

/** Up to 25 subrequests, each with its own result. */
function toolingComposite(org: Org, body: unknown, mayCreate: boolean): WireAnswer {
  const list = (body as { compositeRequest?: unknown } | null)?.compositeRequest
  if (!Array.isArray(list) || list.length > 25) return failure(400, 'INVALID_INPUT', 'at most 25 subrequests')
  const compositeResponse = list.map(
    (part: { method?: unknown; url?: unknown; referenceId?: unknown; body?: unknown }) => {
      const isCreate = part.method === 'POST' && /\/tooling\/sobjects\/CustomField\/?$/.test(String(part.url))
      const { status, body: answer } = isCreate ? createField(org, part.body, mayCreate) : missing
      return { body: answer, httpHeaders: {}, httpStatusCode: status, referenceId: part.referenceId }
    },
  )
  return { status: 200, body: { compositeResponse } }
}

function createField(org: Org, body: unknown, mayCreate: boolean): WireAnswer {
  const { FullName, Metadata } = (body ?? {}) as { FullName?: unknown; Metadata?: Record<string, unknown> }
  const [object = '', name = ''] = String(FullName ?? '').split('.')
  const fields = org.fields(object)
  if (!mayCreate) return failure(403, 'INSUFFICIENT_ACCESS', 'insufficient access rights on cross-reference id')
  if (!fields || !name.endsWith('__c')) return failure(400, 'FIELD_INTEGRITY_EXCEPTION', 'FullName names no field')
  if (org.hasField(object, name)) {
    return failure(400, 'DUPLICATE_DEVELOPER_NAME', `There is already a field named ${name} on ${object}.`)
  }
  org.addField(object, customField(name, Metadata ?? {}))
  return { status: 201, body: { id: org.newId('CustomField'), success: true, errors: [], warnings: [], infos: [] } }
}

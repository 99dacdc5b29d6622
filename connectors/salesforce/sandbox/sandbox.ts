/**
 * A Salesforce org in a box: keeps Leads, speaks the REST API's wire format for what the connector uses, refuses what the
 * real one refuses, and fails as scripted. A call goes in, its reply comes out, the call is kept for tests to read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox, SandboxCall, SandboxFault } from '../../sandbox-contract.ts'
import { destroy, update, upsert } from './collections.ts'
import { customField, describeOf } from './fields.ts'
import { type SandboxApp, TokenEndpoint } from './oauth.ts'
import { Org } from './org.ts'
import { query } from './query.ts'
import { failure, limitExceeded, type Reply, sessionExpired } from './reply.ts'

export interface SalesforceSandboxOptions {
  readonly app?: Partial<SandboxApp>
  /** Calls a day, as `Sforce-Limit-Info` reports it. */
  readonly dailyLimit?: number
  /** False refuses to create fields, as for a user without the right to change the data model. */
  readonly mayCreateFields?: boolean
}

const defaultApp: SandboxApp = {
  clientId: 'panji-sandbox-app',
  clientSecret: 'panji-sandbox-secret',
  refreshToken: 'panji-sandbox-refresh',
}
const bodyBytesMax = 16 * 1024 * 1024
const callsKept = 10_000

interface Incoming {
  readonly method: string
  readonly url: URL
  readonly text: string
  readonly baseUrl: string
  readonly token: string
}

export function createSalesforceSandbox(options: SalesforceSandboxOptions = {}): Sandbox {
  const app = { ...defaultApp, ...options.app }
  const dailyLimit = options.dailyLimit ?? 100_000
  const org = new Org()
  const tokens = new TokenEndpoint(org, app)
  let calls: SandboxCall[] = []
  let faults: { fault: SandboxFault; left: number }[] = []

  function takeFault(act: string): SandboxFault | undefined {
    const isSignIn = act.includes('/services/oauth2/')
    const found = faults.find(({ fault, left }) => {
      // Signing in does not count against the API limits.
      if (left === 0 || (isSignIn && fault.kind.endsWith('_limit'))) return false
      return fault.match === undefined || act.includes(fault.match)
    })
    if (found) found.left -= 1
    return found?.fault
  }

  async function route({ method, url, text, baseUrl, token }: Incoming): Promise<Reply> {
    if (`${method} ${url.pathname}` === 'POST /services/oauth2/token') {
      return tokens.answer(new URLSearchParams(text), baseUrl)
    }
    const [, version, path = ''] = /^\/services\/data\/v(\d+\.\d)\/(.*)$/.exec(url.pathname) ?? []
    if (version === undefined) return failure(404, 'NOT_FOUND', 'The requested resource does not exist')
    if (!org.knowsToken(token)) return sessionExpired
    org.callsToday += 1
    if (org.callsToday > dailyLimit) return limitExceeded('TotalRequests')
    const body = parseJson(text)
    if (body === undefined) return failure(400, 'JSON_PARSER_ERROR', 'the body is no JSON')
    const parts = path.split('/')
    switch (`${method} ${parts[0]}/${parts[1] ?? ''}`) {
      case 'GET query/':
        return query(org, version, url.searchParams.get('q') ?? '')
      case 'GET limits/':
        return { status: 200, body: { DailyApiRequests: { Max: dailyLimit, Remaining: dailyLimit - org.callsToday } } }
      case 'GET sobjects/Lead':
      case 'GET sobjects/Contact': {
        const [, object = '', act] = parts
        if (act === 'describe') return { status: 200, body: describeOf(object, org.fields(object) ?? []) }
        break
      }
      case 'PATCH composite/sobjects':
        return parts[2] === undefined ? update(org, body) : upsert(org, parts[2], parts[3] ?? '', body)
      case 'DELETE composite/sobjects':
        return destroy(org, (url.searchParams.get('ids') ?? '').split(',').filter(Boolean))
      case 'POST tooling/sobjects':
        if (parts[2] === 'CustomField') return createField(org, body, options.mayCreateFields ?? true)
    }
    return failure(404, 'NOT_FOUND', 'The requested resource does not exist')
  }

  function faultReply(fault: SandboxFault | undefined): Reply | null {
    switch (fault?.kind) {
      case 'status':
        return { status: fault.status ?? 500, body: fault.body ?? [{ message: 'scripted', errorCode: 'UNKNOWN' }] }
      case 'rate_limit':
        return limitExceeded('ConcurrentRequests')
      case 'daily_limit':
        return limitExceeded('TotalRequests')
      case 'expire_token':
        org.expireTokens()
        return null
      default:
        return null
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const incoming = await read(request)
    const fault = takeFault(`${incoming.method} ${request.url}`)
    const refusedUnread = fault?.kind === 'timeout' || fault?.kind === 'reset'
    const reply = refusedUnread ? null : (faultReply(fault) ?? (await route(incoming)))
    const lost = refusedUnread || fault?.kind === 'timeout_after_commit' || fault?.kind === 'reset_after_commit'
    calls = [...calls.slice(-callsKept + 1), callOf(request, incoming, lost ? 0 : (reply?.status ?? 0))]
    if (lost) {
      // A timeout leaves the caller waiting until it gives up.
      if (fault?.kind.startsWith('reset')) request.socket.destroy()
      return
    }
    if (!reply) return
    const { status } = reply
    const body = fault?.kind === 'omit_rows' && Array.isArray(reply.body) ? reply.body.slice(0, -1) : reply.body
    response.writeHead(status, {
      'content-type': 'application/json;charset=UTF-8',
      ...(incoming.url.pathname.startsWith('/services/data/')
        ? { 'sforce-limit-info': `api-usage=${org.callsToday}/${dailyLimit}` }
        : {}),
      ...fault?.headers,
    })
    response.end(JSON.stringify(body))
  }

  return {
    crm: 'salesforce',
    settings: (baseUrl) => ({
      auth: 'client_credentials',
      loginUrl: baseUrl,
      clientId: app.clientId,
      clientSecret: app.clientSecret,
    }),
    handle,
    records: () => org.records().map(({ id, object, values }) => ({ id, object, properties: { Id: id, ...values } })),
    calls: () => calls,
    addFault: (fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    reset() {
      org.clear()
      calls = []
      faults = []
    },
    snapshot: () => org.snapshot(),
    restore: (state) => org.restore(state),
  }
}

function createField(org: Org, body: unknown, mayCreate: boolean): Reply {
  const { FullName, Metadata } = (body ?? {}) as { FullName?: unknown; Metadata?: Record<string, unknown> }
  const [object = '', name = ''] = String(FullName ?? '').split('.')
  const fields = org.fields(object)
  if (!mayCreate) return failure(403, 'INSUFFICIENT_ACCESS', 'insufficient access rights on cross-reference id')
  if (!fields || !name.endsWith('__c')) return failure(400, 'FIELD_INTEGRITY_EXCEPTION', 'FullName names no field')
  if (fields.some((field) => field.name === name)) {
    return failure(400, 'DUPLICATE_DEVELOPER_NAME', `There is already a field named ${name} on ${object}.`)
  }
  org.addField(object, customField(name, Metadata ?? {}))
  return { status: 201, body: { id: org.newId('CustomField'), success: true, errors: [], warnings: [], infos: [] } }
}

async function read(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new Error(`the body is larger than ${bodyBytesMax} bytes`)
    chunks.push(chunk)
  }
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', 'http://sandbox'),
    text: Buffer.concat(chunks).toString('utf8'),
    baseUrl: `http://${request.headers.host ?? '127.0.0.1'}/salesforce`,
    token: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
  }
}

function callOf(request: IncomingMessage, { method, text }: Incoming, status: number): SandboxCall {
  const { authorization: _authorization, ...headers } = request.headers
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  return {
    method,
    path: request.url ?? '/',
    status,
    at: new Date().toISOString(),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    // Credentials stay out of what /control/calls shows.
    body: isForm ? { grant_type: new URLSearchParams(text).get('grant_type') } : (parseJson(text) ?? text),
  }
}

/** @returns undefined for what is no JSON, null for an empty body. */
function parseJson(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

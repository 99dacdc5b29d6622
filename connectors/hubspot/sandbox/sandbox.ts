/**
 * A HubSpot account in a box: speaks the wire format that the connector uses, keeps records and properties in memory,
 * counts calls, and fails as it is told. State survives a restart through `snapshot` and `restore`.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox, SandboxCall, SandboxFault, SandboxRecord } from '../../sandbox-contract.ts'
import { CallWindow } from './call-window.ts'
import { rateLimited, unauthorized, validationError, type WireAnswer } from './errors.ts'
import { FaultScript, withoutLastRow } from './faults.ts'
import { route } from './routes.ts'
import {
  dailyCallsMax,
  emptyState,
  firstRefreshToken,
  oauthApp,
  portalId,
  privateAppToken,
  type SandboxState,
} from './state.ts'

export interface HubspotSandboxOptions {
  /** Calls in rolling ten seconds; Professional and Enterprise accounts have 190. */
  readonly tenSecondlyMax?: number
  readonly rotateRefreshTokens?: boolean
  /** False for accounts that refuse a whole batch for one bad row, although the rows carry trace ids. */
  readonly multiStatus?: boolean
}

export interface HubspotSandbox extends Sandbox {
  oauthSettings(baseUrl: string): Readonly<Record<string, unknown>>
  /** Scopes such as `crm.schemas.companies.write` that the app lacks from now on. */
  withholdScopes(scopes: readonly string[]): void
}

const bodyBytesMax = 4 * 1024 * 1024
const callsKeptMax = 10_000

export function createHubspotSandbox(options: HubspotSandboxOptions = {}): HubspotSandbox {
  const { tenSecondlyMax = 190, rotateRefreshTokens = false, multiStatus = true } = options
  let state: SandboxState = emptyState()
  let calls: SandboxCall[] = []
  const faults = new FaultScript()
  const window = new CallWindow(tenSecondlyMax)
  const hanging = new Set<ServerResponse>()

  function answerOf(
    request: IncomingMessage,
    path: string,
    body: unknown,
    fault: SandboxFault | undefined,
  ): WireAnswer {
    const { method = 'GET' } = request
    if (fault?.kind === 'expire_token') {
      state.accessTokens = []
      return unauthorized('EXPIRED_AUTHENTICATION')
    }
    if (fault?.kind === 'rate_limit') return { ...rateLimited('TEN_SECONDLY_ROLLING'), headers: fault.headers ?? {} }
    if (fault?.kind === 'daily_limit') return { ...rateLimited('DAILY'), headers: fault.headers ?? {} }
    if (fault?.kind === 'status')
      return { status: fault.status ?? 500, body: fault.body ?? {}, headers: fault.headers ?? {} }
    if (!window.admit(Date.now())) return rateLimited('TEN_SECONDLY_ROLLING')
    state.callsToday += 1
    if (state.callsToday > dailyCallsMax) return rateLimited('DAILY')
    if (body === unreadable) return validationError('Invalid input JSON')
    const { authorization } = request.headers
    const answer = route(state, { method, path, authorization, body }, { rotateRefreshTokens, multiStatus })
    return fault?.kind === 'omit_rows' ? withoutLastRow(answer) : answer
  }

  return {
    crm: 'hubspot',
    settings: (baseUrl) => ({ access_token: privateAppToken, portal_id: portalId, base_url: baseUrl }),
    oauthSettings: (baseUrl) => ({
      client_id: oauthApp.clientId,
      client_secret: oauthApp.clientSecret,
      refresh_token: firstRefreshToken,
      portal_id: portalId,
      base_url: baseUrl,
    }),
    withholdScopes: (scopes) => {
      state.withheldScopes = [...scopes]
    },
    async handle(request, response) {
      const path = new URL(request.url ?? '/', 'http://sandbox').pathname
      const body = await readBody(request)
      const fault = faults.take(request.method ?? 'GET', path)
      const strikesFirst = fault?.kind === 'timeout' || fault?.kind === 'reset'
      const answer = strikesFirst ? { status: 0 } : answerOf(request, path, body, fault)
      const lost = strikesFirst || fault?.kind === 'timeout_after_commit' || fault?.kind === 'reset_after_commit'
      calls.push(callOf(request, path, body, lost ? 0 : answer.status))
      if (calls.length > callsKeptMax) calls = calls.slice(-callsKeptMax)
      if (fault?.kind.startsWith('reset')) return void request.socket.resetAndDestroy()
      if (lost) {
        hanging.add(response)
        response.once('close', () => hanging.delete(response))
        return
      }
      reply(response, answer, window.headers(state.callsToday, dailyCallsMax))
    },
    records: () => state.records.map(({ id, object, properties }): SandboxRecord => ({ id, object, properties })),
    calls: () => calls,
    addFault: (fault) => faults.add(fault),
    reset() {
      state = emptyState()
      calls = []
      faults.clear()
      window.clear()
      for (const response of hanging) response.destroy()
    },
    snapshot: () => state,
    restore: (saved) => {
      state = { ...emptyState(), ...(saved as SandboxState) }
    },
  }
}

const unreadable = Symbol('unreadable')

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bodyBytesMax) chunks.push(chunk)
  }
  if (bytes === 0) return undefined
  if (bytes > bodyBytesMax) return unreadable
  const text = Buffer.concat(chunks).toString('utf8')
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return unreadable
  }
}

/** Kept without credentials, because the list is shown to whoever asks. */
function callOf(request: IncomingMessage, path: string, body: unknown, status: number): SandboxCall {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'authorization' ? [[name, value] as const] : [],
  )
  const shownBody = path.endsWith('/token') || body === unreadable ? undefined : body
  return {
    method: request.method ?? 'GET',
    path,
    status,
    at: new Date().toISOString(),
    headers: Object.fromEntries(headers),
    body: shownBody,
  }
}

function reply(response: ServerResponse, answer: WireAnswer, quota: Readonly<Record<string, string>>): void {
  const correlation = { 'x-hubspot-correlation-id': randomUUID() }
  response.writeHead(answer.status, {
    'content-type': 'application/json;charset=utf-8',
    ...correlation,
    ...quota,
    ...answer.headers,
  })
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
}

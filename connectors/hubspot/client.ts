/**
 * The calls to HubSpot, and what their replies, status codes and headers mean.
 *
 * The vendor's SDK is not used: its requests take no signal, follow redirects with the leads in their bodies, and
 * read replies of any size, none of which can be configured. Tests drive the sandbox with it.
 */
import { parseJson } from '../answers.ts'
import type { CallGate, LimitReport, Pace } from '../call-gate.ts'
import { answerIn, type CallResult as CallResultOf, type Refused, refused } from '../call-result.ts'
import type { SessionOptions } from '../contract.ts'
import { waitMsMax } from '../contract.ts'
import { CrmCalls, type Expired } from '../crm-calls.ts'
import { CrmNetwork, type CrmReply } from '../crm-network.ts'
import { accessTokensOf } from './access-token.ts'
import { grantScopes, renewToken, whenCallsAreUsedUp } from './administrator.ts'
import { excessiveWait, missingScopes, quotaRefusal, retryAfterMs } from './refusals.ts'
import { faultOf } from './replies.ts'
import { type HubspotSettings, hubspotHosts } from './settings.ts'

export interface CrmRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: unknown
}

export interface CrmAnswer {
  readonly kind: 'answer'
  /** Any status except 401, 403, 429 and server errors. */
  readonly status: number
  readonly body: unknown
}

export type CallResult = CallResultOf<CrmAnswer>

export class HubspotClient {
  readonly #calls: CrmCalls<CrmRequest, string, CrmAnswer>
  readonly #gate: CallGate
  readonly #isPrivateApp: boolean
  #lastSeen: LimitReport = { dailyUsed: null, dailyLimit: null }

  constructor(settings: HubspotSettings, session: SessionOptions) {
    const network = new CrmNetwork(hubspotHosts, settings.sandbox_pass)
    this.#gate = session.gate
    this.#isPrivateApp = settings.access_token !== undefined
    this.#calls = new CrmCalls({
      ...{ network, session, timeoutMs: settings.timeout_ms, tokens: accessTokensOf(settings, network, session) },
      outgoing: ({ method, path, body }, token) => ({
        ...{ method, url: `${settings.base_url}${path}`, body },
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      }),
      read: (reply) => this.#read(reply),
    })
  }

  /** The day's quota according to the last reply's headers. */
  get lastSeen(): LimitReport {
    return this.#lastSeen
  }

  /** For calls that write nothing or can be repeated: throws for anything but an answer. */
  async ask(request: CrmRequest): Promise<CrmAnswer> {
    return answerIn(await this.call(request), `HubSpot (${request.path})`)
  }

  call(request: CrmRequest): Promise<CallResult> {
    return this.#calls.call(request)
  }

  #read({ status, headers, text }: CrmReply): CallResult | Expired {
    const body = parseJson(text)
    this.#observe(headers)
    if (status === 401) return { kind: 'expired', refusal: unauthorized(body, this.#isPrivateApp) }
    if (status === 429) return this.#quota(body, headers)
    if (status === 403)
      return refused('CRM_UNAUTHORIZED', grantScopes(missingScopes(faultOf(body)), this.#isPrivateApp), 'never')
    // A gateway's failure says nothing about what the server behind it did.
    if (status === 408 || (status >= 500 && status !== 503))
      return { kind: 'cut', message: `HubSpot failed (${status})` }
    // 423 and 477 are HubSpot's codes for an account that is locked or being migrated.
    if (status === 503 || status === 423 || status === 477) {
      const afterMs = retryAfterMs(headers['retry-after'])
      const message = `HubSpot failed (${status})${excessiveWait(headers['retry-after'])}`
      return refused('CRM_UNAVAILABLE', message, afterMs === undefined ? 'later' : { afterMs })
    }
    // An unreadable success says nothing about its rows; a refusal is one whatever its body.
    if (body === undefined && status < 300 && status !== 204)
      return { kind: 'cut', message: `the answer (${status}) was no JSON` }
    return { kind: 'answer', status, body }
  }

  #quota(body: unknown, headers: CrmReply['headers']): CallResult {
    const { policy, afterMs } = quotaRefusal(faultOf(body), headers['retry-after'])
    const { dailyUsed, dailyLimit } = this.#lastSeen
    this.#gate.observe({ dailyUsed: policy === 'DAILY' ? dailyLimit : dailyUsed, dailyLimit, blockedForMs: afterMs })
    const after = excessiveWait(headers['retry-after'])
    const ofTheDay = policy === 'DAILY' ? `: ${whenCallsAreUsedUp}` : ''
    const message = `HubSpot's ${policy} limit is used up${after}${ofTheDay}`
    return refused('CRM_UNAVAILABLE', message, { afterMs, isQuota: true })
  }

  #observe(headers: CrmReply['headers']): void {
    const number = (name: string) => {
      // A quota with more digits than this is not credible.
      const text = headers[`x-hubspot-ratelimit-${name}`] ?? ''
      return /^\d{1,12}$/.test(text) ? Number(text) : null
    }
    const dailyLimit = number('daily')
    const dailyLeft = number('daily-remaining')
    const report = {
      dailyLimit: dailyLimit ?? this.#lastSeen.dailyLimit,
      dailyUsed: dailyLimit === null || dailyLeft === null ? this.#lastSeen.dailyUsed : dailyLimit - dailyLeft,
    }
    this.#lastSeen = report
    const pace = paceIn(number)
    const blockedForMs =
      number('remaining') === 0
        ? Math.min(number('interval-milliseconds') ?? 10_000, waitMsMax)
        : number('secondly-remaining') === 0
          ? 1_000
          : 0
    this.#gate.observe({ ...report, ...(pace === null ? {} : { pace }), ...(blockedForMs > 0 ? { blockedForMs } : {}) })
  }
}

/** The tighter of HubSpot's two windows. The app is Panji's own, so no other program uses its windows. */
function paceIn(number: (name: string) => number | null): Pace | null {
  const [calls, perMs, secondly] = [number('max'), number('interval-milliseconds'), number('secondly')]
  const windows = [
    ...(calls === null || perMs === null ? [] : [{ calls, perMs }]),
    ...(secondly === null ? [] : [{ calls: secondly, perMs: 1_000 }]),
  ]
  return windows.sort((a, b) => a.calls / a.perMs - b.calls / b.perMs)[0] ?? null
}

function unauthorized(body: unknown, isPrivateApp: boolean): Refused {
  const category = faultOf(body).category ?? 'no category given'
  return refused(
    'CRM_UNAUTHORIZED',
    `HubSpot refused the access token (401, ${category}). What to do: ${renewToken(isPrivateApp)}.`,
    'never',
  )
}

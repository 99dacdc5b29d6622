/**
 * One call to HubSpot: asks the gate, sends, reads the headers, renews an expired token once. What comes back says whether
 * HubSpot answered, whether the fate of the call is unknown, or whether nothing was written.
 *
 * The vendor's SDK stays outside: its requests take no signal, follow redirects with the leads in their bodies, and read
 * answers without a bound, and none of it can be told otherwise. Tests drive the sandbox with it.
 */
import { AppError } from '../../src/errors.ts'
import { parseJson } from '../answers.ts'
import { answerIn, type CallResult as CallResultOf, refused, stopped } from '../call-result.ts'
import type { CallGate, LimitReport, Pace, SessionOptions } from '../contract.ts'
import { waitMsMax } from '../contract.ts'
import { CrmNetwork, type CrmReply, mayHaveWritten } from '../crm-network.ts'
import { type AccessTokens, accessTokensOf } from './access-token.ts'
import { grantScopes, renewToken } from './administrator.ts'
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
  /** Any status but 401, 403, 429 and those of the server's own failures. */
  readonly status: number
  readonly body: unknown
}

export type CallResult = CallResultOf<CrmAnswer>

export class HubspotClient {
  readonly #network: CrmNetwork
  readonly #baseUrl: string
  readonly #tokens: AccessTokens
  readonly #gate: CallGate
  readonly #signal: AbortSignal
  readonly #timeoutMs: number
  readonly #isPrivateApp: boolean
  #lastSeen: LimitReport = { dailyUsed: null, dailyLimit: null }

  constructor(settings: HubspotSettings, options: SessionOptions) {
    this.#network = new CrmNetwork(hubspotHosts, settings.sandbox_pass)
    this.#baseUrl = settings.base_url
    this.#tokens = accessTokensOf(settings, this.#network, options)
    this.#gate = options.gate
    this.#signal = options.signal
    this.#timeoutMs = settings.timeout_ms
    this.#isPrivateApp = settings.access_token !== undefined
  }

  /** What the headers of the last answer said about the day's quota. */
  get lastSeen(): LimitReport {
    return this.#lastSeen
  }

  /** For calls that write nothing, or that may be repeated: anything but an answer is thrown. */
  async ask(request: CrmRequest): Promise<CrmAnswer> {
    return answerIn(await this.call(request), `HubSpot (${request.path})`)
  }

  async call(request: CrmRequest): Promise<CallResult> {
    try {
      const token = await this.#tokens.current(this.#signal)
      const result = await this.#send(request, token)
      if (result.kind !== 'answer' || result.status !== 401) return result
      const renewed = await this.#tokens.renew(token, this.#signal)
      const again = renewed === null ? result : await this.#send(request, renewed)
      return again.kind === 'answer' && again.status === 401 ? unauthorized(again.body, this.#isPrivateApp) : again
    } catch (error) {
      // From the gate and the token endpoint, before anything was sent: rows already acknowledged must not be lost
      // with it, so the caller decides what it means.
      if (error instanceof AppError) return { kind: 'refused', error }
      if (this.#signal.aborted) return stopped()
      throw error
    }
  }

  async #send(request: CrmRequest, token: string): Promise<CallResult> {
    await this.#gate.take(1, this.#signal)
    if (this.#signal.aborted) return stopped()
    const { method, path, body } = request
    try {
      const reply = await this.#network.send({
        method,
        url: `${this.#baseUrl}${path}`,
        headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: this.#signal,
        timeoutMs: this.#timeoutMs,
      })
      return this.#read(reply)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return mayHaveWritten(error) ? { kind: 'cut', message: error.message } : { kind: 'refused', error }
    }
  }

  #read({ status, headers, text }: CrmReply): CallResult {
    const body = parseJson(text)
    this.#observe(headers)
    if (status === 429) return this.#quota(body, headers)
    if (status === 403)
      return refused('CRM_UNAUTHORIZED', grantScopes(missingScopes(faultOf(body)), this.#isPrivateApp), 'never')
    // A gateway's failure says nothing of what the server behind it did.
    if (status === 408 || (status >= 500 && status !== 503))
      return { kind: 'cut', message: `HubSpot failed (${status})` }
    // 423 and 477 are HubSpot's own words for an account that is locked or on the move.
    if (status === 503 || status === 423 || status === 477) {
      const afterMs = retryAfterMs(headers['retry-after'])
      const message = `HubSpot failed (${status})${excessiveWait(headers['retry-after'])}`
      return refused('CRM_UNAVAILABLE', message, afterMs === undefined ? 'later' : { afterMs })
    }
    // A success that cannot be read says nothing about its rows; a refusal is one, whatever its body.
    if (body === undefined && status < 300 && status !== 204)
      return { kind: 'cut', message: `the answer (${status}) was no JSON` }
    return { kind: 'answer', status, body }
  }

  #quota(body: unknown, headers: CrmReply['headers']): CallResult {
    const { policy, afterMs } = quotaRefusal(faultOf(body), headers['retry-after'])
    const { dailyUsed, dailyLimit } = this.#lastSeen
    this.#gate.observe({ dailyUsed: policy === 'DAILY' ? dailyLimit : dailyUsed, dailyLimit, blockedForMs: afterMs })
    const message = `HubSpot's ${policy} limit is used up${excessiveWait(headers['retry-after'])}`
    return refused('CRM_UNAVAILABLE', message, { afterMs, isQuota: true })
  }

  #observe(headers: CrmReply['headers']): void {
    const number = (name: string) => {
      // More digits than a quota can have are no report.
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

/** The tighter of the two windows that HubSpot counts in. The app is Panji's alone, and so are its windows. */
function paceIn(number: (name: string) => number | null): Pace | null {
  const [calls, perMs, secondly] = [number('max'), number('interval-milliseconds'), number('secondly')]
  const windows = [
    ...(calls === null || perMs === null ? [] : [{ calls, perMs }]),
    ...(secondly === null ? [] : [{ calls: secondly, perMs: 1_000 }]),
  ]
  return windows.sort((a, b) => a.calls / a.perMs - b.calls / b.perMs)[0] ?? null
}

function unauthorized(body: unknown, isPrivateApp: boolean): CallResult {
  const category = faultOf(body).category ?? 'no category given'
  return refused(
    'CRM_UNAUTHORIZED',
    `HubSpot refused the access token (401, ${category}). What to do: ${renewToken(isPrivateApp)}.`,
    'never',
  )
}

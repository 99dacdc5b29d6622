/**
 * One call to HubSpot through its SDK: asks the gate, sends, reads the headers, renews an expired token once. What
 * comes back says whether HubSpot answered, whether the fate of the call is unknown, or whether nothing was written.
 *
 * The SDK is given neither retries nor a limiter: both live in a process-wide singleton that every new client
 * overwrites. Its fetch takes no signal, so a call that is cut off is abandoned here and ends by itself.
 */
import { Client } from '@hubspot/api-client'
import { AppError } from '../../src/errors.ts'
import type { CallGate, LimitReport, SessionOptions } from '../contract.ts'
import { type AccessTokens, accessTokensOf } from './access-token.ts'
import { missingScopes, quotaRefusal, retryAfterMs } from './refusals.ts'
import { faultOf, parseJson } from './replies.ts'
import type { HubspotSettings } from './settings.ts'

export interface CrmRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
}

export interface CrmAnswer {
  readonly kind: 'answer'
  /** Any status but 401, 403, 429 and those of the server's own failures. */
  readonly status: number
  readonly body: unknown
}

export type CallResult =
  | CrmAnswer
  /** Sent, and no answer came: HubSpot may have done it. */
  | { readonly kind: 'cut'; readonly message: string }
  /** Nothing was written. */
  | { readonly kind: 'refused'; readonly error: AppError }

/** Reasons of a failed fetch that occur before the first byte leaves. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export class HubspotClient {
  readonly #sdk: Client
  readonly #tokens: AccessTokens
  readonly #gate: CallGate
  readonly #signal: AbortSignal
  readonly #timeoutMs: number
  #lastSeen: LimitReport = { dailyUsed: null, dailyLimit: null }

  constructor(settings: HubspotSettings, options: SessionOptions) {
    this.#sdk = new Client({ basePath: settings.base_url })
    this.#tokens = accessTokensOf(settings, options)
    this.#gate = options.gate
    this.#signal = options.signal
    this.#timeoutMs = settings.timeout_ms
  }

  /** What the headers of the last answer said about the day's quota. */
  get lastSeen(): LimitReport {
    return this.#lastSeen
  }

  /** For calls that write nothing, or that may be repeated: anything but an answer is thrown. */
  async ask(request: CrmRequest): Promise<CrmAnswer> {
    const result = await this.call(request)
    if (result.kind === 'answer') return result
    if (result.kind === 'refused') throw result.error
    throw new AppError('CRM_UNAVAILABLE', `HubSpot did not answer ${request.path}: ${result.message}`, {
      retry: 'later',
    })
  }

  async call(request: CrmRequest): Promise<CallResult> {
    try {
      const token = await this.#tokens.current(this.#signal)
      const result = await this.#send(request, token)
      if (result.kind !== 'answer' || result.status !== 401) return result
      const renewed = await this.#tokens.renew(token, this.#signal)
      const again = renewed === null ? result : await this.#send(request, renewed)
      return again.kind === 'answer' && again.status === 401 ? unauthorized(again.body) : again
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
    const limit = AbortSignal.any([this.#signal, AbortSignal.timeout(this.#timeoutMs)])
    try {
      // Set just before the synchronous start of the request, since calls of one session may run side by side.
      this.#sdk.setAccessToken(token)
      const exchange = this.#sdk.apiRequest({ ...request }).then(async (response) => ({
        response,
        text: await response.text(),
      }))
      const { response, text } = await beforeAbort(exchange, limit)
      return this.#read(response, text)
    } catch (error) {
      const cause = codeOf(error)
      if (unsent.has(cause)) return refused('CRM_UNAVAILABLE', `HubSpot cannot be reached (${cause})`, 'later')
      if (limit.aborted)
        return { kind: 'cut', message: this.#signal.aborted ? 'the call was stopped' : 'no answer in time' }
      return { kind: 'cut', message: `the connection broke (${cause})` }
    }
  }

  #read(response: Response, text: string): CallResult {
    const { status, headers } = response
    const body = parseJson(text)
    this.#observe(headers)
    if (status === 429) return this.#quota(body, headers)
    if (status === 403)
      return refused('CRM_UNAUTHORIZED', `The app lacks permissions: ${missingScopes(faultOf(body))}`, 'never')
    // 423 and 477 are HubSpot's own words for an account that is locked or on the move.
    if (status >= 500 || status === 423 || status === 477 || status === 408) {
      const afterMs = retryAfterMs(headers.get('retry-after'))
      return refused('CRM_UNAVAILABLE', `HubSpot failed (${status})`, afterMs === undefined ? 'later' : { afterMs })
    }
    // A success that cannot be read says nothing about its rows; a refusal is one, whatever its body.
    if (body === undefined && status < 300 && status !== 204)
      return { kind: 'cut', message: `the answer (${status}) was no JSON` }
    return { kind: 'answer', status, body }
  }

  #quota(body: unknown, headers: Headers): CallResult {
    const { policy, afterMs } = quotaRefusal(faultOf(body), headers.get('retry-after'))
    const { dailyUsed, dailyLimit } = this.#lastSeen
    this.#gate.observe({ dailyUsed: policy === 'DAILY' ? dailyLimit : dailyUsed, dailyLimit, blockedForMs: afterMs })
    return refused('CRM_UNAVAILABLE', `HubSpot's ${policy} limit is used up`, { afterMs })
  }

  #observe(headers: Headers): void {
    const number = (name: string) => {
      const text = headers.get(`x-hubspot-ratelimit-${name}`)
      return text === null || !/^\d+$/.test(text) ? null : Number(text)
    }
    const dailyLimit = number('daily')
    const dailyLeft = number('daily-remaining')
    const report = {
      dailyLimit: dailyLimit ?? this.#lastSeen.dailyLimit,
      dailyUsed: dailyLimit === null || dailyLeft === null ? this.#lastSeen.dailyUsed : dailyLimit - dailyLeft,
    }
    this.#lastSeen = report
    const blockedForMs =
      number('remaining') === 0
        ? (number('interval-milliseconds') ?? 10_000)
        : number('secondly-remaining') === 0
          ? 1_000
          : 0
    this.#gate.observe(blockedForMs > 0 ? { ...report, blockedForMs } : report)
  }
}

function refused(code: 'CRM_UNAVAILABLE' | 'CRM_UNAUTHORIZED', message: string, retry: AppError['retry']): CallResult {
  return { kind: 'refused', error: new AppError(code, message, { retry }) }
}

function stopped(): CallResult {
  return refused('CRM_UNAVAILABLE', 'The work was stopped before the call was sent', 'later')
}

function unauthorized(body: unknown): CallResult {
  const category = faultOf(body).category ?? 'no category given'
  return refused(
    'CRM_UNAUTHORIZED',
    `HubSpot refused the access token (401, ${category}); renew the credentials`,
    'never',
  )
}

/** Settles as the exchange does, or rejects when the signal fires first. */
function beforeAbort<T>(exchange: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    exchange.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** The code of a failed fetch lies one level down. */
function codeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return inner instanceof Error && 'code' in inner && typeof inner.code === 'string' ? inner.code : 'no code'
}

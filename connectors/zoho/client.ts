/** The calls to Zoho, and what their replies, status codes and headers mean. */
import { parseJson } from '../answers.ts'
import type { CallGate, LimitReport } from '../call-gate.ts'
import { answerIn, type CallResult as CallResultOf, refused } from '../call-result.ts'
import type { SessionOptions } from '../contract.ts'
import { waitMsMax } from '../contract.ts'
import { CrmCalls, type Expired } from '../crm-calls.ts'
import { CrmNetwork, type CrmReply } from '../crm-network.ts'
import { type Access, AccessTokens } from './access-token.ts'
import { permit, whenCreditsAreUsedUp } from './administrator.ts'
import { isFull, refusalOfCall } from './outcomes.ts'
import { RowReply } from './replies.ts'
import { type ZohoSettings, zohoHosts } from './settings.ts'

export interface ZohoRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After `/crm/v8`, with its query string. */
  readonly path: string
  readonly body?: unknown
}

export interface ZohoAnswer {
  readonly kind: 'answer'
  /** Any status except 401, 403, 429 and server errors. */
  readonly status: number
  /** undefined for a reply without a body: Zoho returns 204 for a query without records. */
  readonly body: unknown
}

export type CallResult = CallResultOf<ZohoAnswer>

/** Until the calls in progress have ended. */
const busyMs = 5_000
/** Credits are returned one by one over 24 hours; no header says when. */
const noCreditsMs = waitMsMax

const expired = (): Expired => ({
  kind: 'expired',
  refusal: refused('CRM_UNAUTHORIZED', 'Zoho refused a new access token', 'never'),
})

export class ZohoClient {
  readonly #calls: CrmCalls<ZohoRequest, Access, ZohoAnswer>
  readonly #gate: CallGate
  readonly #dailyCredits: number | null
  #lastSeen: LimitReport

  constructor(settings: ZohoSettings, session: SessionOptions) {
    const network = new CrmNetwork(zohoHosts, settings.sandbox_pass)
    this.#gate = session.gate
    this.#dailyCredits = settings.daily_credits ?? null
    this.#lastSeen = { dailyUsed: null, dailyLimit: this.#dailyCredits }
    this.#calls = new CrmCalls({
      ...{ network, session, timeoutMs: settings.timeout_ms, tokens: new AccessTokens(settings, network, session) },
      outgoing: ({ method, path, body }, { token, apiDomain }) => ({
        ...{ method, url: `${apiDomain}/crm/v8${path}`, body },
        headers: { authorization: `Zoho-oauthtoken ${token}` },
      }),
      read: (reply, { method, path }) => this.#read(reply, `${method} ${path}`),
    })
  }

  /** The day's credits according to the last reply's headers. */
  get lastSeen(): LimitReport {
    return this.#lastSeen
  }

  /** For calls that write nothing or can be repeated: throws for anything but an answer. */
  async ask(request: ZohoRequest): Promise<ZohoAnswer> {
    return answerIn(await this.call(request), 'Zoho')
  }

  call(request: ZohoRequest): Promise<CallResult> {
    return this.#calls.call(request)
  }

  #read(reply: CrmReply, act: string): CallResult | Expired {
    const { status, text } = reply
    const left = this.#observe(reply)
    const body = text === '' ? undefined : parseJson(text)
    const refusal = RowReply.safeParse(body).data
    const code = refusal?.code ?? 'no code given'
    if (status === 429) return this.#limited(left)
    if (status === 401 && code === 'INVALID_TOKEN') return expired()
    // Used-up licences are a 403 too; the caller knows what that means for its rows.
    const full = refusalOfCall(body)
    const isRight = full === null || !isFull(full)
    if (isRight && (status === 401 || status === 403 || code === 'AUTHORIZATION_FAILED'))
      return refused(
        'CRM_UNAUTHORIZED',
        `Zoho does not permit the call (${status} ${code}): ${permit(act, code, refusal?.details.permissions)}`,
        'never',
      )
    if (status === 503) return refused('CRM_UNAVAILABLE', 'Zoho is not available for now (503)', 'later')
    // A gateway's failure says nothing about what the server behind it did.
    if (status === 408 || status >= 500) return { kind: 'cut', message: `Zoho failed (${status})` }
    // An unreadable success says nothing about its rows; a refusal is one whatever its body.
    if (body === undefined && status < 300 && status !== 204)
      return { kind: 'cut', message: `the answer (${status}) was no JSON` }
    return { kind: 'answer', status, body }
  }

  /** Used-up credits and too many concurrent calls have the same status and code. */
  #limited(creditsLeft: number | null): CallResult {
    const afterMs = creditsLeft === 0 ? noCreditsMs : busyMs
    this.#gate.observe({ ...this.#lastSeen, blockedForMs: afterMs })
    const message =
      creditsLeft === 0
        ? `Zoho's credits of the day are used up: ${whenCreditsAreUsedUp}`
        : 'Zoho has too many calls at once'
    return refused('CRM_UNAVAILABLE', message, { afterMs, isQuota: true })
  }

  /** @returns the credits left; null if Zoho does not report them, as for the first half. */
  #observe({ status, headers }: CrmReply): number | null {
    // A quota with more digits than this is not credible.
    const text = headers['x-api-credits-remaining'] ?? ''
    const left = /^\d{1,12}$/.test(text) ? Number(text) : null
    const dailyLimit = this.#dailyCredits
    // An answer without them says that the first half is not used up, or not any more; a refusal says nothing.
    const unsaid = status < 300 ? null : this.#lastSeen.dailyUsed
    const dailyUsed = left === null || dailyLimit === null ? unsaid : Math.max(0, dailyLimit - left)
    this.#lastSeen = { dailyUsed, dailyLimit }
    this.#gate.observe(this.#lastSeen)
    return left
  }
}

/**
 * Where the token of a call comes from, and the host that takes it: a refresh token buys access tokens of an hour. Zoho
 * gives out ten in ten minutes, so they are kept per process, and many sessions renew once.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../../src/errors.ts'
import { parseJson } from '../answers.ts'
import type { SessionOptions } from '../contract.ts'
import type { CrmNetwork } from '../crm-network.ts'
import { untilAborted } from '../until-aborted.ts'
import { renewSignIn } from './administrator.ts'
import { TokenRefusal, TokenReply } from './replies.ts'
import type { ZohoSettings } from './settings.ts'

export interface Access {
  readonly token: string
  /** `https://www.zohoapis.in`, by Zoho's own word. */
  readonly apiDomain: string
}

interface Grant {
  access: Access | undefined
  expiresAtMs: number
  renewing: Promise<Access> | undefined
}

const grants = new Map<string, Grant>()
/** Renewed this long before its end, so that no call leaves with a token that dies on the way. */
const marginMs = 60_000
const answerBytesMax = 64 * 1024
/** The rest of the ten minutes in which no more tokens are given out is not said. */
const tooManyTokensMs = 10 * 60_000
const neverAborted = new AbortController().signal

export class AccessTokens {
  readonly #settings: ZohoSettings
  readonly #network: CrmNetwork
  readonly #options: SessionOptions
  readonly #grant: Grant

  constructor(settings: ZohoSettings, network: CrmNetwork, options: SessionOptions) {
    this.#settings = settings
    this.#network = network
    this.#options = options
    const { accounts_url: url, client_id: id, client_secret: secret, refresh_token: refresh } = settings
    const key = createHash('sha256')
      .update(JSON.stringify([url, id, secret, refresh]))
      .digest('hex')
    this.#grant = grants.get(key) ?? { access: undefined, expiresAtMs: 0, renewing: undefined }
    grants.set(key, this.#grant)
  }

  /** @throws AppError CRM_UNAUTHORIZED or CRM_UNAVAILABLE. */
  async current(signal: AbortSignal): Promise<Access> {
    const { access, expiresAtMs } = this.#grant
    if (access !== undefined && Date.now() < expiresAtMs - marginMs) return access
    return this.#renewOnce(signal)
  }

  /** Called when Zoho refused `stale`; another session may have renewed meanwhile. */
  async renew(stale: Access, signal: AbortSignal): Promise<Access> {
    const { access } = this.#grant
    if (access !== undefined && access.token !== stale.token) return access
    return this.#renewOnce(signal)
  }

  #renewOnce(signal: AbortSignal): Promise<Access> {
    this.#grant.renewing ??= this.#request(signal).finally(() => {
      this.#grant.renewing = undefined
    })
    return untilAborted(this.#grant.renewing, signal)
  }

  async #request(signal: AbortSignal): Promise<Access> {
    await this.#options.gate.take(1, signal)
    if (signal.aborted)
      throw new AppError('CRM_UNAVAILABLE', 'The work was stopped before the sign-in', { retry: 'later' })
    const { accounts_url: url, client_id: id, client_secret: secret, refresh_token: refresh } = this.#settings
    const form = { grant_type: 'refresh_token', client_id: id, client_secret: secret, refresh_token: refresh }
    const { status, text } = await this.#network.send({
      method: 'POST',
      url: `${url}/oauth/v2/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      // Not bound to one session's signal: others wait for it.
      signal: neverAborted,
      timeoutMs: this.#settings.timeout_ms,
      answerBytesMax,
    })
    const body = parseJson(text)
    const granted = TokenReply.safeParse(body)
    if (status >= 300 || !granted.success) throw this.#refused(status, TokenRefusal.safeParse(body).data?.error)
    const access = { token: granted.data.access_token, apiDomain: granted.data.api_domain.replace(/(?<!\/)\/+$/, '') }
    if (!this.#network.reaches(access.apiDomain))
      throw new AppError('CRM_UNAUTHORIZED', 'The sign-in reply names an API domain that is no host of Zoho')
    this.#grant.access = access
    this.#grant.expiresAtMs = Date.now() + granted.data.expires_in * 1000
    return access
  }

  /** The code alone: Zoho's sentence may quote the token. */
  #refused(status: number, error: string | undefined): AppError {
    if (status === 429 || /access denied/i.test(error ?? '')) {
      this.#options.gate.observe({ dailyUsed: null, dailyLimit: null, blockedForMs: tooManyTokensMs })
      return new AppError('CRM_UNAVAILABLE', 'Zoho gives out no more access tokens for now', {
        retry: { afterMs: tooManyTokensMs, isQuota: true },
      })
    }
    if (status >= 500 || error === undefined)
      return new AppError('CRM_UNAVAILABLE', `Zoho answered the sign-in with no token (${status})`, { retry: 'later' })
    const code = /^[a-z_]{1,40}$/.test(error) ? error : 'no known reason'
    return new AppError(
      'CRM_UNAUTHORIZED',
      `Zoho refused the refresh token (${code}). What to do: ${renewSignIn}; accounts_url names the data centre.`,
    )
  }
}

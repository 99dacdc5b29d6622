/**
 * Access tokens and the API host. A refresh token is exchanged for access tokens of an hour. Zoho issues at most ten
 * in ten minutes, so they are shared within a process and many sessions renew only once.
 */
import { AppError } from '../../src/errors.ts'
import { AccessGrant, askForToken, type Bought, grantKey } from '../access-grant.ts'
import { parseJson } from '../answers.ts'
import type { SessionOptions } from '../contract.ts'
import type { Tokens } from '../crm-calls.ts'
import type { CrmNetwork } from '../crm-network.ts'
import { renewSignIn } from './administrator.ts'
import { TokenRefusal, TokenReply } from './replies.ts'
import type { ZohoSettings } from './settings.ts'

export interface Access {
  readonly token: string
  /** `https://www.zohoapis.in`, as Zoho returns it. */
  readonly apiDomain: string
}

const grants = new Map<string, AccessGrant<Access>>()
/** Zoho does not report how much is left of the ten minutes in which it issues no more tokens. */
const tooManyTokensMs = 10 * 60_000

export class AccessTokens implements Tokens<Access> {
  readonly #settings: ZohoSettings
  readonly #network: CrmNetwork
  readonly #options: SessionOptions
  readonly #grant: AccessGrant<Access>

  constructor(settings: ZohoSettings, network: CrmNetwork, options: SessionOptions) {
    this.#settings = settings
    this.#network = network
    this.#options = options
    const { accounts_url: url, client_id: id, client_secret: secret, refresh_token: refresh } = settings
    const key = grantKey([url, id, secret, refresh])
    this.#grant = grants.get(key) ?? new AccessGrant()
    grants.set(key, this.#grant)
  }

  current(signal: AbortSignal): Promise<Access> {
    return this.#grant.current(() => this.#buy(signal), signal)
  }

  renew(stale: Access, signal: AbortSignal): Promise<Access> {
    return this.#grant.renew(stale, () => this.#buy(signal), signal)
  }

  async #buy(signal: AbortSignal): Promise<Bought<Access>> {
    await this.#options.gate.take(1, signal)
    if (signal.aborted)
      throw new AppError('CRM_UNAVAILABLE', 'The work was stopped before the sign-in', { retry: 'later' })
    const { accounts_url: url, client_id: id, client_secret: secret, refresh_token: refresh } = this.#settings
    const form = { grant_type: 'refresh_token', client_id: id, client_secret: secret, refresh_token: refresh }
    const timeoutMs = this.#settings.timeout_ms
    const { status, text } = await askForToken(this.#network, `${url}/oauth/v2/token`, form, { timeoutMs })
    const body = parseJson(text)
    const granted = TokenReply.safeParse(body).data
    if (status >= 300 || granted === undefined) throw this.#refused(status, TokenRefusal.safeParse(body).data?.error)
    const access = { token: granted.access_token, apiDomain: granted.api_domain.replace(/(?<!\/)\/+$/, '') }
    if (!this.#network.reaches(access.apiDomain))
      throw new AppError('CRM_UNAUTHORIZED', 'The sign-in reply names an API domain that is not a host of Zoho')
    return { access, goodForMs: granted.expires_in * 1000 }
  }

  /** Only the code, since Zoho's message may quote the token. */
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

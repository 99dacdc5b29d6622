/**
 * Access tokens. A private app has one permanent token. An OAuth app has a refresh token, which is exchanged for
 * access tokens of half an hour; these are shared within a process, so that many sessions renew only once.
 */
import { AppError } from '../../src/errors.ts'
import { AccessGrant, askForToken, type Bought, grantKey } from '../access-grant.ts'
import { parseJson } from '../answers.ts'
import type { SessionOptions } from '../contract.ts'
import type { Tokens } from '../crm-calls.ts'
import type { CrmNetwork, CrmReply } from '../crm-network.ts'
import type { RenewSettings } from '../renew-settings.ts'
import { renewToken } from './administrator.ts'
import { excessiveWait, retryAfterMs } from './refusals.ts'
import { TokenRefusal, TokenReply } from './replies.ts'
import type { HubspotSettings } from './settings.ts'

export function accessTokensOf(
  settings: HubspotSettings,
  network: CrmNetwork,
  options: SessionOptions,
): Tokens<string> {
  const { access_token: token, client_id: id, client_secret: secret, refresh_token: refresh } = settings
  if (token !== undefined) return { current: async () => token, renew: async () => null }
  if (id === undefined || secret === undefined || refresh === undefined)
    throw new AppError('DESTINATION_INVALID', 'The HubSpot settings have no complete set of credentials')
  return new OauthTokens({ id, secret, baseUrl: settings.base_url, timeoutMs: settings.timeout_ms }, refresh, {
    ...options,
    network,
  })
}

interface OauthApp {
  readonly id: string
  readonly secret: string
  readonly baseUrl: string
  readonly timeoutMs: number
}

interface Grant {
  /** HubSpot may rotate the refresh token; the first one is the key of the grant, the latest one is sent. */
  refreshToken: string
  readonly tokens: AccessGrant<string>
}

const grants = new Map<string, Grant>()

const keyOf = (app: OauthApp, refreshToken: string) => grantKey([app.baseUrl, app.id, app.secret, refreshToken])

interface OauthOptions extends SessionOptions {
  readonly network: CrmNetwork
}

class OauthTokens implements Tokens<string> {
  readonly #app: OauthApp
  readonly #options: OauthOptions
  readonly #grant: Grant

  constructor(app: OauthApp, refreshToken: string, options: OauthOptions) {
    this.#app = app
    this.#options = options
    const key = keyOf(app, refreshToken)
    this.#grant = grants.get(key) ?? { refreshToken, tokens: new AccessGrant() }
    grants.set(key, this.#grant)
  }

  current(signal: AbortSignal): Promise<string> {
    return this.#grant.tokens.current(() => this.#buy(signal), signal)
  }

  renew(stale: string, signal: AbortSignal): Promise<string> {
    return this.#grant.tokens.renew(stale, () => this.#buy(signal), signal)
  }

  async #buy(signal: AbortSignal): Promise<Bought<string>> {
    await this.#options.gate.take(1, signal)
    const renew: RenewSettings =
      this.#options.renewSettings ??
      (async (spend) => (await spend({ refresh_token: this.#grant.refreshToken })).granted)
    return renew(async (values) => {
      const spent = String(values['refresh_token'])
      const { refreshToken = spent, ...granted } = await this.#spend(spent)
      this.#grant.refreshToken = refreshToken
      // Sessions that open with the stored, rotated token share the same grant.
      grants.set(keyOf(this.#app, refreshToken), this.#grant)
      return { granted, changed: refreshToken === spent ? null : { refresh_token: refreshToken } }
    })
  }

  async #spend(refreshToken: string): Promise<Bought<string> & { readonly refreshToken?: string | undefined }> {
    const { id, secret, baseUrl, timeoutMs } = this.#app
    const form = { grant_type: 'refresh_token', client_id: id, client_secret: secret, refresh_token: refreshToken }
    const reply = await askForToken(this.#options.network, `${baseUrl}/oauth/2026-03/token`, form, { timeoutMs })
    const body = parseJson(reply.text)
    if (reply.status >= 300) throw refusedGrant(reply, body)
    const granted = TokenReply.safeParse(body).data
    if (granted === undefined)
      throw new AppError('CRM_UNAVAILABLE', 'HubSpot answered the token request with no token', { retry: 'later' })
    const { access_token: access, expires_in: seconds, refresh_token: next } = granted
    return { access, goodForMs: seconds * 1000, refreshToken: next }
  }
}

/** The vendor's message is left out, since it may quote the token. */
function refusedGrant({ status, headers }: CrmReply, body: unknown): AppError {
  if (status === 429 || status >= 500) {
    const afterMs = retryAfterMs(headers['retry-after'])
    return new AppError(
      'CRM_UNAVAILABLE',
      `HubSpot refused the token request for now (${status})${excessiveWait(headers['retry-after'])}`,
      {
        retry: afterMs === undefined ? 'later' : status === 429 ? { afterMs, isQuota: true } : { afterMs },
      },
    )
  }
  return new AppError(
    'CRM_UNAUTHORIZED',
    `HubSpot refused the refresh token (${status} ${wordOf(body)}). What to do: ${renewToken(false)}.`,
  )
}

/** `BAD_REFRESH_TOKEN` or `invalid_grant`: this endpoint names the error in other members than the rest of the API. */
function wordOf(body: unknown): string {
  const { category, status, error } = TokenRefusal.catch({}).parse(body)
  const word = [category, status === 'error' ? undefined : status, error].find((each) => each !== undefined)
  return /^\w{1,40}$/.test(word ?? '') ? String(word) : 'no known reason'
}

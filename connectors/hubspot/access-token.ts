/**
 * Where the bearer token of a call comes from. A private app has one token for good. An OAuth app has a refresh token
 * that buys access tokens of half an hour; they are kept per process, so that many sessions renew once.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../../src/errors.ts'
import type { CallGate } from '../contract.ts'
import { refusalOf, retryAfterMs } from './refusals.ts'
import { faultOf, parseJson, TokenReply } from './replies.ts'
import type { HubspotSettings } from './settings.ts'

export interface AccessTokens {
  /** @throws AppError CRM_UNAUTHORIZED or CRM_UNAVAILABLE. */
  current(signal: AbortSignal): Promise<string>
  /** Called when HubSpot refused `stale`. @returns null where nothing can be renewed. */
  renew(stale: string, signal: AbortSignal): Promise<string | null>
}

export function accessTokensOf(settings: HubspotSettings, gate: CallGate): AccessTokens {
  const { access_token: token, client_id: id, client_secret: secret, refresh_token: refresh } = settings
  if (token !== undefined) return { current: async () => token, renew: async () => null }
  if (id === undefined || secret === undefined || refresh === undefined)
    throw new AppError('DESTINATION_INVALID', 'The HubSpot settings hold no whole set of credentials')
  return new OauthTokens({ id, secret, refresh, baseUrl: settings.base_url, timeoutMs: settings.timeout_ms }, gate)
}

interface OauthApp {
  readonly id: string
  readonly secret: string
  readonly refresh: string
  readonly baseUrl: string
  readonly timeoutMs: number
}

interface Grant {
  accessToken: string | undefined
  /** HubSpot may hand out a new refresh token; the first one names the grant, the last one is sent. */
  refreshToken: string
  expiresAtMs: number
  renewing: Promise<string> | undefined
}

const grants = new Map<string, Grant>()
/** Renewed this long before its end, so that no call leaves with a token that dies on the way. */
const marginMs = 60_000

class OauthTokens implements AccessTokens {
  readonly #app: OauthApp
  readonly #gate: CallGate
  readonly #grant: Grant

  constructor(app: OauthApp, gate: CallGate) {
    this.#app = app
    this.#gate = gate
    const key = createHash('sha256')
      .update(JSON.stringify([app.baseUrl, app.id, app.refresh]))
      .digest('hex')
    this.#grant = grants.get(key) ?? {
      accessToken: undefined,
      refreshToken: app.refresh,
      expiresAtMs: 0,
      renewing: undefined,
    }
    grants.set(key, this.#grant)
  }

  async current(signal: AbortSignal): Promise<string> {
    const { accessToken, expiresAtMs } = this.#grant
    if (accessToken !== undefined && Date.now() < expiresAtMs - marginMs) return accessToken
    return this.#renewOnce(signal)
  }

  async renew(stale: string, signal: AbortSignal): Promise<string> {
    const { accessToken } = this.#grant
    // Another session renewed while this call was on its way.
    if (accessToken !== undefined && accessToken !== stale) return accessToken
    return this.#renewOnce(signal)
  }

  #renewOnce(signal: AbortSignal): Promise<string> {
    this.#grant.renewing ??= this.#request(signal).finally(() => {
      this.#grant.renewing = undefined
    })
    return this.#grant.renewing
  }

  async #request(signal: AbortSignal): Promise<string> {
    await this.#gate.take(1, signal)
    const { id, secret, baseUrl, timeoutMs } = this.#app
    const form = { grant_type: 'refresh_token', client_id: id, client_secret: secret }
    // The SDK still calls the v1 endpoint, which ends in 2027-02. Not bound to one session's signal: others wait for it.
    const response = await fetch(`${baseUrl}/oauth/2026-03/token`, {
      method: 'POST',
      redirect: 'error',
      body: new URLSearchParams({ ...form, refresh_token: this.#grant.refreshToken }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new AppError('CRM_UNAVAILABLE', 'HubSpot could not be reached to renew the access token', {
        retry: 'later',
        cause,
      })
    })
    const body = parseJson(await response.text())
    if (!response.ok) throw refusedGrant(response, body)
    const granted = TokenReply.safeParse(body)
    if (!granted.success)
      throw new AppError('CRM_UNAVAILABLE', 'HubSpot answered the token request with no token', { retry: 'later' })
    this.#grant.accessToken = granted.data.access_token
    this.#grant.refreshToken = granted.data.refresh_token ?? this.#grant.refreshToken
    this.#grant.expiresAtMs = Date.now() + granted.data.expires_in * 1000
    return granted.data.access_token
  }
}

/** The vendor's sentence is left out: it may quote the token. */
function refusedGrant(response: Response, body: unknown): AppError {
  const { status } = response
  if (status === 429 || status >= 500) {
    const afterMs = retryAfterMs(response.headers.get('retry-after'))
    return new AppError('CRM_UNAVAILABLE', `HubSpot refused the token request for now (${status})`, {
      retry: afterMs === undefined ? 'later' : { afterMs },
    })
  }
  const { code } = refusalOf(faultOf(body))
  return new AppError(
    'CRM_UNAUTHORIZED',
    `HubSpot refused the refresh token (${status} ${code}); authorise the app again`,
  )
}

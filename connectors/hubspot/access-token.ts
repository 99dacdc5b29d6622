/**
 * Where the bearer token of a call comes from. A private app has one token for good. An OAuth app has a refresh token
 * that buys access tokens of half an hour; they are kept per process, so that many sessions renew once.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../../src/errors.ts'
import { parseJson } from '../answers.ts'
import type { SessionOptions } from '../contract.ts'
import type { CrmNetwork, CrmReply } from '../crm-network.ts'
import { untilAborted } from '../until-aborted.ts'
import { excessiveWait, refusalOf, retryAfterMs } from './refusals.ts'
import { faultOf, TokenReply } from './replies.ts'
import type { HubspotSettings } from './settings.ts'

export interface AccessTokens {
  /** @throws AppError CRM_UNAUTHORIZED or CRM_UNAVAILABLE. */
  current(signal: AbortSignal): Promise<string>
  /** Called when HubSpot refused `stale`. @returns null where nothing can be renewed. */
  renew(stale: string, signal: AbortSignal): Promise<string | null>
}

export function accessTokensOf(settings: HubspotSettings, network: CrmNetwork, options: SessionOptions): AccessTokens {
  const { access_token: token, client_id: id, client_secret: secret, refresh_token: refresh } = settings
  if (token !== undefined) return { current: async () => token, renew: async () => null }
  if (id === undefined || secret === undefined || refresh === undefined)
    throw new AppError('DESTINATION_INVALID', 'The HubSpot settings hold no whole set of credentials')
  return new OauthTokens({ id, secret, baseUrl: settings.base_url, timeoutMs: settings.timeout_ms }, refresh, {
    ...options,
    network,
    keep: async (refreshToken) => options.keepSettings?.({ ...settings, refresh_token: refreshToken }),
  })
}

interface OauthApp {
  readonly id: string
  readonly secret: string
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
const answerBytesMax = 64 * 1024
const neverAborted = new AbortController().signal

const keyOf = (app: OauthApp, refreshToken: string) =>
  createHash('sha256')
    .update(JSON.stringify([app.baseUrl, app.id, app.secret, refreshToken]))
    .digest('hex')

interface OauthOptions extends SessionOptions {
  readonly network: CrmNetwork
  keep(refreshToken: string): Promise<void>
}

class OauthTokens implements AccessTokens {
  readonly #app: OauthApp
  readonly #options: OauthOptions
  readonly #grant: Grant

  constructor(app: OauthApp, refreshToken: string, options: OauthOptions) {
    this.#app = app
    this.#options = options
    const key = keyOf(app, refreshToken)
    this.#grant = grants.get(key) ?? { accessToken: undefined, refreshToken, expiresAtMs: 0, renewing: undefined }
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
    return untilAborted(this.#grant.renewing, signal)
  }

  async #request(signal: AbortSignal): Promise<string> {
    await this.#options.gate.take(1, signal)
    const { id, secret, baseUrl, timeoutMs } = this.#app
    const form = { grant_type: 'refresh_token', client_id: id, client_secret: secret }
    const reply = await this.#options.network.send({
      method: 'POST',
      url: `${baseUrl}/oauth/2026-03/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, refresh_token: this.#grant.refreshToken }).toString(),
      // Not bound to one session's signal: others wait for it.
      signal: neverAborted,
      timeoutMs,
      answerBytesMax,
    })
    const body = parseJson(reply.text)
    if (reply.status >= 300) throw refusedGrant(reply, body)
    const granted = TokenReply.safeParse(body)
    if (!granted.success)
      throw new AppError('CRM_UNAVAILABLE', 'HubSpot answered the token request with no token', { retry: 'later' })
    this.#grant.accessToken = granted.data.access_token
    this.#grant.expiresAtMs = Date.now() + granted.data.expires_in * 1000
    await this.#keep(granted.data.refresh_token)
    return granted.data.access_token
  }

  /** A rotated refresh token names the same grant, for sessions that open with the stored one. */
  async #keep(refreshToken: string | undefined): Promise<void> {
    if (refreshToken === undefined || refreshToken === this.#grant.refreshToken) return
    this.#grant.refreshToken = refreshToken
    grants.set(keyOf(this.#app, refreshToken), this.#grant)
    await this.#options.keep(refreshToken)
  }
}

/** The vendor's sentence is left out: it may quote the token. */
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
  const { code } = refusalOf(faultOf(body))
  return new AppError(
    'CRM_UNAUTHORIZED',
    `HubSpot refused the refresh token (${status} ${code}); authorise the app again`,
  )
}

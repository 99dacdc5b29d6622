/**
 * The access token of an API key: requested at the first call, and renewed shortly before it expires, once for all
 * waiting calls. If the refresh token is refused, the key logs in again.
 */
import createClient from 'openapi-fetch'
import { dataOf, PanjiApiError } from './api-error.ts'
import type { paths } from './api-types.ts'

export interface AccessToken {
  readonly accessToken: string
}

interface Tokens extends AccessToken {
  readonly refreshToken: string
  /** By this machine's clock, in milliseconds. */
  readonly renewAt: number
}

export interface Session {
  /** @throws PanjiApiError if the key is refused. */
  token(): Promise<AccessToken>
  /** A new token to replace one that the API refused. */
  tokenAfter(refused: AccessToken): Promise<AccessToken>
}

const renewBeforeExpiryMs = 30_000

export function createSession(options: { baseUrl: string; apiKey: string; fetch: typeof globalThis.fetch }): Session {
  const { baseUrl, apiKey, fetch } = options
  const api = createClient<paths>({ baseUrl, fetch })
  let tokens: Tokens | undefined
  let renewal: Promise<Tokens> | undefined

  async function logIn(): Promise<Tokens> {
    const { token } = dataOf(await api.POST('/api/auth/login', { body: { api_key: apiKey } }))
    return tokensOf(token.access_token, token.refresh_token)
  }

  async function renew(): Promise<Tokens> {
    if (!tokens) return logIn()
    const { refreshToken } = tokens
    const answer = await api.POST('/api/auth/refresh-token', { body: { refresh_token: refreshToken } })
    if (answer.response.status === 401) return logIn()
    return tokensOf(dataOf(answer).access_token, refreshToken)
  }

  /** Concurrent callers share one renewal. */
  async function renewed(): Promise<Tokens> {
    renewal ??= renew().finally(() => {
      renewal = undefined
    })
    tokens = await renewal
    return tokens
  }

  return {
    token: async () => (tokens && Date.now() < tokens.renewAt ? tokens : renewed()),
    // Another call may have renewed it in the meantime.
    tokenAfter: async (refused) => (tokens && tokens !== refused ? tokens : renewed()),
  }
}

/** Uses the token's own lifetime, counted from now, so that the clocks of client and server need not agree. */
function tokensOf(accessToken: string, refreshToken: string): Tokens {
  const claims: unknown = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
  if (typeof claims !== 'object' || claims === null || !('exp' in claims) || !('iat' in claims)) {
    throw new PanjiApiError(200, { detail: 'The access token names no lifetime.' })
  }
  const lifetimeMs = (Number(claims.exp) - Number(claims.iat)) * 1000
  return { accessToken, refreshToken, renewAt: Date.now() + lifetimeMs - renewBeforeExpiryMs }
}

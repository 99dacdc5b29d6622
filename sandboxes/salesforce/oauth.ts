/**
 * The consent page, and the token endpoint: authorization code with PKCE, JWT bearer (RS256, checked against the
 * public key), client credentials and refresh token.
 */
import { createPublicKey, randomBytes } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import { ConsentDesk } from '../consent.ts'
import type { WireAnswer, WireCall } from '../kit.ts'
import { userId, username } from './people.ts'
import type { Org } from './state.ts'

export interface SandboxApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly refreshToken: string
  /** Enables the JWT flow. */
  readonly jwt?: { readonly username: string; readonly publicKey: string; readonly audience: string }
  /** Issues a new refresh token on each use; the previous one becomes invalid. */
  readonly rotateRefreshToken?: boolean
  /** Treats a reused refresh token as stolen: its successor becomes invalid too. */
  readonly revokesReused?: boolean
  /** True for login.salesforce.com, which accepts no client credentials; those go to the org's own domain. */
  readonly isLoginHost?: boolean
  /** Granted scopes; default `api`. */
  readonly scope?: string
  /** The error for every sign-in, instead of a token. */
  readonly refuses?: { readonly error: string; readonly description: string }
}

export class TokenEndpoint {
  readonly #org: Org
  readonly #app: SandboxApp
  #refreshToken: string
  #rotations = 0
  readonly #spent = new Set<string>()
  readonly #consent = new ConsentDesk()

  constructor(org: Org, app: SandboxApp) {
    this.#org = org
    this.#app = app
    this.#refreshToken = app.refreshToken
  }

  async answer(form: ReadonlyMap<string, string>, baseUrl: string): Promise<WireAnswer> {
    const { refuses } = this.#app
    if (refuses) return refused(refuses.error, refuses.description)
    switch (form.get('grant_type')) {
      case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
        return this.#byAssertion(form.get('assertion') ?? '', baseUrl)
      case 'client_credentials':
        if (this.#app.isLoginHost) return refused('invalid_grant', 'request not supported on this domain')
        if (!this.#knowsClient(form)) return refused('invalid_client', 'invalid client credentials')
        return this.#granted(baseUrl)
      case 'authorization_code':
        if (!this.#knowsClient(form)) return refused('invalid_client', 'invalid client credentials')
        if (!this.#consent.redeem(form)) return refused('invalid_grant', 'expired authorization code')
        return this.#granted(baseUrl, { refresh_token: this.#refreshToken })
      case 'refresh_token':
        return this.#byRefreshToken(form, baseUrl)
      default:
        return refused('unsupported_grant_type', 'grant type not supported')
    }
  }

  get refreshToken(): string {
    return this.#refreshToken
  }

  consent(call: WireCall): WireAnswer {
    return this.#consent.answer(call, 'Salesforce', this.#app.clientId)
  }

  /** A user revokes the app's access; another sign-in grants it again. */
  revoke(): void {
    this.#refreshToken = `sandbox-refresh-${randomBytes(18).toString('base64url')}`
    this.#org.expireTokens()
  }

  async #byAssertion(assertion: string, baseUrl: string): Promise<WireAnswer> {
    const { jwt, clientId } = this.#app
    if (!jwt) return refused('invalid_grant', "user hasn't approved this consumer")
    try {
      const { payload } = await jwtVerify(assertion, createPublicKey(jwt.publicKey), {
        algorithms: ['RS256'],
        issuer: clientId,
        subject: jwt.username,
        audience: jwt.audience,
        requiredClaims: ['exp'],
      })
      if ((payload.exp ?? 0) > Date.now() / 1000 + 5 * 60) return refused('invalid_grant', 'exp is too far away')
      return this.#granted(baseUrl)
    } catch (error) {
      if (error instanceof errors.JOSEError) return refused('invalid_grant', `invalid assertion: ${error.message}`)
      throw error
    }
  }

  #byRefreshToken(form: ReadonlyMap<string, string>, baseUrl: string): WireAnswer {
    if (form.get('client_id') !== this.#app.clientId) return refused('invalid_client_id', 'client identifier invalid')
    if (form.get('refresh_token') !== this.#refreshToken) {
      if (this.#app.revokesReused && this.#spent.has(form.get('refresh_token') ?? '')) this.revoke()
      return refused('invalid_grant', 'expired access/refresh token')
    }
    if (!this.#app.rotateRefreshToken) return this.#granted(baseUrl)
    this.#spent.add(this.#refreshToken)
    this.#rotations += 1
    this.#refreshToken = `${this.#app.refreshToken}.${this.#rotations}`
    return this.#granted(baseUrl, { refresh_token: this.#refreshToken })
  }

  /** The token's user, for the identity URL and `userinfo`. */
  identity(baseUrl: string): WireAnswer {
    const names = {
      username: 'sandbox@panji.example',
      preferred_username: 'sandbox@panji.example',
      display_name: 'Sandbox',
    }
    const urls = {
      rest: `${baseUrl}/services/data/v{version}/`,
      sobjects: `${baseUrl}/services/data/v{version}/sobjects/`,
    }
    const id = `${baseUrl}/id/${this.#org.orgId}/${userId}`
    return { status: 200, body: { id, sub: id, user_id: userId, organization_id: this.#org.orgId, ...names, urls } }
  }

  /** The signed-in user's record, which the vendor's command line reads at its sign-in. */
  user(): Readonly<Record<string, unknown>> {
    return { attributes: { type: 'User' }, Id: userId, Username: username, Name: 'Sandbox', Email: username }
  }

  #knowsClient(form: ReadonlyMap<string, string>): boolean {
    const { clientId, clientSecret } = this.#app
    return form.get('client_id') === clientId && form.get('client_secret') === clientSecret
  }

  #granted(baseUrl: string, more: object = {}): WireAnswer {
    const body = {
      access_token: this.#org.issueToken(),
      scope: this.#app.scope ?? 'api',
      instance_url: baseUrl,
      id: `${baseUrl}/id/${this.#org.orgId}/${userId}`,
      token_type: 'Bearer',
      issued_at: String(Date.now()),
      signature: 'sandbox',
      ...more,
    }
    return { status: 200, body }
  }
}

function refused(error: string, description: string): WireAnswer {
  return { status: 400, body: { error, error_description: description } }
}

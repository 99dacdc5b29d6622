/**
 * The authorization code flow with PKCE (OpenID Connect Core 1.0): the URL that a browser is sent to, and who came back
 * according to the provider. Only a token that it signed for this Panji and this browser is trusted.
 */
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { challengeOf, isStateOf, nonceOf, stateOf, verifierOf } from './browser-secret.ts'
import { type OidcSettings, redirectUriOf } from './oidc-settings.ts'
import type { Provider } from './provider.ts'
import { callProvider } from './provider-call.ts'

/** Asymmetric signatures only: an HMAC with the client's secret proves too little. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const clockToleranceSeconds = 60

/** Some providers write it as text or as a number. */
const said = z.union([z.boolean(), z.string(), z.number()]).transform((value) => /^(?:true|1)$/.test(String(value)))
const Tokens = z.object({ id_token: z.string().max(20_000), access_token: z.string().max(20_000).optional() })
const Address = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional(),
  email_verified: said.optional(),
  /** Of Entra, which has no `email_verified`: the tenant has proved that it owns the domain of the address. */
  xms_edov: said.optional(),
})
const Claims = Address.extend({
  nonce: z.string(),
  azp: z.string().optional(),
})

export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
  /** Only where the provider has verified it. */
  readonly email: string | undefined
}

export function authorizationUrl(settings: OidcSettings, { metadata }: Provider, secret: string): string {
  const url = new URL(metadata.authorization_endpoint)
  const parameters = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUriOf(settings),
    scope: 'openid email profile',
    state: stateOf(secret),
    nonce: nonceOf(secret),
    code_challenge: challengeOf(secret),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

export interface CameBack {
  /** Secret of the cookie. */
  readonly secret: string
  readonly state: string
  readonly code: string
  /** RFC 9207: the issuer that redirected the browser. */
  readonly iss: string | undefined
}

/** @throws AppError OIDC_REFUSED for a sign-in that was not started here or does not match, OIDC_UNAVAILABLE. */
export async function identify(settings: OidcSettings, provider: Provider, back: CameBack): Promise<OidcIdentity> {
  const { metadata, keyOf } = provider
  const asksForIss = metadata.authorization_response_iss_parameter_supported
  if (!isStateOf(back.secret, back.state)) throw refused('This sign-in was started elsewhere or has expired.')
  if (back.iss === undefined ? asksForIss : back.iss !== settings.issuer)
    throw refused('A different provider answered.')
  const tokens = Tokens.safeParse(await exchange(settings, provider, back))
  if (!tokens.success) throw refused('The provider returned no ID token.')
  const claims = await verified(tokens.data.id_token, keyOf, settings)
  if (claims.nonce !== nonceOf(back.secret)) throw refused('The ID token belongs to another sign-in.')
  if (claims.azp !== undefined && claims.azp !== settings.clientId) throw refused('The ID token is for another client.')
  const profile = claims.email === undefined ? await userInfo(metadata, tokens.data.access_token, claims) : claims
  const isVerified = profile.email_verified ?? profile.xms_edov ?? false
  const address = isVerified ? profile.email?.trim().toLowerCase() : undefined
  return { issuer: settings.issuer, subject: claims.sub, email: address }
}

/** For an ID token without an e-mail address: a provider may return it only here (Core 5.4). */
async function userInfo(
  { userinfo_endpoint: url }: Provider['metadata'],
  token: string | undefined,
  claims: z.output<typeof Claims>,
): Promise<z.output<typeof Address>> {
  if (url === undefined || token === undefined) return claims
  const profile = Address.safeParse(await callProvider(url, { authorization: `Bearer ${token}` }))
  if (profile.success && profile.data.sub === claims.sub) return profile.data
  throw refused('The provider returned a different person.')
}

/**
 * Sends the client's secret in the way that the provider supports: in the header, or, if it only lists that, in the
 * form.
 */
function exchange(settings: OidcSettings, { metadata }: Provider, { secret, code }: CameBack): Promise<unknown> {
  const { clientId, clientSecret } = settings
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUriOf(settings),
    code_verifier: verifierOf(secret),
  }
  if (metadata.token_endpoint_auth_methods_supported.includes('client_secret_basic')) {
    const pair = [clientId, clientSecret.reveal()].map(encodeURIComponent).join(':')
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    return callProvider(metadata.token_endpoint, { form, authorization })
  }
  const withSecret = { ...form, client_id: clientId, client_secret: clientSecret.reveal() }
  return callProvider(metadata.token_endpoint, { form: withSecret })
}

async function verified(token: string, keyOf: Provider['keyOf'], { issuer, clientId }: OidcSettings) {
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      ...{ issuer, audience: clientId, algorithms, clockTolerance: clockToleranceSeconds },
      requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
    })
    return Claims.parse(payload)
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError)
      throw refused('The ID token is not valid.', error)
    throw error
  }
}

const refused = (why: string, cause?: unknown): AppError =>
  new AppError('OIDC_REFUSED', why, { cause, extra: { reason: 'failed' } })

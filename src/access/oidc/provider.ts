/** The provider's metadata (OpenID Connect Discovery 1.0) and its keys, both cached for ten minutes. */
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { z } from 'zod'
import type { OidcSettings } from './oidc-settings.ts'
import { callProvider, providerAway } from './provider-call.ts'

/** TLS, unless the provider is on this machine. */
const endpoint = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname))
}, 'must be an https address')

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})
const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

export interface Provider {
  readonly metadata: z.output<typeof Metadata>
  readonly keyOf: ReturnType<typeof createLocalJWKSet>
}

const keptMs = 600_000

/** Reads them at first use, once for concurrent callers. */
export function createProvider({ issuer }: OidcSettings): () => Promise<Provider> {
  let kept: { readonly until: number; readonly provider: Promise<Provider> } | undefined
  return () => {
    if (kept === undefined || kept.until < Date.now()) {
      const provider = readProvider(issuer)
      const read = { until: Date.now() + keptMs, provider }
      kept = read
      // The next caller retries.
      provider.catch(() => {
        if (kept === read) kept = undefined
      })
    }
    return kept.provider
  }
}

/** @throws AppError OIDC_UNAVAILABLE */
async function readProvider(issuer: string): Promise<Provider> {
  const metadata = Metadata.safeParse(
    await callProvider(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
  )
  if (!metadata.success) throw providerAway(metadata.error)
  if (metadata.data.issuer !== issuer) throw providerAway(new Error('its issuer is a different one'))
  const keys = Keys.safeParse(await callProvider(metadata.data.jwks_uri))
  if (!keys.success) throw providerAway(keys.error)
  return { metadata: metadata.data, keyOf: createLocalJWKSet(keys.data as JSONWebKeySet) }
}

/**
 * The operator's OIDC provider, at which people of accounts sign in, and the URL that it redirects their browsers to.
 */
import type { Secret } from '../../domain/secret.ts'

export interface OidcSettings {
  /** As the provider spells itself in its tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret
  /** Label of its button. */
  readonly name: string
  /** Origin under which browsers reach this Panji. */
  readonly publicUrl: string
}

/** Where a browser starts, and where the provider redirects it to. */
export const oidcPath = '/app/oidc'
export const oidcCallbackPath = '/app/oidc/callback'
export const redirectUriOf = ({ publicUrl }: OidcSettings): string => `${publicUrl}${oidcCallbackPath}`

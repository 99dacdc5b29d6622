/** The operator's OIDC provider, at which people of accounts sign in, and where it sends their browsers back to. */
import type { Secret } from '../../domain/secret.ts'

export interface OidcSettings {
  /** As the provider writes itself in its tokens. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret
  /** As its button names it. */
  readonly name: string
  /** Origin under which browsers reach this Panji. */
  readonly publicUrl: string
}

/** Where a browser begins, and where the provider sends it back to. */
export const oidcPath = '/app/oidc'
export const oidcCallbackPath = '/app/oidc/callback'
export const redirectUriOf = ({ publicUrl }: OidcSettings): string => `${publicUrl}${oidcCallbackPath}`

/**
 * Scopes of an API key. `read` changes nothing, `write` manages screeners and watchlists, `keys` creates further
 * keys; the others are what they say.
 */
export const keyScopes = ['read', 'write', 'order', 'deliver', 'keys'] as const
export type KeyScope = (typeof keyScopes)[number]

/** @returns the requested scopes that are not held, in the order of `keyScopes`. */
export function scopesMissing(requested: readonly KeyScope[], held: readonly KeyScope[]): KeyScope[] {
  return keyScopes.filter((scope) => requested.includes(scope) && !held.includes(scope))
}

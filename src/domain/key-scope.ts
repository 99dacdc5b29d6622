/** What an API key may be used for. `read` changes nothing, `write` keeps screeners and watchlists, `keys` makes further keys; the others say so themselves. */
export const keyScopes = ['read', 'write', 'order', 'deliver', 'keys'] as const
export type KeyScope = (typeof keyScopes)[number]

/** @returns the scopes that are asked for and not held, in the order of `keyScopes`. */
export function scopesMissing(asked: readonly KeyScope[], held: readonly KeyScope[]): KeyScope[] {
  return keyScopes.filter((scope) => asked.includes(scope) && !held.includes(scope))
}

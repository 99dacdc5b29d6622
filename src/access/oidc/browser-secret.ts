/**
 * State, nonce and PKCE verifier of a sign-in in progress. All are derived, one way, from a secret that only the
 * browser has, in a cookie, so nothing is stored, and a code from another browser's sign-in is useless here.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export const newBrowserSecret = (): string => randomBytes(32).toString('base64url')

const derived = (secret: string, use: string): string =>
  createHash('sha256').update(`panji oidc ${use} ${secret}`).digest('base64url')

export const stateOf = (secret: string): string => derived(secret, 'state')
export const nonceOf = (secret: string): string => derived(secret, 'nonce')
export const verifierOf = (secret: string): string => derived(secret, 'verifier')
/** S256 of RFC 7636. */
export const challengeOf = (secret: string): string =>
  createHash('sha256').update(verifierOf(secret)).digest('base64url')

export function isStateOf(secret: string, given: string): boolean {
  const expected = Buffer.from(stateOf(secret))
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

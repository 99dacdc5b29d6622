/**
 * Publishers' addresses may contain a user, a password or a token. Rows, logs, messages and replies only show scheme,
 * host and path; `?…` marks a hidden rest.
 */
import { visible } from './visible.ts'

/** A path has no scheme, and `file:` names a path. */
export const isAddress = (input: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(input) && !/^file:/i.test(input)

export const isRemote = (input: string): boolean => /^https?:/i.test(input)

/** Also hides parts of malformed addresses; any other text is returned with its invisible characters made visible. */
export function bareAddress(address: string): string {
  if (!isAddress(address) && !isRemote(address)) return visible(address)
  const url = URL.parse(address)
  if (!url || url.host === '') {
    const scheme = /^[^:]*:/.exec(address)?.[0] ?? ''
    return `${visible(scheme)}…`
  }
  return visible(`${url.protocol}//${url.host}${url.pathname}${url.search || url.hash ? '?…' : ''}`)
}

/** Whether any part is hidden. A malformed address cannot be fetched, so it hides nothing. */
export function hidesSomething(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username || url.password || url.search || url.hash) !== ''
}

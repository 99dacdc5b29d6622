/**
 * Addresses of publishers may hold a user, a password or a token. What is shown of one, in rows, logs, messages and
 * answers, is its scheme, host and path; `?…` says that there is more.
 */
import { visible } from './visible.ts'

/** A path has no scheme, and `file:` names one. */
export const isAddress = (input: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(input) && !/^file:/i.test(input)

export const isRemote = (input: string): boolean => /^https?:/i.test(input)

/** Also of what only looks like an address, and of a text that is none: anything else is returned with its text visible. */
export function bareAddress(address: string): string {
  if (!isAddress(address) && !isRemote(address)) return visible(address)
  const url = URL.parse(address)
  if (!url || url.host === '') {
    const scheme = /^[^:]*:/.exec(address)?.[0] ?? ''
    return `${visible(scheme)}…`
  }
  return visible(`${url.protocol}//${url.host}${url.pathname}${url.search || url.hash ? '?…' : ''}`)
}

/** Whether anything of it is not shown. An address that cannot be read is fetched by nobody, and need not be kept. */
export function hidesSomething(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && (url.username || url.password || url.search || url.hash) !== ''
}

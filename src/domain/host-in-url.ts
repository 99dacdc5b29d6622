/** A host or address as written in a URL: an IPv6 address in brackets. */
import { isIPv6 } from 'node:net'

export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

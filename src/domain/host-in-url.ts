/** A host or an address as it stands in a URL: an IPv6 address in brackets. */
import { isIPv6 } from 'node:net'

export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

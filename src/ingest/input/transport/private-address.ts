/**
 * Keeps downloads away from private networks. The address that is connected to is checked, at every hop of a redirect,
 * not the one that an earlier question to DNS gave.
 */
import { lookup as resolveName } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { bareAddress } from '../../../domain/bare-address.ts'
import { AppError } from '../../../errors.ts'

/** The part of IPv6 that is given out (RFC 4291, 2.4); the rest leads nowhere yet. */
const given = ipaddr.parseCIDR('2000::/3')

/**
 * Whether anything but a host of the internet may answer there. Addresses that carry another one (mapped, NAT64, 6to4,
 * Teredo) count as private whatever they carry: nobody publishes under them.
 */
export function isPrivate(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const parsed = ipaddr.parse(address)
  return parsed.range() !== 'unicast' || (parsed.kind() === 'ipv6' && !parsed.match(given))
}

/** Connecting to a literal address asks no resolver, so it is looked at before. @throws AppError SOURCE_UNREADABLE */
export function refusePrivateLiteral(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isPrivate(host)) throw privateAddress(url.href, host)
}

/** Resolves names for connections, and refuses those that lead into a private network. */
export const publicLookup = ((host: string, options: object, done: (...answer: unknown[]) => void): void => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    const refused = addresses?.find(({ address }) => isPrivate(address))
    if (error) done(error)
    else if (refused) done(privateAddress(host, refused.address))
    else if ('all' in options && options.all === true) done(null, addresses)
    else done(null, addresses[0]?.address, addresses[0]?.family)
  })
}) as typeof resolveName

function privateAddress(address: string, resolved: string): AppError {
  return new AppError(
    'SOURCE_UNREADABLE',
    `${bareAddress(address)} could not be fetched: ${resolved} is a private address; PANJI_ALLOW_PRIVATE_SOURCES=true allows it.`,
  )
}

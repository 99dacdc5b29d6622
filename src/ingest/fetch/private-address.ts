/**
 * Keeps downloads away from private networks. The address that is connected to is checked, at every hop of a redirect,
 * not the one that an earlier question to DNS gave.
 */
import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { AppError } from '../../errors.ts'

const privateRanges = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv6')
}

/** BlockList itself sees through IPv4 addresses mapped into IPv6. */
export function isPrivate(address: string): boolean {
  return privateRanges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
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
    `${address} could not be fetched: ${resolved} is a private address; PANJI_ALLOW_PRIVATE_SOURCES=true allows it.`,
  )
}

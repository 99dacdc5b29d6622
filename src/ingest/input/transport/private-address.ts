/**
 * Keeps downloads out of private networks. It checks the address actually connected to, at every hop of a redirect, not
 * the result of an earlier DNS query.
 */
import { lookup as resolveName } from 'node:dns'
import { isIP } from 'node:net'
import { bareAddress } from '../../../domain/bare-address.ts'
import { isPublicAddress } from '../../../domain/public-address.ts'
import { AppError } from '../../../errors.ts'

/**
 * A literal address needs no resolver, so it is checked beforehand.
 * @throws AppError SOURCE_UNREADABLE
 */
export function refusePrivateLiteral(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw privateAddress(url.href, host)
}

/** Resolves names for connections, and refuses those in a private network. */
export const publicLookup = ((host: string, options: object, done: (...answer: unknown[]) => void): void => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    const refused = addresses?.find(({ address }) => !isPublicAddress(address))
    if (error) done(error)
    else if (refused) done(privateAddress(host, refused.address))
    else if ('all' in options && options.all === true) done(null, addresses)
    else done(null, addresses[0]?.address, addresses[0]?.family)
  })
}) as typeof resolveName

/** The same, except for one host, which may be private. */
export const lookupFor = (privateHost: string | undefined): typeof resolveName =>
  ((host: string, options: object, done: () => void): void =>
    host === privateHost ? resolveName(host, options, done) : publicLookup(host, options, done)) as typeof resolveName

function privateAddress(address: string, resolved: string): AppError {
  return new AppError(
    'SOURCE_UNREADABLE',
    `${bareAddress(address)} could not be fetched: ${resolved} is a private address; PANJI_ALLOW_PRIVATE_SOURCES=true allows it.`,
  )
}

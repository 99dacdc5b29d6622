/**
 * Client addresses in canonical form: IPv4 inside IPv6 becomes the IPv4 address, IPv6 is written short and in lower
 * case. One IPv6 client can use all 2^64 addresses of its network, so limits per client count by /64.
 */
import { isIP } from 'node:net'

/** Stands for a missing address, after a closed socket or an invalid header. */
export const unknownAddress = 'unknown'

/** @returns the canonical address, or `unknown` for an invalid one. */
export function addressOf(ip: string | undefined): string {
  const [text = ''] = (ip ?? '').split('%')
  const version = isIP(text)
  if (version === 4) return text
  if (version === 0) return unknownAddress
  const short = shortForm(text)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (!mapped) return short
  const [high, low] = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '0', 16))
  return [(high ?? 0) >> 8, (high ?? 0) & 255, (low ?? 0) >> 8, (low ?? 0) & 255].join('.')
}

/** The key by which a client is counted: the IPv4 address, or the /64 of the IPv6 address. */
export function addressBucket(ip: string | undefined): string {
  const address = addressOf(ip)
  return isIP(address) === 6 ? `${shortForm(`${groupsOf(address).slice(0, 4).join(':')}::`)}/64` : address
}

/** Fewer bits would cover a large part of the internet, which must be a typing error. */
const bitsMin = { 32: 8, 128: 16 } as const

/**
 * @param network an address or `address/bits`. @returns its canonical form, or undefined if it is invalid or too
 * wide.
 */
export function networkOf(network: string): string | undefined {
  const [text = '', bits, ...more] = network.split('/')
  const address = addressOf(text)
  if (address === unknownAddress || more.length > 0) return undefined
  if (bits === undefined) return addressBucket(address)
  const width = isIP(address) === 6 ? 128 : 32
  // The prefix length of an IPv4 network written as IPv6 counts from the start of the IPv6 address.
  const given = /^\d{1,3}$/.test(bits) ? Number(bits) - (isIP(text) === 6 && width === 32 ? 96 : 0) : -1
  if (given < bitsMin[width] || given > width) return undefined
  return given === 32 && width === 32 ? address : `${address}/${given}`
}

/** The URL parser writes IPv6 in the canonical short form of RFC 5952. */
const shortForm = (ipv6: string) => new URL(`http://[${ipv6}]/`).hostname.slice(1, -1)

/** The eight groups of a short form. */
function groupsOf(short: string): string[] {
  const [head = '', tail] = short.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
}

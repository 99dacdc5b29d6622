/** Whether an IP address is public: calls on behalf of others may only go to public addresses. */
import ipaddr from 'ipaddr.js'

/** The part of IPv6 that is allocated (RFC 4291, 2.4); the rest is unused or embeds an IPv4 address. */
const given = ipaddr.parseCIDR('2000::/3')
/** In a public range, but answered by the machine's own cloud: Azure's services to its hosts. */
const ofClouds: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * False for addresses that embed another one (mapped, NAT64, 6to4, Teredo), whatever it is, since no one publishes
 * under them; and for anything that is not an address, such as a name.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || ofClouds.has(address.toString())) return false
  return address.kind() === 'ipv4' || address.match(given)
}

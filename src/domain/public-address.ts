/** Whether an IP address is that of a host of the internet: what is called on behalf of others goes to these alone. */
import ipaddr from 'ipaddr.js'

/** The part of IPv6 that is given out (RFC 4291, 2.4); the rest leads nowhere, or to an IPv4 address that it carries. */
const given = ipaddr.parseCIDR('2000::/3')
/** Public by its range, and answered by the machine's own cloud: Azure's services to its hosts. */
const ofClouds: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Addresses that carry another one (mapped, NAT64, 6to4, Teredo) are none whatever they carry: nobody publishes under them.
 * False for what is no address, as a name is none.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || ofClouds.has(address.toString())) return false
  return address.kind() === 'ipv4' || address.match(given)
}

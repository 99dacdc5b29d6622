/**
 * Which addresses belong to a CRM. Credentials and leads are sent only to the vendor's own hosts over https, or to
 * the sandbox that issued the settings, whatever a settings file, a sign-in reply or a resolver says.
 */
import { lookup as resolveName } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { passFits } from '../sandboxes/pass.ts'
import { isPublicAddress } from '../src/domain/public-address.ts'

export interface CrmHosts {
  /** The vendor's name, `Salesforce`. */
  readonly crm: string
  /** True for the vendor's own hosts. */
  isVendorHost(hostname: string): boolean
}

/** @returns why the address does not belong to this CRM, as the end of a sentence that names it; null if it does. */
export function faultOfAddress(hosts: CrmHosts, address: string, pass: string | undefined): string | null {
  if (!URL.canParse(address)) return 'must be an address'
  const url = new URL(address)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return 'must be an address without user, password, query or fragment'
  return isReachable(hosts, url, pass) ? null : notTheirs(hosts, pass)
}

function notTheirs({ crm }: CrmHosts, pass: string | undefined): string {
  return pass === undefined
    ? `must be https on a host of ${crm}; an address of this machine is taken only from settings that a sandbox printed`
    : 'must be the address of the sandbox that issued the sandbox_pass'
}

/** Checked before every call, for its own address. */
export function isReachable(hosts: CrmHosts, url: URL, pass: string | undefined): boolean {
  if (pass !== undefined) return url.protocol === 'http:' && passFits(pass, url)
  return url.protocol === 'https:' && url.port === '' && hosts.isVendorHost(url.hostname)
}

/** Resolves names when connecting, and refuses those that do not resolve to public addresses. */
export const publicLookup = lookupOf(isPublicAddress)
/** For sandboxes: only this machine. `process` unwraps IPv4 addresses mapped into IPv6. */
export const loopbackLookup = lookupOf(
  (address) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback',
)

function lookupOf(isAllowed: (address: string) => boolean): LookupFunction {
  return (host, options, done) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) return done(error ?? new Error(`${host} has no address`), '')
      const refused = addresses.find(({ address }) => !isAllowed(address))
      if (refused)
        return done(new RefusedAddress(`${host} leads to ${refused.address}, which is no address of a CRM`), '')
      if (options.all === true) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

/** Nothing was sent. */
class RefusedAddress extends Error {
  readonly code = refusedAddressCode
}
export const refusedAddressCode = 'REFUSED_ADDRESS'

/**
 * The page that shows a record of the sandbox at this address, with `{id}` for the record's id.
 * @returns undefined if no sandbox issued the settings; the vendor's own pages show the records then.
 */
export function sandboxRecordPage(crm: string, pass: string | undefined, address: string): string | undefined {
  const url = new URL(address)
  return pass !== undefined && passFits(pass, url) ? `${url.origin}/pages/${crm}/records/{id}` : undefined
}

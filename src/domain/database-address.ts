/**
 * A PostgreSQL address that may name several servers, as libpq writes it:
 * `postgresql://user:password@one:5432,two:5433/database?target_session_attrs=read-write`. A URL has only one host,
 * so code that parses addresses as URLs gets the address of a single server.
 */

export interface ServerName {
  readonly host: string
  readonly port: number
}

const usualPort = 5432
/** libpq's parameter for choosing among the servers; Panji always needs the one that accepts writes. */
const wanted = 'target_session_attrs'
export const wantedServers = ['read-write', 'primary'] as const

interface Parts {
  /** Scheme and login. */
  readonly before: string
  readonly hosts: readonly string[]
  /** Database and parameters. */
  readonly after: string
}

/** The parts of an address as text, since a URL cannot have a second host. */
function partsOf(address: string): Parts {
  const scheme = address.indexOf('://') + 3
  const rest = address.slice(scheme)
  const path = rest.search(/[/?]/)
  const authority = path === -1 ? rest : rest.slice(0, path)
  const login = authority.lastIndexOf('@') + 1
  return {
    before: address.slice(0, scheme + login),
    hosts: authority.slice(login).split(','),
    after: rest.slice(authority.length),
  }
}

/** The servers in the order of the address; one without a name for a socket. */
export function serversOf(address: string): readonly ServerName[] {
  return partsOf(address).hosts.map((each) => {
    const url = new URL(`postgresql://${each || 'localhost'}`)
    return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port || usualPort) }
  })
}

/** @returns the address of the single server at `place`, without the parameter that chooses among several. */
export function addressOfServer(address: string, place: number): string {
  const { before, hosts, after } = partsOf(address)
  return withoutParameter(`${before}${hosts[place] ?? ''}${after}`, wanted)
}

/** @returns the address without one of its query parameters. */
export function withoutParameter(address: string, name: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const kept = query.split('&').filter((each) => each !== '' && !each.startsWith(`${name}=`))
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path
}

/** The address as a URL, with its first server if it has several. A URL needs a host, which a socket does not have. */
export const asUrl = (address: string): URL => new URL(addressOfServer(address, 0).replace('@/', '@localhost/'))

/** @returns the same servers, with another database. */
export function withDatabase(address: string, database: string): string {
  const { before, hosts, after } = partsOf(address)
  const query = after.includes('?') ? after.slice(after.indexOf('?')) : ''
  return `${before}${hosts.join(',')}/${encodeURIComponent(database)}${query}`
}

/** @returns what is wrong with the address, as a sentence; undefined if nothing is. */
export function addressFault(address: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(address)) return 'must be a postgresql:// address'
  const { hosts } = partsOf(address)
  const each = hosts.map((_, place) => addressOfServer(address, place).replace('@/', '@localhost/'))
  if (!each.every((one) => URL.canParse(one) && one.length > 'postgresql://'.length))
    return 'must be a whole postgresql:// address'
  const { searchParams } = asUrl(address)
  if (searchParams.get('host')?.includes(',') === true)
    return 'names several servers before the database: postgresql://user@one:5432,two:5432/database'
  const requested = new URLSearchParams(partsOf(address).after.split('?')[1]).get(wanted)
  if (requested !== null && !wantedServers.some((known) => known === requested))
    return `${wanted} must be ${wantedServers.join(' or ')}: Panji writes`
  return undefined
}

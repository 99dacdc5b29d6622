/**
 * A PostgreSQL address that may name several servers, as libpq writes it:
 * `postgresql://user:password@one:5432,two:5433/database?target_session_attrs=read-write`. A URL has one host, so what reads
 * an address as a URL takes that of one server.
 */

export interface ServerName {
  readonly host: string
  readonly port: number
}

const usualPort = 5432
/** Says in libpq's words which of the servers is meant; Panji always means the one that takes writes. */
const wanted = 'target_session_attrs'
export const wantedServers = ['read-write', 'primary'] as const

interface Parts {
  /** Scheme and login. */
  readonly before: string
  readonly hosts: readonly string[]
  /** Database and parameters. */
  readonly after: string
}

/** What an address consists of, as text: a URL would take no second host. */
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

/** The servers in the order of the address; one without a name where it names a socket. */
export function serversOf(address: string): readonly ServerName[] {
  return partsOf(address).hosts.map((each) => {
    const url = new URL(`postgresql://${each || 'localhost'}`)
    return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port || usualPort) }
  })
}

/** @returns the address of the server at `place` alone, without the words that choose among several. */
export function addressOfServer(address: string, place: number): string {
  const { before, hosts, after } = partsOf(address)
  return withoutParameter(`${before}${hosts[place] ?? ''}${after}`, wanted)
}

/** @returns the address without one of the parameters behind its question mark. */
export function withoutParameter(address: string, name: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const kept = query.split('&').filter((each) => each !== '' && !each.startsWith(`${name}=`))
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path
}

/** What an address says of itself, of its first server where it has several. A URL must have a host, which a socket has not. */
export const asUrl = (address: string): URL => new URL(addressOfServer(address, 0).replace('@/', '@localhost/'))

/** @returns the same servers, with another database. */
export function withDatabase(address: string, database: string): string {
  const { before, hosts, after } = partsOf(address)
  const query = after.includes('?') ? after.slice(after.indexOf('?')) : ''
  return `${before}${hosts.join(',')}/${encodeURIComponent(database)}${query}`
}

/** @returns what is wrong with the address, as a sentence; undefined where nothing is. */
export function addressFault(address: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(address)) return 'must be a postgresql:// address'
  const { hosts } = partsOf(address)
  const each = hosts.map((_, place) => addressOfServer(address, place).replace('@/', '@localhost/'))
  if (!each.every((one) => URL.canParse(one) && one.length > 'postgresql://'.length))
    return 'must be a whole postgresql:// address'
  const { searchParams } = asUrl(address)
  if (searchParams.get('host')?.includes(',') === true)
    return 'names several servers before the database: postgresql://user@one:5432,two:5432/database'
  const asked = new URLSearchParams(partsOf(address).after.split('?')[1]).get(wanted)
  if (asked !== null && !wantedServers.some((known) => known === asked))
    return `${wanted} must be ${wantedServers.join(' or ')}: Panji writes`
  return undefined
}

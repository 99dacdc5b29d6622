/**
 * How `pg` reaches the server of an address: by the address itself where it names one, else by a socket that finds the
 * primary before it connects. Pools, single clients and the queue's own connections take both alike.
 */
import { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { parseIntoClientConfig } from 'pg-connection-string'
import { addressOfServer, type ServerName, serversOf } from '../../domain/database-address.ts'
import { identityAmong } from './certificate.ts'
import { primaryFinder } from './find-primary.ts'

/** One for an address, however many pools lead there: they look together. */
const finders = new Map<string, () => Promise<ServerName>>()

/** What `pg` takes of it; the password as text, as an address has it. */
export interface ReachedServer {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly user?: string
  readonly password?: string
  readonly database?: string
  readonly ssl?: boolean | ConnectionOptions
  readonly stream?: () => Socket
}

export function reach(address: string): ReachedServer {
  const servers = serversOf(address)
  const first = addressOfServer(address, 0)
  if (servers.length === 1) return { connectionString: first }
  const find = finders.get(address) ?? primaryFinder(address)
  finders.set(address, find)
  const { ssl, ...config } = parseIntoClientConfig(first)
  return {
    ...(config as ReachedServer),
    ...(ssl === undefined ? {} : { ssl: typeof ssl === 'object' ? { ...ssl, ...identityAmong(servers, ssl) } : ssl }),
    stream: () => new PrimarySocket(find),
  }
}

class PrimarySocket extends Socket {
  readonly #find: () => Promise<ServerName>

  constructor(find: () => Promise<ServerName>) {
    super()
    this.#find = find
  }

  /** As `pg` calls it, whose host and port are those of the first server. */
  override connect(): this {
    this.#find().then(
      ({ host, port }) => {
        if (!this.destroyed) super.connect(port, host)
      },
      (error: Error) => this.destroy(error),
    )
    return this
  }
}

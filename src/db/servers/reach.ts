/**
 * How `pg` reaches the server of an address: by the address itself if it names one server, else by a socket that finds
 * the primary before it connects. Used by pools, single clients and the queue's own connections.
 */
import { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { parseIntoClientConfig } from 'pg-connection-string'
import { addressOfServer, type ServerName, serversOf } from '../../domain/database-address.ts'
import { identityAmong } from './certificate.ts'
import { primaryFinder } from './find-primary.ts'

/** One per address, so that all pools of an address share a search. */
const finders = new Map<string, () => Promise<ServerName>>()

/** The connection settings for `pg`; the password as text, as in an address. */
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

  /** `pg` calls it with the host and port of the first server, which are ignored. */
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

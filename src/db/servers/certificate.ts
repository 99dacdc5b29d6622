/** Whose certificate is believed where an address names several servers: that of any of them, and of nobody else. */
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type { ServerName } from '../../domain/database-address.ts'

/** `pg` itself holds a certificate against the first server's name. @returns nothing where the address says that none is checked. */
export function identityAmong(servers: readonly ServerName[], given: ConnectionOptions): ConnectionOptions {
  if (given.rejectUnauthorized === false || given.checkServerIdentity !== undefined) return {}
  return {
    checkServerIdentity(_host, certificate) {
      const faults = servers.map(({ host }) => checkServerIdentity(host, certificate))
      return faults.includes(undefined) ? undefined : faults[0]
    },
  }
}

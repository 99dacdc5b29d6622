/** Checks the certificate if an address names several servers: it must be for one of them. */
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type { ServerName } from '../../domain/database-address.ts'

/**
 * `pg` itself compares a certificate with the first server's name only.
 * @returns nothing if the address turns verification off.
 */
export function identityAmong(servers: readonly ServerName[], given: ConnectionOptions): ConnectionOptions {
  if (given.rejectUnauthorized === false || given.checkServerIdentity !== undefined) return {}
  return {
    checkServerIdentity(_host, certificate) {
      const faults = servers.map(({ host }) => checkServerIdentity(host, certificate))
      return faults.includes(undefined) ? undefined : faults[0]
    },
  }
}

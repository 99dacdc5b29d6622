/** Why the database of DATABASE_URL accepts no connection, as a sentence; never repeats the password. */

import { isConnectionFault } from '../../db/database-fault.ts'
import type { Db } from '../../db/db.ts'
import { asUrl, serversOf } from '../../domain/database-address.ts'
import { codeOf } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'

/** @throws AppError DATABASE_UNREACHABLE where it does not let this login in. */
export async function reachDatabase(db: Db, databaseUrl: string): Promise<void> {
  try {
    await db.query('SELECT 1')
  } catch (error) {
    const reason = error instanceof Error ? refusal(error, databaseUrl) : undefined
    if (reason === undefined) throw error
    throw new AppError('DATABASE_UNREACHABLE', `${reason} It is the database that DATABASE_URL names.`, {
      cause: error,
      retry: 'later',
    })
  }
}

function refusal(error: Error, databaseUrl: string): string | undefined {
  const { server, database, login } = partsOf(databaseUrl)
  const code = codeOf(error)
  switch (code) {
    case 'ECONNREFUSED':
      return `No PostgreSQL listens at ${server}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `No name server knows the host of ${server}.`
    case 'ENOENT':
      return `There is no socket of a PostgreSQL at ${server}.`
    case '28P01':
    case '28000':
      return `The PostgreSQL at ${server} refuses the login ${login}: ${error.message}.`
    case '3D000':
      return `The PostgreSQL at ${server} has no database ${database}.`
    case '53300':
      return `The PostgreSQL at ${server} has no connection left.`
    case '57P03':
      return `The PostgreSQL at ${server} is starting up or shutting down.`
    default:
      break
  }
  if (/unsupported startup parameter/.test(error.message))
    return `The pooler at ${server} rejects settings in the startup packet (${error.message}): make it ignore them, in PgBouncer with "ignore_startup_parameters = options"; Panji then sets them itself.`
  if (/SASL|password must be a string/.test(error.message))
    return `The PostgreSQL at ${server} asks the login ${login} for a password.`
  if (isConnectionFault(error) || /^(SELF_SIGNED|DEPTH_ZERO|CERT_|ERR_TLS|UNABLE_TO)/.test(code))
    return `The PostgreSQL at ${server} cannot be reached: ${error.message || code}.`
  if (/SSL/.test(error.message)) return `The PostgreSQL at ${server} cannot be reached: ${error.message}.`
  return undefined
}

function partsOf(databaseUrl: string): { server: string; database: string; login: string } {
  const url = asUrl(databaseUrl)
  const servers = serversOf(databaseUrl).map(({ host, port }) => `${host}:${port}`)
  const server = url.searchParams.get('host') ?? servers.join(' or ')
  return {
    server,
    database: decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
    login: decodeURIComponent(url.username) || 'of this user',
  }
}

/**
 * How a process connects to its database as each role.
 *
 * With the embedded database the roles log in themselves, with passwords from the data directory, so that injected
 * statements on such a connection cannot become the superuser. With a DATABASE_URL the login switches to the role as
 * the connection opens, so a process can be given a login that may become only one role.
 */
import type { Db } from '../../db/db.ts'
import { type AppRole, appRoles, mayBecome, roleIsReady } from '../../db/roles.ts'
import type { SuppressionSettings } from '../../suppression/suppression-key.ts'
import { secretOf } from './secrets.ts'

export interface RoleConnection {
  readonly connectionString: string
  /** undefined where the database has no such role for this login: it works as itself. */
  readonly role: AppRole | undefined
  /** Set on every connection as it opens. */
  readonly settings: SuppressionSettings
}

export type RoleConnections = Readonly<Record<AppRole, RoleConnection>>

/** @param db as the login of `databaseUrl`. */
export async function roleConnections(
  db: Db,
  databaseUrl: string,
  settings: SuppressionSettings,
): Promise<RoleConnections> {
  const ready = await Promise.all(appRoles.map((role) => roleIsReady(db, role)))
  const connectionOf = (role: AppRole, index: number): RoleConnection => ({
    connectionString: databaseUrl,
    role: ready[index] ? role : undefined,
    settings,
  })
  return {
    panji_api: connectionOf('panji_api', 0),
    panji_worker: connectionOf('panji_worker', 1),
    panji_trade: connectionOf('panji_trade', 2),
  }
}

/**
 * The same with logins of their own. @param renew resets the passwords; only the process that started the server does
 * so.
 */
export async function embeddedRoleConnections(
  db: Db,
  databaseUrl: string,
  dataDir: string,
  renew: boolean,
  settings: SuppressionSettings = {},
): Promise<RoleConnections> {
  const makeLogin = async (role: AppRole): Promise<RoleConnection> => {
    const password = secretOf(undefined, dataDir, `database-password-${role}`).reveal()
    await letLogIn(db, role, password, renew)
    const url = new URL(databaseUrl)
    url.username = role
    url.password = password
    return { connectionString: url.href, role, settings }
  }
  return {
    panji_api: await makeLogin('panji_api'),
    panji_worker: await makeLogin('panji_worker'),
    panji_trade: await makeLogin('panji_trade'),
  }
}

/** Key of the lock: the letters "role" as a number. Two processes that change one role at once would fail. */
const roleLock = 0x726f6c65

async function letLogIn(db: Db, role: AppRole, password: string, renew: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1)', [roleLock])
    const [login] = await tx.query<{ statement: string }>(
      `SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', rolname, $2::text) AS statement
       FROM pg_roles WHERE rolname = $1 AND ($3 OR NOT rolcanlogin)`,
      [role, password, renew],
    )
    if (login) await tx.execute(login.statement)
  })
}

/** true where this login may migrate: it owns the database's objects, or there are no roles yet. */
export async function isOwner(db: Db): Promise<boolean> {
  const [roles] = await db.query<{ present: boolean }>(`SELECT to_regrole('panji_owner') IS NOT NULL AS present`)
  return roles?.present !== true || mayBecome(db, 'panji_owner')
}

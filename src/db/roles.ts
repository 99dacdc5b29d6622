/**
 * The roles that Panji works as, their rights, and the rows that they see: migrations/roles/. After every migration,
 * and whenever these files changed, all objects are handed to their owner, and policies and grants are reapplied.
 * Idempotent.
 *
 * The login that migrates must be able to switch to all roles, as a superuser can. If it cannot even create them, the
 * database keeps working under the login alone, and `rolesSql` is what an administrator has to run.
 */

import { createHash } from 'node:crypto'
import type { Connection, Queryable, Tx } from './db.ts'
import { sql } from './sql.ts'
import { sqlFile } from './sql-file.ts'

export const appRoles = ['panji_api', 'panji_worker', 'panji_trade'] as const
/** The role of a process: requests; jobs with schedules and the queue; or jobs that sell, settle and renew. */
export type AppRole = (typeof appRoles)[number]

/** The first owns everything; no process runs as it. */
const allRoles = ['panji_owner', ...appRoles] as const

const file = (name: string) => sqlFile(import.meta.url, `../../migrations/roles/${name}`)
const createRoles = file('create.sql')
const owners = file('owners.sql')
const functions = file('functions.sql')
const grants = file('grants.sql')
const maintain = file('maintain.sql')
const policies = file('policies.sql')
const senders = file('senders.sql')
const sha256 = createHash('sha256')
  .update(owners)
  .update(functions)
  .update(grants)
  .update(maintain)
  .update(policies)
  .update(senders)
  .digest('hex')
/** The row of runtime.sql_function that records which grants a database has. */
const recordName = 'roles'

/** Grants all roles to the login that migrates. */
export const rolesGrant = (login: string): string =>
  sql`GRANT ${allRoles.join(', ')} TO ${`"${login.replaceAll('"', '""')}"`}`

/** What an administrator with CREATEROLE runs once, so that `panji migrate` can do the rest as `login`. */
export function rolesSql(login: string): string {
  return sql`${createRoles}${rolesGrant(login)};\n`
}

/** Runs one step of the setup in its own transaction. */
export type Patiently = (what: string, work: (tx: Tx) => Promise<unknown>) => Promise<void>

/**
 * @param changed whether something has just been migrated.
 * @returns true if it applied the grants.
 */
export async function setUpRoles(connection: Connection, patiently: Patiently, changed: boolean): Promise<boolean> {
  if (!(await mayBecomeAll(connection)) && !(await makeRoles(connection, patiently))) return false
  if (!changed && (await grantsAreCurrent(connection)) && (await grantsArrived(connection))) return false

  for (const { statement } of await connection.query<{ statement: string }>(owners)) {
    // One table at a time, so that each waits only for its own readers.
    await patiently(statement, (tx) => tx.execute(statement))
  }
  for (const making of [policies, senders]) {
    for (const { statement } of await connection.query<{ statement: string }>(making)) {
      await patiently(statement, (tx) => tx.execute(statement))
    }
  }
  await patiently('the grants', async (tx) => {
    await tx.execute(functions)
    await tx.execute(grants)
    await tx.execute(maintain)
    await closeDatabase(tx)
    await tx.execute(
      `INSERT INTO runtime.sql_function (name, sha256) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, applied_at = now()`,
      [recordName, sha256],
    )
  })
  return true
}

/** @returns false if the login may not create roles. */
async function makeRoles(connection: Connection, patiently: Patiently): Promise<boolean> {
  const [login] = await connection.query<{ able: boolean }>(
    'SELECT rolsuper OR rolcreaterole AS able FROM pg_roles WHERE rolname = current_user',
  )
  if (login?.able !== true) return false
  await patiently('the roles', async (tx) => {
    await tx.execute(createRoles)
    // From PostgreSQL 16 on, the creator of a role may grant it, but must grant it to itself before switching to it.
    const [login] = await tx.query<{ may: boolean; name: string }>(
      `SELECT current_setting('server_version_num')::integer < 160000
              OR (SELECT bool_and(pg_has_role(current_user, name, 'MEMBER WITH ADMIN OPTION')) FROM unnest($1::name[]) AS name) AS may,
              quote_ident(current_user) AS name`,
      [allRoles],
    )
    if (login?.may === true) await tx.execute(sql`GRANT ${allRoles.join(', ')} TO ${login.name}`)
  })
  return mayBecomeAll(connection)
}

async function mayBecomeAll(db: Queryable): Promise<boolean> {
  for (const role of allRoles) if (!(await mayBecome(db, role))) return false
  return true
}

/** Revokes what every login may do by default: create temporary tables, or on older servers any table in `public`. */
async function closeDatabase(tx: Tx): Promise<void> {
  await tx.execute(
    `DO $$ BEGIN
       IF pg_has_role((SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE') THEN
         EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
         EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO panji_worker, panji_owner', current_database());
         EXECUTE format('GRANT CONNECT ON DATABASE %I TO panji_api, panji_trade', current_database());
       END IF;
     END $$`,
  )
}

/** True if the database has this version's grants. */
export async function grantsAreCurrent(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT FROM runtime.sql_function WHERE name = $1 AND sha256 = $2', [recordName, sha256])
  return rows.length > 0
}

/**
 * True if the catalog has them, too: a dump brings the row that records them, but neither owners nor grants nor policies
 * if the roles did not exist when it was restored, and never the rights on the database itself.
 */
export async function grantsArrived(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ arrived: boolean }>(
    `SELECT nspowner = to_regrole('panji_owner') AND has_schema_privilege(to_regrole('panji_api'), n.oid, 'USAGE')
            AND (NOT pg_has_role(datdba, 'USAGE') OR NOT EXISTS (
              SELECT FROM aclexplode(coalesce(datacl, acldefault('d', datdba))) WHERE grantee = 0 AND privilege_type = 'TEMPORARY'
            )) AS arrived
     FROM pg_namespace n, pg_database WHERE nspname = 'runtime' AND datname = current_database()`,
  )
  return found?.arrived === true
}

/** True if the role exists and this login can switch to it. */
export async function mayBecome(db: Queryable, role: AppRole | 'panji_owner'): Promise<boolean> {
  const [row] = await db.query<{ able: boolean }>(
    `SELECT CASE WHEN to_regrole($1) IS NULL THEN false ELSE pg_has_role(current_user, to_regrole($1),
       CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END) END AS able`,
    [role],
  )
  return row?.able ?? false
}

/**
 * True if the grants are applied (this version's, or a compatible newer one's) and the login can switch to the role.
 */
export async function roleIsReady(db: Queryable, role: AppRole): Promise<boolean> {
  const granted = await db.query('SELECT FROM runtime.sql_function WHERE name = $1', [recordName])
  return granted.length > 0 && (await mayBecome(db, role))
}

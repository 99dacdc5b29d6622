/**
 * Checks whether Panji can be installed in a database, before anything is created: the error of a migration that fails
 * midway gives neither the reason nor the remedy.
 */
import { AppError } from '../errors.ts'
import type { Queryable } from './db.ts'
import { rolesGrant } from './roles.ts'

/** Schemas that the migrations create; `runtime` may already exist if the first start was interrupted. */
const ownSchemas = ['access', 'deliver', 'feed', 'ingest', 'ledger', 'orders', 'pgboss', 'reference', 'registry']

/** @throws AppError DATABASE_UNSUITABLE, or DATABASE_RIGHTS_MISSING if the login may not create schemas there. */
export async function requireSuitableDatabase(db: Queryable): Promise<void> {
  const [found] = await db.query<{
    database: string
    login: string
    encoding: string
    able: boolean
    conflicting: readonly string[]
  }>(
    `SELECT current_database()::text AS database, current_user::text AS login, current_setting('server_encoding') AS encoding,
            has_database_privilege(current_database(), 'CREATE') AS able,
            ARRAY(SELECT nspname::text FROM pg_namespace WHERE nspname::text = ANY ($1::text[]) ORDER BY 1) AS conflicting`,
    [ownSchemas],
  )
  if (!found) return
  const { database, login, encoding, able, conflicting } = found
  if (encoding !== 'UTF8') {
    throw new AppError(
      'DATABASE_UNSUITABLE',
      `The database ${database} has the encoding ${encoding}, and Panji needs UTF8. Make one for it: CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'.`,
    )
  }
  if (conflicting.length > 0) {
    throw new AppError(
      'DATABASE_UNSUITABLE',
      `The database ${database} holds schemas of another program under names that Panji needs: ${conflicting.join(', ')}. Give Panji a database of its own.`,
    )
  }
  if (!able) {
    throw new AppError(
      'DATABASE_RIGHTS_MISSING',
      `The login ${login} may make no schema in the database ${database}. Make it the owner: ALTER DATABASE … OWNER TO ….`,
    )
  }
}

/**
 * Where Panji's schemas are there and closed to the login: a dump that PostgreSQL's tools restored on a server without the
 * roles belongs to whoever restored it, and a dump of roles from before PostgreSQL 16 loses who may become them on a newer one.
 * @throws AppError DATABASE_RIGHTS_MISSING that says who opens it.
 */
export async function requireOpenSchema(db: Queryable): Promise<void> {
  const [found] = await db.query<{ database: string; login: string; owner: string; open: boolean }>(
    `SELECT current_database()::text AS database, current_user::text AS login, pg_get_userbyid(nspowner)::text AS owner,
            has_schema_privilege(oid, 'USAGE') AS open
     FROM pg_namespace WHERE nspname = 'runtime'`,
  )
  if (!found || found.open) return
  const { database, login, owner } = found
  const remedy =
    owner === 'panji_owner'
      ? `has none of the roles that Panji works as. A superuser gives the login that migrates all of them, ${rolesGrant(login)}, and the login of a process its own alone.`
      : `may not look into it. Run \`panji migrate\` once with the login ${owner}, or a superuser's, in DATABASE_URL: it makes the roles and gives them what is theirs.`
  throw new AppError(
    'DATABASE_RIGHTS_MISSING',
    `What Panji keeps in the database ${database} belongs to ${owner}, and the login ${login} ${remedy}`,
  )
}

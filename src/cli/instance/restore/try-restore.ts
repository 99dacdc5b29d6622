/**
 * Restores a backup into a database next to the instance's own, as `panji restore` would, and drops it again: shows
 * that a backup can be restored while the original instance still exists. A test that was killed leaves its database,
 * which the next one drops.
 */
import { type Db, openDb } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'
import { withDatabase } from '../../../domain/database-address.ts'
import { codeOf } from '../../../domain/fault-code.ts'
import { AppError } from '../../../errors.ts'
import { fillDatabase, type RestoreRequest } from './fill-database.ts'

/** SQLSTATE of a database with open connections. */
const inUse = '55006'

/** Whether the login can create the database of a test and fill it. */
export async function mayTryRestore(db: Db): Promise<boolean> {
  const [login] = await db.query<{ able: boolean }>(
    `SELECT (rolsuper OR rolcreatedb) AND has_parameter_privilege('session_replication_role', 'SET') AS able
     FROM pg_roles WHERE rolname = current_user`,
  )
  return login?.able === true
}

/** Checked before the backup is written, which may take long. @throws AppError BACKUP_REFUSED */
export async function requireTrial(db: Db): Promise<void> {
  if (await mayTryRestore(db)) return
  throw new AppError(
    'BACKUP_REFUSED',
    'The login of DATABASE_URL may not test a restore: it needs a superuser, or ALTER ROLE … CREATEDB with GRANT SET ON PARAMETER session_replication_role. Leave --verify-restore out, or restore the file elsewhere.',
  )
}

/**
 * @param databaseUrl of the instance. @throws AppError BACKUP_INVALID where the restored tables differ; BACKUP_REFUSED
 * while another test is in progress.
 */
export async function tryRestore(databaseUrl: string, request: RestoreRequest): Promise<void> {
  const db = openDb({
    connectionString: databaseUrl,
    applicationName: `panji:${process.pid}:restore-trial`,
    connectionsMax: 1,
  })
  try {
    // Same encoding and locale as the instance's own: the server's defaults may differ, and its template may contain
    // tables.
    const [names] = await db.query<{ plain: string; quoted: string; like: string }>(
      `SELECT name AS plain, quote_ident(name) AS quoted,
              format('TEMPLATE template0 ENCODING %L LC_COLLATE %L LC_CTYPE %L', pg_encoding_to_char(encoding), datcollate, datctype) AS like
       FROM (SELECT left(current_database(), 48) || '_restore_trial' AS name) trial, pg_database WHERE datname = current_database()`,
    )
    if (!names) throw new Error('the database reported nothing about itself')
    await drop(db, names.quoted)
    await db.execute(sql`CREATE DATABASE ${names.quoted} ${names.like}`)
    try {
      await fillDatabase(withDatabase(databaseUrl, names.plain), request)
    } finally {
      await drop(db, names.quoted)
    }
  } finally {
    await db.close()
  }
}

async function drop(db: Db, name: string): Promise<void> {
  try {
    await db.execute(sql`DROP DATABASE IF EXISTS ${name}`)
  } catch (error) {
    if (codeOf(error) !== inUse) throw error
    throw new AppError(
      'BACKUP_REFUSED',
      'Another backup is testing its restore right now. Try again when it is done.',
      {
        cause: error,
      },
    )
  }
}

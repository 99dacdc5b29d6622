/**
 * Forward-only migrations: plain SQL files `NNNN_what.sql`, each applied once in its own transaction. After them come
 * the SQL functions that changed (sql-functions.ts), the tables of the queue (queue-tables.ts), and the roles and their
 * grants (roles.ts).
 *
 * Several processes may start at once: an advisory lock lets one migrate while the others wait and then find nothing to
 * do. A file that changed after it was applied is an error. With the schema of a newer Panji, this version works if it
 * knows that schema's floor (schema-floor.ts), and then changes nothing.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../domain/fault-code.ts'
import { AppError } from '../errors.ts'
import { type Connection, type Db, type Queryable, type Tx, transactOn } from './db.ts'
import { makeQueueTables, queueTablesAreCurrent } from './queue-tables.ts'
import { grantsAreCurrent, grantsArrived, setUpRoles } from './roles.ts'
import { schemaFloor } from './schema-floor.ts'
import { sql } from './sql.ts'
import { applySqlFunctions, changedSqlFunctions, listSqlFunctions, type SqlFunction } from './sql-functions.ts'
import { requireOpenSchema, requireSuitableDatabase } from './suitable-database.ts'
import { refuseUnreleased } from './unreleased.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Key of the advisory lock: the letters "panj" as a number. */
const migrationLock = 0x70616e6a

/**
 * Well below PostgreSQL's deadlock_timeout of 1 s: in a deadlock between a migration and a request, the migration gives
 * way.
 */
const lockTimeoutMs = 200
const pauseMs = 800
const attemptsMax = 40
/** SQLSTATE of a lock_timeout. */
const lockNotAvailable = '55P03'

export interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

export function listMigrations(): Migration[] {
  return inOrder(readdirSync(folder).filter((name) => name.endsWith('.sql'))).map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
  })
}

/**
 * The files in the order of their numbers.
 * @throws Error for an invalid file name, a number used twice, or a missing number: a file was forgotten, or two
 *   branches took the same number.
 */
export function inOrder(names: readonly string[]): string[] {
  const sorted = [...names].sort()
  const misnamed = sorted.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (misnamed !== undefined) throw new Error(`migrations/${misnamed} is not named NNNN_what.sql`)
  const numbers = sorted.map((name) => Number(name.slice(0, 4)))
  const last = numbers.at(-1) ?? 0
  for (let number = 1; number <= last; number++) {
    const count = numbers.filter((each) => each === number).length
    if (count > 1)
      throw new Error(`migrations: ${count} files have the number ${number}; give all but one the next free one`)
    if (count === 0) throw new Error(`migrations: no file has the number ${number}`)
  }
  return sorted
}

/**
 * @returns the names of the migrations that this call applied, in order, then those of the functions.
 * @throws AppError SCHEMA_TOO_NEW if the database has a migration that this version does not have and cannot work with;
 *   SCHEMA_TOO_OLD for a database from before 0.1.0; DATABASE_RIGHTS_MISSING if the login may not read it.
 */
export async function migrate(
  db: Db,
  migrations: readonly Migration[] = listMigrations(),
  functions: readonly SqlFunction[] = listSqlFunctions(),
): Promise<string[]> {
  return db.withConnection(async (connection) => {
    await requireOpenSchema(connection)
    // Checked before taking the lock, so that a login without rights to change anything succeeds if nothing is to be
    // done.
    if (await isUpToDate(connection, migrations, functions)) return []
    if ((await newerMigrations(connection, migrations)).length > 0) return []
    await connection.execute('SELECT pg_advisory_lock($1)', [migrationLock])
    try {
      const applied = await applyMissing(connection, migrations)
      const changed = await changedSqlFunctions(connection, functions)
      if (changed.length > 0) await patiently(connection, 'the SQL functions', (tx) => applySqlFunctions(tx, changed))
      const madeQueue = await makeQueueTables(connection)
      await setUpRoles(
        connection,
        (what, work) => patiently(connection, what, work),
        madeQueue || applied.length + changed.length > 0,
      )
      return [...applied, ...changed.map(({ name }) => `functions/${name}.sql`)]
    } finally {
      await connection.execute('SELECT pg_advisory_unlock($1)', [migrationLock]).catch(() => 0)
    }
  })
}

/**
 * Creates the schema of an earlier version, without this version's functions and roles, in an unused database;
 * `migrate` does the rest.
 */
export async function migrateTo(db: Db, migrations: readonly Migration[]): Promise<void> {
  await db.withConnection((connection) => applyMissing(connection, migrations))
}

async function applyMissing(connection: Connection, migrations: readonly Migration[]): Promise<string[]> {
  if (!(await isMigrated(connection))) await requireSuitableDatabase(connection)
  await connection.execute('CREATE SCHEMA IF NOT EXISTS runtime')
  await connection.execute(
    `CREATE TABLE IF NOT EXISTS runtime.migration (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), floor text NOT NULL)`,
  )
  await connection.execute(
    `CREATE TABLE IF NOT EXISTS runtime.sql_function (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  const done = await appliedMigrations(connection)
  checkHistory(done, migrations)

  const applied: string[] = []
  for (const migration of migrations.filter(({ name }) => !done.has(name))) {
    await patiently(connection, `migration ${migration.name}`, async (tx) => {
      await tx.execute(migration.text)
      await tx.execute('INSERT INTO runtime.migration (name, sha256, floor) VALUES ($1, $2, $3)', [
        migration.name,
        migration.sha256,
        schemaFloor,
      ])
    })
    applied.push(migration.name)
  }
  return applied
}

/**
 * A migration that waits for a lock blocks every later call on the table. So it waits only briefly, lets the calls
 * pass, and retries: calls are delayed by that moment, and none fails.
 */
async function patiently(connection: Connection, what: string, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const begin = sql`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${lockTimeoutMs}`
  for (let attempt = 1; ; attempt++) {
    try {
      await transactOn(connection, begin, work, () => {})
      return
    } catch (error) {
      const held = codeOf(error) === lockNotAvailable
      if (held && attempt < attemptsMax) {
        await delay(pauseMs)
        continue
      }
      const reason = held ? `: a lock that it needs was still held at the ${attempt}th attempt` : ''
      throw new Error(`${what} failed${reason}`, { cause: error })
    }
  }
}

async function isUpToDate(
  connection: Connection,
  migrations: readonly Migration[],
  functions: readonly SqlFunction[],
): Promise<boolean> {
  if (!(await isMigrated(connection))) return false
  const done = await appliedMigrations(connection)
  const all = migrations.every(({ name, sha256 }) => done.get(name)?.sha256 === sha256)
  if (!all || done.size !== migrations.length) return false
  if ((await changedSqlFunctions(connection, functions)).length > 0) return false
  return (
    (await queueTablesAreCurrent(connection)) &&
    (await grantsAreCurrent(connection)) &&
    (await grantsArrived(connection))
  )
}

interface Applied {
  readonly sha256: string
  /** Name of the newest migration that a program must know to work with this one. */
  readonly floor: string
}

async function isMigrated(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ complete: boolean }>(
    `SELECT to_regclass('runtime.migration') IS NOT NULL AND to_regclass('runtime.sql_function') IS NOT NULL AS complete`,
  )
  return found?.complete === true
}

async function appliedMigrations(db: Queryable): Promise<Map<string, Applied>> {
  // Names first: a table from before 0.1.0 may lack the other columns read here.
  const names = await db.query<{ name: string }>('SELECT name FROM runtime.migration')
  refuseUnreleased(
    names.map(({ name }) => name),
    'database',
  )
  const rows = await db.query<Applied & { readonly name: string }>(`SELECT name, sha256, floor FROM runtime.migration`)
  return new Map(rows.map(({ name, sha256, floor }) => [name, { sha256, floor }]))
}

/**
 * @returns the migrations of a newer Panji that this version can work with; none if the schema is its own or does not
 *   exist yet.
 * @throws AppError SCHEMA_TOO_NEW if it cannot work with them; SCHEMA_TOO_OLD for a database from before 0.1.0.
 */
export async function newerMigrations(
  db: Queryable,
  migrations: readonly Migration[] = listMigrations(),
): Promise<string[]> {
  if (!(await isMigrated(db))) return []
  const done = await appliedMigrations(db)
  checkHistory(done, migrations)
  return unknownOf(done, migrations).map(([name]) => name)
}

/**
 * @returns what `migrate` would apply to a database that has a schema: migrations, functions and the queue's tables;
 *   nothing if the schema is that of a newer Panji.
 * @throws AppError like newerMigrations.
 */
export async function missingMigrations(
  db: Queryable,
  migrations: readonly Migration[] = listMigrations(),
): Promise<string[]> {
  if (!(await isMigrated(db))) return migrations.map(({ name }) => name)
  if ((await newerMigrations(db, migrations)).length > 0) return []
  const done = await appliedMigrations(db)
  return [
    ...migrations.filter(({ name }) => !done.has(name)).map(({ name }) => name),
    ...(await changedSqlFunctions(db)).map(({ name }) => `functions/${name}.sql`),
    ...((await queueTablesAreCurrent(db)) ? [] : ["the queue's tables"]),
  ]
}

function unknownOf(done: ReadonlyMap<string, Applied>, migrations: readonly Migration[]): [string, Applied][] {
  const known = new Set(migrations.map(({ name }) => name))
  return [...done].filter(([name]) => !known.has(name))
}

function checkHistory(done: ReadonlyMap<string, Applied>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const isWhole = migrations.every(({ name }) => done.has(name))
  for (const [name, { floor }] of unknownOf(done, migrations)) {
    if (isWhole && known.has(floor)) continue
    throw new AppError(
      'SCHEMA_TOO_NEW',
      `The database has migration ${name}, which this version of Panji does not support. Upgrade Panji.`,
    )
  }
  for (const { name, sha256 } of migrations) {
    if ((done.get(name)?.sha256 ?? sha256) === sha256) continue
    throw new AppError(
      'SCHEMA_TOO_NEW',
      `Migration ${name} was changed after it was applied. Restore the file and add a new migration.`,
    )
  }
}

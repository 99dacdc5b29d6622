/**
 * Forward-only migrations: plain SQL files `NNNN_what.sql`, each applied once in its own transaction, and after them
 * the SQL functions that changed (sql-functions.ts), and the roles and their grants (roles.ts).
 *
 * Two processes may start at once: an advisory lock lets one migrate while the other waits and then finds
 * nothing to do. A file that changed after it was applied, or a database migrated by a newer Panji, is refused.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { type Connection, type Db, type Tx, transactOn } from './db.ts'
import { grantsAreCurrent, setUpRoles } from './roles.ts'
import { sql } from './sql.ts'
import { applySqlFunctions, changedSqlFunctions, listSqlFunctions, type SqlFunction } from './sql-functions.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Key of the advisory lock: the letters "panj" as a number. */
const migrationLock = 0x70616e6a

/** Well below PostgreSQL's deadlock_timeout of 1 s: where a migration and a call wait for each other, it gives way. */
const lockTimeoutMs = 200
const pauseMs = 800
const attemptsMax = 40
/** SQLSTATE of a lock_timeout. */
const lockNotAvailable = '55P03'

interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

/** Numbers that no released file ever had. */
const neverUsed: readonly number[] = [9, 12]

export function listMigrations(): Migration[] {
  return inOrder(readdirSync(folder).filter((name) => name.endsWith('.sql'))).map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
  })
}

/**
 * The files in the order of their numbers.
 * @throws Error for a name of another form, a number that two files have, or one that none has: a file was forgotten,
 * or two branches took the same number.
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
    if (count === 0 && !neverUsed.includes(number)) throw new Error(`migrations: no file has the number ${number}`)
  }
  return sorted
}

/**
 * @returns the names of the migrations that this call applied, in order, then those of the functions.
 * @throws AppError SCHEMA_TOO_NEW when the database holds a migration that this checkout does not have.
 */
export async function migrate(
  db: Db,
  migrations: readonly Migration[] = listMigrations(),
  functions: readonly SqlFunction[] = listSqlFunctions(),
): Promise<string[]> {
  return db.withConnection(async (connection) => {
    // Then a login that may change nothing finds nothing to change.
    if (await isUpToDate(connection, migrations, functions)) return []
    await connection.execute('SELECT pg_advisory_lock($1)', [migrationLock])
    try {
      const applied = await applyMissing(connection, migrations)
      const changed = await changedSqlFunctions(connection, functions)
      if (changed.length > 0) await patiently(connection, 'the SQL functions', (tx) => applySqlFunctions(tx, changed))
      await setUpRoles(
        connection,
        (what, work) => patiently(connection, what, work),
        applied.length + changed.length > 0,
      )
      return [...applied, ...changed.map(({ name }) => `functions/${name}.sql`)]
    } finally {
      await connection.execute('SELECT pg_advisory_unlock($1)', [migrationLock]).catch(() => 0)
    }
  })
}

/**
 * Makes the schema of an earlier version, without the functions and roles of this one, in a database that nobody uses
 * yet; `migrate` does the rest.
 */
export async function migrateTo(db: Db, migrations: readonly Migration[]): Promise<void> {
  await db.withConnection((connection) => applyMissing(connection, migrations))
}

async function applyMissing(connection: Connection, migrations: readonly Migration[]): Promise<string[]> {
  await connection.execute('CREATE SCHEMA IF NOT EXISTS runtime')
  await connection.execute(
    `CREATE TABLE IF NOT EXISTS runtime.migration (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  await connection.execute(
    `CREATE TABLE IF NOT EXISTS runtime.sql_function (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
  const rows = await connection.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM runtime.migration')
  const done = new Map(rows.map((row) => [row.name, row.sha256]))
  checkHistory(done, migrations)

  const applied: string[] = []
  for (const migration of migrations.filter(({ name }) => !done.has(name))) {
    await patiently(connection, `migration ${migration.name}`, async (tx) => {
      await tx.execute(migration.text)
      await tx.execute('INSERT INTO runtime.migration (name, sha256) VALUES ($1, $2)', [
        migration.name,
        migration.sha256,
      ])
    })
    applied.push(migration.name)
  }
  return applied
}

/**
 * A migration that waits for a lock makes every call that comes after it wait too. So it waits for a moment, lets
 * those pass, and tries again: calls are slowed down by that moment, and none fails.
 */
async function patiently(connection: Connection, what: string, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const begin = sql`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${lockTimeoutMs}`
  for (let attempt = 1; ; attempt++) {
    try {
      await transactOn(connection, begin, work, () => {})
      return
    } catch (error) {
      const held = (error as { code?: unknown }).code === lockNotAvailable
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
  const [found] = await connection.query<{ complete: boolean }>(
    `SELECT to_regclass('runtime.migration') IS NOT NULL AND to_regclass('runtime.sql_function') IS NOT NULL AS complete`,
  )
  if (found?.complete !== true) return false
  const rows = await connection.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM runtime.migration')
  const done = new Map(rows.map((row) => [row.name, row.sha256]))
  const all = migrations.every(({ name, sha256 }) => done.get(name) === sha256)
  if (!all || done.size !== migrations.length) return false
  return (await changedSqlFunctions(connection, functions)).length === 0 && (await grantsAreCurrent(connection))
}

function checkHistory(done: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.sha256]))
  for (const [name, sha256] of done) {
    const expected = known.get(name)
    if (expected === undefined) {
      throw new AppError(
        'SCHEMA_TOO_NEW',
        `The database holds migration ${name}, which this Panji does not know. Upgrade Panji.`,
      )
    }
    if (expected !== sha256) {
      throw new AppError(
        'SCHEMA_TOO_NEW',
        `Migration ${name} was changed after it was applied. Restore the file and add a new migration.`,
      )
    }
  }
}

/** A database of its own per test file: a copy of the migrated template, dropped afterwards. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { allAccounts } from '../../src/db/account-scope.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import type { AppRole } from '../../src/db/roles.ts'
import { settingsOf } from '../../src/suppression/suppression-key.ts'
import { databaseAt, onceConnected } from './database-url.ts'

/** The key of the suppression list, which a process reads from its database. */
export const suppressionSettings = settingsOf(Buffer.alloc(32, 'key of the suppression list'))

export interface TestDatabase {
  /** As the superuser. */
  readonly db: Db
  /** As a role of the app, through a login with that role only. */
  as(role: AppRole): Db
  /** As the API's connections for expensive reads: they see an account's rows only when acting for it. */
  expensive(): Db
  readonly url: string
  /** For a login with that role only, for separate processes. */
  urlAs(role: AppRole): string
}

/** Call at the top of a describe or a file; the database exists from the first test to the last. */
export function useTestDatabase(): TestDatabase {
  const clusterUrl = inject('clusterUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = databaseAt(clusterUrl, name)
  const roleUrls = inject('roleUrls')
  const opened = new Map<string, Db>()
  let db: Db | undefined
  const urlAs = (role: AppRole): string => databaseAt(roleUrls[role], name)

  beforeAll(async () => {
    // Copied as files: through the WAL the copy costs the server three times the processor time, 0.37 s instead of 0.13
    // s on a slow machine.
    await onceConnected(clusterUrl, `CREATE DATABASE ${name} TEMPLATE panji STRATEGY file_copy`)
    db = openDb({ connectionString: url, applicationName: 'panji-test', settings: suppressionSettings })
  })
  afterAll(async () => {
    for (const each of opened.values()) await each.close()
    await db?.close()
    await onceConnected(clusterUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
  const open = (role: AppRole, name: string, rows: Readonly<Record<string, string>>): Db => {
    const connected =
      opened.get(name) ??
      openDb({
        connectionString: urlAs(role),
        applicationName: `panji-test-${name}`,
        settings: { ...suppressionSettings, ...rows },
      })
    opened.set(name, connected)
    return connected
  }
  return {
    url,
    urlAs,
    as: (role) => open(role, role, role === 'panji_api' ? allAccounts : {}),
    expensive: () => open('panji_api', 'expensive', {}),
    get db(): Db {
      if (!db) throw new Error('the test database exists only inside tests and hooks')
      return db
    },
  }
}

/** A database of its own per test file: a copy of the migrated template, dropped afterwards. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'

export interface TestDatabase {
  readonly db: Db
  readonly url: string
}

/** Call at the top of a describe or a file; the database exists from the first test to the last. */
export function useTestDatabase(): TestDatabase {
  const clusterUrl = inject('clusterUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = clusterUrl.replace(/\/panji$/, `/${name}`)
  const maintenanceUrl = clusterUrl.replace(/\/panji$/, '/postgres')
  let db: Db | undefined

  beforeAll(async () => {
    await onMaintenance(maintenanceUrl, `CREATE DATABASE ${name} TEMPLATE panji`)
    db = openDb({ connectionString: url, applicationName: 'panji-test' })
  })
  afterAll(async () => {
    await db?.close()
    await onMaintenance(maintenanceUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
  return {
    url,
    get db(): Db {
      if (!db) throw new Error('the test database exists only inside tests and hooks')
      return db
    },
  }
}

async function onMaintenance(connectionString: string, statement: string): Promise<void> {
  const maintenance = openDb({ connectionString, applicationName: 'panji-test-maintenance', connectionsMax: 1 })
  try {
    await maintenance.execute(statement)
  } finally {
    await maintenance.close()
  }
}

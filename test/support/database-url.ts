/** URLs of databases of one cluster, and a function that runs a statement on one of them. */
import { openDb } from '../../src/db/db.ts'

export function databaseAt(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}

/** Connects, runs the statement and leaves. */
export async function onceConnected(connectionString: string, statement: string): Promise<void> {
  const db = openDb({ connectionString, applicationName: 'panji-test-maintenance', connectionsMax: 1 })
  try {
    await db.execute(statement)
  } finally {
    await db.close()
  }
}

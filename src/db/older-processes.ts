/** Running Panji processes too old for the coming migrations, on a database whose schema is older than the floor. */
import type { Queryable } from './db.ts'
import { schemaFloor } from './schema-floor.ts'

export interface OlderProcess {
  readonly pid: string
  readonly login: string
  /** Null for a process on the database's own machine. */
  readonly address: string | null
}

/** @returns none if the schema has reached the floor: every process that runs on it knows the floor, too. */
export async function listOlderProcesses(db: Queryable, floor: string = schemaFloor): Promise<OlderProcess[]> {
  const [schema] = await db.query<{ made: boolean }>(`SELECT to_regclass('runtime.migration') IS NOT NULL AS made`)
  if (schema?.made !== true) return []
  const [newest] = await db.query<{ name: string | null }>('SELECT max(name) AS name FROM runtime.migration')
  if (newest?.name == null || newest.name >= floor) return []
  return db.query<OlderProcess>(
    `SELECT DISTINCT split_part(application_name, ':', 2) AS pid, usename::text AS login, host(client_addr) AS address
     FROM pg_stat_activity
     WHERE datname = current_database() AND application_name ~ '^panji:[0-9]+' AND split_part(application_name, ':', 2) <> $1
     ORDER BY 1`,
    [String(process.pid)],
  )
}

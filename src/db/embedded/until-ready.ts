/** Waits until a launched server accepts connections, and creates Panji's database. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../../domain/fault-code.ts'
import { startFault } from './start-fault.ts'

/** SQLSTATE cannot_connect_now. */
const startingUp = '57P03'

interface Awaited {
  readonly logPath: string
  readonly data: string
  readonly silentSeconds: number
}

/** @throws AppError DATABASE_START_FAILED with the end of the log if the server ended or was silent for too long. */
export async function untilReady(
  databaseUrl: string,
  server: ChildProcess,
  { logPath, data, silentSeconds }: Awaited,
): Promise<void> {
  let deadline = Date.now() + silentSeconds * 1000
  const maintenanceUrl = databaseUrl.replace(/\/panji$/, '/postgres')
  while (server.exitCode === null && Date.now() < deadline) {
    const client = new pg.Client({ connectionString: maintenanceUrl, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const found = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'panji'`)
      if (found.rowCount === 0) await client.query('CREATE DATABASE panji')
      return
    } catch (error) {
      // It is recovering from a crash, possibly gigabytes of WAL; if stopped midway, it would start over each time.
      if (codeOf(error) === startingUp) deadline = Date.now() + silentSeconds * 1000
      await delay(25)
    } finally {
      await client.end().catch(() => {})
    }
  }
  const log = existsSync(logPath) ? readFileSync(logPath, 'utf8').trim().split('\n').slice(-8).join('\n  ') : ''
  throw startFault(data, `The embedded PostgreSQL did not start. The end of ${logPath}:\n  ${log}`)
}

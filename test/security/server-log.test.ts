/** What callers make the embedded server write about themselves: next to nothing, and never more than a bound. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/db/embedded/server.ts'

const bytesMax = 64 * 1024
const keptBytes = 16 * 1024
const dataDir = mkdtempSync(join(tmpdir(), 'panji-log-'))
const log = join(dataDir, 'postgres.log')
let server: EmbeddedServer
let db: Db

beforeAll(async () => {
  // Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
  chmodSync(dataDir, 0o755)
  server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' }, log: { bytesMax, keptBytes, everyMs: 50 } })
  db = openDb({ connectionString: server.databaseUrl, applicationName: 'log-test' })
})
afterAll(async () => {
  await db?.close()
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const bytesOf = (path: string) => (existsSync(path) ? statSync(path).size : 0)
/** A statement of 14 KB that is cancelled at its work: see support/faketime-limits.ts. */
const cancelled = () => {
  const text = `SELECT count(*), '${'secret of a caller '.repeat(750)}' FROM generate_series(1, 100000000)`
  return db.readSnapshot(1, (tx) => tx.query(text)).catch(() => 0)
}

test('a cancelled statement of 14 KB leaves less than 300 bytes, and none of its text', async () => {
  await db.query('SELECT 1')
  const before = bytesOf(log)
  await cancelled()
  await expect.poll(() => bytesOf(log)).toBeGreaterThan(before)
  expect(bytesOf(log) - before).toBeLessThan(300)
  expect(readFileSync(log, 'utf8')).not.toContain('secret of a caller')
})

test('the log and what is kept of it stay within their bound, and the end of it is kept', async () => {
  const perRound = 200
  for (let round = 0; round < 8; round++) {
    await db.withConnection(async (connection) => {
      for (let n = 0; n < perRound; n++) await connection.query('SELECT 1 / 0').catch(() => 0)
    })
    await db.query(`DO $$ BEGIN RAISE WARNING '%', repeat('w', 20000); END $$`)
    await expect.poll(() => bytesOf(log)).toBeLessThanOrEqual(bytesMax)
    expect(bytesOf(`${log}.1`)).toBeLessThanOrEqual(keptBytes)
  }
  expect(bytesOf(`${log}.1`)).toBe(keptBytes)
  await db.query(`DO $$ BEGIN RAISE WARNING 'still written'; END $$`)
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('still written')
  expect(statSync(`${log}.1`).mode & 0o777).toBe(0o600)
})

/** A backup is taken while everything runs, the data directory is destroyed, and the restored instance is the same one. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPanjiClient, dataOf } from '../../client/index.ts'
import { rebuiltTables } from '../../src/backup/kept-tables.ts'
import { openDb } from '../../src/db/db.ts'
import { companyFile } from '../support/company-lines.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { laySampleWorld } from '../support/sample-world.ts'

const home = panjiHome()
const elsewhere = panjiHome()
const commands = panjiProgram({ PANJI_DATA_DIR: home.dataDir })
const commandsElsewhere = panjiProgram({ PANJI_DATA_DIR: elsewhere.dataDir })
const kept = `${home.dataDir}-kept`
const idle = join(kept, 'idle.tar.gz')
const busy = join(kept, 'busy.tar.gz')
let panji: NodeProcess
let before: Record<string, string>
let key: string
let order: string

async function startPanji(at: PanjiHome): Promise<void> {
  panji = at.run('start')
  await panji.line('Ctrl-C stops.')
}

const apiUrl = () => /API\s+(http:\S+)/.exec(panji.printed())?.[1] ?? ''

async function asOwner<T>(at: PanjiHome, read: (db: ReturnType<typeof openDb>) => Promise<T>): Promise<T> {
  const { databaseUrl } = JSON.parse(readFileSync(join(at.dataDir, 'instance.json'), 'utf8')) as { databaseUrl: string }
  const db = openDb({ connectionString: databaseUrl, applicationName: 'story', connectionsMax: 1 })
  try {
    return await read(db)
  } finally {
    await db.close()
  }
}

/** Content of every table that nothing writes to by itself, as one hash each. */
const fingerprint = (at: PanjiHome) =>
  asOwner(at, async (db) => {
    const tables = await db.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND c.relpersistence = 'p'
         AND n.nspname IN ('registry', 'reference', 'ingest', 'feed', 'ledger', 'orders', 'deliver', 'access') ORDER BY 1`,
    )
    const hashes: Record<string, string> = {}
    for (const { name } of tables) {
      // The audit log goes on with the restore itself, the limiter with the clock, sessions with each login; each start
      // prints a code of its own for the console and gives the sample's destinations the ports of its sandboxes.
      if (/access\.(audit|session|console_code|.*reading|trail_)|deliver\.(limiter|destination)/.test(name)) continue
      if (name in rebuiltTables) continue
      // The day of the last digest follows the clock, too.
      const [row] = await db.query<{ hash: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(told), '' ORDER BY md5(told))), '') AS hash
         FROM ${name} t, LATERAL (SELECT (to_jsonb(t) - 'digest_on')::text AS told) without_clock`,
      )
      hashes[name] = row?.hash ?? ''
    }
    return hashes
  })

beforeAll(async () => {
  mkdirSync(kept)
  await laySampleWorld(home.dataDir)
  await startPanji(home)
  key = /panji_\w{43}/.exec(panji.printed())?.[0] ?? ''
  order = /Sample order\s+(\S+?);/.exec(panji.printed())?.[1] ?? ''
}, 240_000)
afterAll(async () => {
  panji.child.kill('SIGKILL')
  await panji.ended
  for (const each of [home, elsewhere]) each.remove()
  rmSync(kept, { recursive: true, force: true })
})

test('a backup is written while a worker takes a file in, closed to others, and never over another', async () => {
  const file = join(kept, 'goa.csv')
  writeFileSync(file, companyFile(20_000))
  await commands.json(
    'schedule',
    'add',
    'nightly',
    '--cron',
    '30 2 * * *',
    '--source',
    'mca-companies',
    '--input',
    file,
  )
  const { answer: run } = await commands.json('ingest', 'mca-companies', file, '--mode', 'delta', '--no-wait')
  const during = await commands.json('backup', busy)
  expect(during).toMatchObject({ code: 0, answer: { file: busy, verified: true, restore_verified: false } })
  expect(statSync(busy).mode & 0o777).toBe(0o600)
  const refused = await commands.json('backup', busy)
  expect(refused).toMatchObject({ code: 1, answer: { error: { code: 'BACKUP_REFUSED' } } })

  const { run_id } = run as { run_id: number }
  await expect
    .poll(async () => asOwner(home, (db) => db.query('SELECT status FROM ingest.run WHERE run_id = $1', [run_id])), {
      timeout: 60_000,
    })
    .toEqual([{ status: 'succeeded' }])
  await commands.json('runs')
  before = await fingerprint(home)
  // Its restore is tried beside the instance at work, which goes on as it was.
  const tried = await commands.json('backup', idle, '--verify-restore')
  expect(tried).toMatchObject({ code: 0, answer: { verified: true, restore_verified: true } })
  const databases = await asOwner(home, (db) =>
    db.query(`SELECT 1 FROM pg_database WHERE datname LIKE '%restore_trial'`),
  )
  expect(databases).toEqual([])
  expect(await fingerprint(home)).toEqual(before)
}, 180_000)

test('it does not overwrite an instance without --force, and then moves the old data directory away', async () => {
  panji.child.kill('SIGINT')
  await panji.ended
  const refused = await commands.json('restore', idle)
  expect(refused).toMatchObject({ code: 1, answer: { error: { code: 'BACKUP_REFUSED' } } })
  const restored = await commands.json('restore', idle, '--force', '--yes')
  expect(restored).toMatchObject({ code: 0, answer: { moved_aside: expect.stringContaining('before-restore-') } })
  const { moved_aside: aside } = restored.answer as { moved_aside: string }
  expect(existsSync(join(aside, 'secret-key'))).toBe(true)
}, 120_000)

test('of a data directory that is gone everything comes back, and the keys and orders are good', async () => {
  for (const name of readdirSync(home.dataDir)) rmSync(join(home.dataDir, name), { recursive: true, force: true })
  expect(await commands.json('runs')).toMatchObject({ code: 1, answer: { error: { code: 'NO_INSTANCE' } } })

  const half = join(kept, 'half.tar.gz')
  cpSync(idle, half)
  writeFileSync(half, readFileSync(idle).subarray(0, statSync(idle).size / 2))
  expect(await commands.json('restore', half)).toMatchObject({ code: 1, answer: { error: { code: 'BACKUP_INVALID' } } })
  expect(await commands.json('restore', join(kept, 'absent.tar.gz'))).toMatchObject({ code: 1 })
  expect(readdirSync(home.dataDir)).toEqual([])

  const restored = await commands.json('restore', idle)
  expect(restored).toMatchObject({ code: 0, answer: { verified: true, moved_aside: null } })
  expect((await commands.json('doctor')).answer).toMatchObject({ ok: true })
  await startPanji(home)
  expect(await fingerprint(home)).toEqual(before)

  const client = createPanjiClient({ baseUrl: apiUrl(), apiKey: key })
  const found = await client.GET('/api/orders/{id}', { params: { path: { id: order } } })
  expect(dataOf(found).status).toBe('completed')
  const states = await asOwner(home, (db) => db.query('SELECT DISTINCT status FROM deliver.destination'))
  expect(states).toEqual([{ status: 'active' }])
  const names = ((await commands.json('schedules')).answer as { name: string }[]).map(({ name }) => name)
  expect(names).toContain('nightly')
}, 180_000)

test('one that was taken during a run restores to an instance that ends the run', async () => {
  expect(await commandsElsewhere.json('restore', busy)).toMatchObject({ code: 0 })
  panji.child.kill('SIGINT')
  await panji.ended
  await startPanji(elsewhere)
  await expect
    .poll(
      () => asOwner(elsewhere, (db) => db.query(`SELECT DISTINCT status FROM ingest.run WHERE input LIKE '%goa.csv'`)),
      {
        timeout: 60_000,
      },
    )
    .toEqual([{ status: 'succeeded' }])
  const rows = (at: Record<string, string>) => at['registry.company']?.split(' ')[0]
  expect(rows(await fingerprint(elsewhere))).toBe(rows(before))
  expect((await commandsElsewhere.json('doctor')).answer).toMatchObject({ ok: true })
}, 180_000)

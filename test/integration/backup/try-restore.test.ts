/** A backup tries its own restore: what cannot be restored is known at once, and takes no other backup's place. */
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkBackup } from '../../../src/backup/check-backup.ts'
import type { Manifest } from '../../../src/backup/manifest.ts'
import { writeBackup } from '../../../src/backup/write-backup.ts'
import { requireTrial, tryRestore } from '../../../src/cli/instance/restore/try-restore.ts'
import { openDb } from '../../../src/db/db.ts'
import { createCustomer } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { databaseAt } from '../../support/database-url.ts'

const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-trial-'))
const path = join(folder, 'whole.tar.gz')
let manifest: Manifest
beforeAll(async () => {
  await createCustomer(database.db)
  manifest = await writeBackup({ db: database.db, version: '0.1.0', files: [] }, path)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const trialName = () => `${new URL(database.url).pathname.slice(1)}_restore_trial`
const trials = () => database.db.query('SELECT 1 FROM pg_database WHERE datname = $1', [trialName()])

test('a good one passes, whatever a killed trial left, and leaves nothing', async () => {
  await database.db.execute(`CREATE DATABASE ${trialName()}`)
  let loaded = 0
  await tryRestore(database.url, {
    path,
    manifest,
    onRows: (rows) => {
      loaded = rows
    },
  })
  expect(loaded).toBeGreaterThan(0)
  expect(await trials()).toEqual([])
})

test("it is made as the instance's database is, whatever the server makes of one unasked", async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_plain`
  await database.db.execute(`CREATE DATABASE ${name} TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`)
  const made: Promise<unknown>[] = []
  await tryRestore(databaseAt(database.url, name), {
    path,
    manifest,
    onRows: () => {
      made[0] ??= database.db.query(
        `SELECT datcollate, datctype, pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = $1`,
        [`${name}_restore_trial`],
      )
    },
  })
  expect(await made[0]).toEqual([{ datcollate: 'C', datctype: 'C', encoding: 'UTF8' }])
  await database.db.execute(`DROP DATABASE ${name}`)
})

test('one that a restore would refuse gets no name', async () => {
  const other = join(folder, 'other.tar.gz')
  const writing = writeBackup({ db: database.db, version: '0.1.0', files: [] }, other, {
    tryDraft: (draft, { tables, ...rest }) => {
      const shorter = tables.map((each) => (each.name === 'access.account' ? { ...each, rows: each.rows + 1 } : each))
      return tryRestore(database.url, { path: draft, manifest: { ...rest, tables: shorter }, onRows: () => {} })
    },
  })
  await expect(writing).rejects.toMatchObject({
    code: 'BACKUP_INVALID',
    message: expect.stringContaining('access.account'),
  })
  expect([existsSync(other), existsSync(`${other}.part`)]).toEqual([false, false])
  expect(await trials()).toEqual([])
})

test('two restore tests of one instance never overlap, and a role without the right is told so first', async () => {
  await database.db.execute(`CREATE DATABASE ${trialName()}`)
  const url = databaseAt(database.url, trialName())
  const other = openDb({ connectionString: url, applicationName: 'panji-test', connectionsMax: 1 })
  await other.query('SELECT 1')
  await expect(tryRestore(database.url, { path, manifest, onRows: () => {} })).rejects.toMatchObject({
    code: 'BACKUP_REFUSED',
    message: expect.stringContaining('Another backup'),
  })
  await other.close()
  await database.db.execute(`DROP DATABASE ${trialName()}`)
  await expect(requireTrial(database.as('panji_worker'))).rejects.toMatchObject({
    code: 'BACKUP_REFUSED',
    message: expect.stringContaining('CREATEDB'),
  })
  await requireTrial(database.db)
})

test('of two that write the same file at once both succeed, and the file is whole', async () => {
  const shared = join(folder, 'shared.tar.gz')
  const source = { db: database.db, version: '0.1.0', files: [] }
  let second: Promise<Manifest> | undefined
  await writeBackup(source, shared, {
    tryDraft: async () => {
      second = writeBackup(source, shared)
      await second
    },
  })
  expect(await second).toMatchObject({ tables: manifest.tables.map(({ name }) => expect.objectContaining({ name })) })
  expect((await checkBackup(shared)).tables).toHaveLength(manifest.tables.length)
  expect(readdirSync(folder).filter((name) => name.startsWith('shared'))).toEqual(['shared.tar.gz'])
})

test('drafts that killed processes left are gone after a day; one of today may be in progress', async () => {
  const file = join(folder, 'again.tar.gz')
  const drafts = [`${file}.0a1b2c3d.part`, `${file}.part`, `${file}.11111111.part`]
  for (const draft of drafts) writeFileSync(draft, '')
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const draft of drafts.slice(0, 2)) utimesSync(draft, old, old)
  await writeBackup({ db: database.db, version: '0.1.0', files: [] }, file)
  expect(readdirSync(folder).filter((name) => name.startsWith('again'))).toEqual([
    'again.tar.gz',
    'again.tar.gz.11111111.part',
  ])
})

/** The archive of a backup: what was cut off, altered or made by a newer version is refused before anything is changed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkBackup } from '../../../src/backup/check-backup.ts'
import { type Manifest, manifestName } from '../../../src/backup/manifest.ts'
import { writeBackup } from '../../../src/backup/write-backup.ts'
import { fillDatabase, requireKnownVersion } from '../../../src/cli/instance/restore/fill-database.ts'
import { openDb } from '../../../src/db/db.ts'
import { missingRights } from '../../../src/db/declared-rights.ts'
import { listMigrations } from '../../../src/db/migrate.ts'
import { createCustomer } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { databaseAt } from '../../support/database-url.ts'
import { machineServer, startMachinePostgres } from '../../support/machine-postgres.ts'

const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-backup-'))
const path = join(folder, 'whole.tar.gz')
const odd = 'a line\nbreak, a tab\t, a \\ and पंजी'
let manifest: Manifest

const databaseNamed = async (name: string) => {
  await database.db.execute(`CREATE DATABASE ${name}`)
  return databaseAt(database.url, name)
}
const connectedTo = (connectionString: string) => openDb({ connectionString, applicationName: 'panji-test' })

beforeAll(async () => {
  const { accountId } = await createCustomer(database.db)
  await database.db.execute('UPDATE access.account SET username = $2 WHERE account_id = $1', [accountId, odd])
  // As a run at work has one.
  await database.db.execute('CREATE UNLOGGED TABLE ingest.stage_77 (ordinal bigint GENERATED ALWAYS AS IDENTITY)')
  writeFileSync(join(folder, 'secret-key'), 'the key\n')
  const files = [{ path: join(folder, 'secret-key'), name: 'secret-key' }]
  manifest = await writeBackup({ db: database.db, version: '0.1.0', files }, path)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the file is closed to others, and tar reads it', async () => {
  expect(manifest.tables.find(({ name }) => name === 'access.account')).toMatchObject({ rows: 1 })
  const listed = spawnSync('tar', ['tzvf', path], { encoding: 'utf8' })
  expect(listed.stdout).toContain('tables/access.account/000001')
  expect(listed.stdout).toMatch(/^-rw-------.* files\/0001-secret-key\/000001$/m)
  expect(await checkBackup(path)).toEqual(manifest)
})

test('what a run at work keeps for itself is no part of it', () => {
  const named = [...manifest.tables, ...manifest.sequences].map(({ name }) => name)
  expect(named.filter((name) => name.includes('stage_77'))).toEqual([])
  expect(manifest.sequences.map(({ name }) => name)).toContain('ingest.run_run_id_seq')
})

describe('refused', () => {
  const bytes = () => readFileSync(path)
  const altered = (change: (tar: Buffer) => Buffer) => gzipSync(change(gunzipSync(bytes())))
  const withBytes = (find: string, replace: string) => (tar: Buffer) => {
    const at = tar.indexOf(find)
    tar.write(replace, at)
    return tar
  }
  test.each([
    ['cut off', () => bytes().subarray(0, bytes().length - 40), 'ends too early'],
    ['cut off between members', () => altered((tar) => tar.subarray(0, 512 * 2)), 'ends too early'],
    [
      'damaged',
      () => Buffer.concat([bytes().subarray(0, 900), Buffer.from('damaged'), bytes().subarray(907)]),
      // Which check finds it depends on what the bytes meant.
      'cannot be used',
    ],
    ['another row', () => altered(withBytes('a line', 'b line')), 'access.account'],
    ['another file', () => altered(withBytes('the key', 'its key')), 'secret-key'],
    ['another manifest', () => altered(withBytes('"rows": 1', '"rows": 2')), 'manifest'],
    [
      'without its end',
      () => altered((tar) => Buffer.concat([tar.subarray(0, tar.indexOf(manifestName)), Buffer.alloc(1024)])),
      'manifest',
    ],
    ['no archive', () => gzipSync('hello'.repeat(500)), 'no archive'],
    ['no gzip', () => Buffer.from('hello'), 'damaged'],
    ['empty', () => Buffer.alloc(0), 'early'],
  ])('%s', async (_what, content, reason) => {
    const other = join(folder, 'other.tar.gz')
    writeFileSync(other, content())
    await expect(checkBackup(other)).rejects.toMatchObject({
      code: 'BACKUP_INVALID',
      message: expect.stringContaining(reason),
    })
  })

  test('made by a newer version, or with a migration that was changed', () => {
    const newer = [...manifest.migrations, { name: '9999_later.sql', sha256: '0'.repeat(64) }]
    expect(() => requireKnownVersion({ ...manifest, migrations: newer })).toThrow(/9999_later/)
    expect(() => requireKnownVersion(manifest)).not.toThrow()
  })

  test('made before 0.1.0', () => {
    const migrations = [{ name: '0001_registry.sql', sha256: '0'.repeat(64) }]
    expect(() => requireKnownVersion({ ...manifest, migrations })).toThrow(
      /The backup was made by a Panji from before 0\.1\.0 .*0001_registry\.sql/,
    )
  })
})

test('a restored database holds the same rows, values with line breaks included', async () => {
  const url = await databaseNamed('backup_same')
  await fillDatabase(url, { path, manifest, onRows: () => {} })
  const restored = connectedTo(url)
  expect(await restored.query('SELECT username FROM access.account')).toEqual([{ username: odd }])
  const again = await writeBackup({ db: restored, version: '0.1.0', files: [] }, join(folder, 'again.tar.gz'))
  const contents = (tables: Manifest['tables']) => tables.filter(({ name }) => !name.startsWith('pgboss'))
  expect(contents(again.tables)).toEqual(contents(manifest.tables))
  expect(again.sequences).toEqual(expect.arrayContaining(manifest.sequences))
  await restored.close()
})

test('the PostgreSQL of the distribution takes what the embedded server held, so that Panji outlives that package', async ({
  skip,
}) => {
  const bin = machineServer()
  if (bin === undefined) return skip('no PostgreSQL server of the distribution is installed here')
  const server = await startMachinePostgres(bin)
  onTestFinished(() => server.stop())
  await fillDatabase(server.url, { path, manifest, onRows: () => {} })
  const restored = connectedTo(server.url)
  onTestFinished(() => restored.close())
  const again = await writeBackup({ db: restored, version: '0.1.0', files: [] }, join(folder, 'elsewhere.tar.gz'))
  const contents = (tables: Manifest['tables']) => tables.filter(({ name }) => !name.startsWith('pgboss'))
  expect(contents(again.tables)).toEqual(contents(manifest.tables))
  expect(await restored.query('SELECT username FROM access.account')).toEqual([{ username: odd }])
  expect(await missingRights(restored, 'panji_api')).toEqual([])
})

test('a backup of an earlier release gets its own schema, its rows, and then the migrations since', async () => {
  const next = {
    name: '9990_next.sql',
    text: `ALTER TABLE access.account ADD COLUMN nickname text; UPDATE access.account SET nickname = 'of ' || email`,
    sha256: 'x',
  }
  const url = await databaseNamed('backup_upgraded')
  await fillDatabase(url, { path, manifest, onRows: () => {} }, [...listMigrations(), next])
  const restored = connectedTo(url)
  expect(await restored.query(`SELECT nickname = 'of ' || email AS moved FROM access.account`)).toEqual([
    { moved: true },
  ])
  expect(await restored.query('SELECT name FROM runtime.migration')).toHaveLength(listMigrations().length + 1)
  await restored.close()
})

test.each(['0.1.0', '0.1.7'])('a backup by release %s of the same schema is restored', async (version) => {
  const other = join(folder, `by-${version}.tar.gz`)
  await writeBackup({ db: database.db, version, files: [] }, other)
  const written = await checkBackup(other)
  expect(written).toMatchObject({ panji: version })
  requireKnownVersion(written)
  const url = await databaseNamed(`by_${version.replaceAll('.', '_')}`)
  await fillDatabase(url, { path: other, manifest: written, onRows: () => {} })
  const restored = connectedTo(url)
  expect(await restored.query('SELECT username FROM access.account')).toEqual([{ username: odd }])
  await restored.close()
})

test('a backup that cannot be finished leaves no file, and the one before as it was', async () => {
  const before = readFileSync(path)
  const files = [{ path: join(folder, 'absent'), name: 'secret-key' }]
  await expect(writeBackup({ db: database.db, version: '0.1.0', files }, path)).rejects.toThrow('ENOENT')
  expect(readFileSync(path).equals(before)).toBe(true)
  await expect(
    writeBackup({ db: database.db, version: '0.1.0', files: [] }, join(folder, 'no', 'x.tar.gz')),
  ).rejects.toThrow('ENOENT')
  truncateSync(path, before.length)
})

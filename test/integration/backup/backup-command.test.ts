/** `panji backup` without a file, as a timer of the machine runs it: a new file in the folder, tried and told of. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkBackup } from '../../../src/backup/check-backup.ts'
import { restoreExternal } from '../../../src/cli/instance/restore/restore-external.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { Stopped } from '../../../src/domain/stopped.ts'
import { useTestDatabase } from '../../support/database.ts'
import { databaseAt } from '../../support/database-url.ts'
import { runPanjiIn } from '../../support/panji-cli.ts'
import { runPanji } from '../../support/panji-program.ts'

const database = useTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'panji-timer-'))
const backups = join(dataDir, 'backups')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const settings = (url: string) => ({ dataDir, databaseUrl: new Secret(url) })
const backUp = (env: Record<string, string>, ...parameters: string[]) =>
  runPanjiIn(dataDir, ['backup', ...parameters, '--json'], {
    ...{ DATABASE_URL: database.url, PANJI_SECRET_KEY: 'a secret of this test alone' },
    ...env,
  }).ended

test('it writes a new file into the folder of backups, tries its restore, and says so in the audit log', async () => {
  const { code, stdout, stderr } = await backUp({ PANJI_BACKUP_DIR: backups, PANJI_BACKUPS_KEPT: '1' })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const written = JSON.parse(stdout) as Readonly<Record<string, unknown>>
  expect(written).toMatchObject({ verified: true, restore_verified: true, removed: [] })
  expect([written['file']]).toEqual(readdirSync(backups).map((name) => join(backups, name)))
  const told = await database.db.query(`SELECT actor FROM access.audit WHERE action = 'finish backup'`)
  expect(told).toEqual([{ actor: 'operator' }])
})

test('it names what is missing where neither a file nor a folder is named, and what it does not take beside the folder', async () => {
  const none = await backUp({ PANJI_BACKUP_DIR: '' })
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('PANJI_BACKUP_DIR') })
  const replacing = await backUp({ PANJI_BACKUP_DIR: backups }, '--overwrite')
  expect(replacing).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing is overwritten') })
  expect(readdirSync(backups)).toHaveLength(1)
})

test('Ctrl-C ends a backup and a restore: no draft and no instance is left', async () => {
  const env = { DATABASE_URL: database.url, PANJI_SECRET_KEY: 'a secret of this test alone', PANJI_DATA_DIR: dataDir }
  const file = join(dataDir, 'stopped.tar.gz')
  const stopped = { code: 1, stdout: expect.stringContaining('"STOPPED"') }
  const signal = AbortSignal.abort(new Stopped('Stopped by SIGINT.'))
  expect(await runPanji(['backup', file, '--json'], env, signal)).toMatchObject(stopped)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('stopped'))).toEqual([])
  expect(await runPanji(['backup', file, '--json'], env)).toMatchObject({ code: 0 })
  const into = join(dataDir, 'restored')
  const restore = ['restore', file, '--json']
  expect(await runPanji(restore, { ...env, DATABASE_URL: '', PANJI_DATA_DIR: into }, signal)).toMatchObject(stopped)
  expect(existsSync(into)).toBe(false)
})

test('a restore into DATABASE_URL that is interrupted leaves no Panji, and the next command says how to go on', async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_interrupted`
  await database.db.execute(`CREATE DATABASE ${name}`)
  const url = databaseAt(database.url, name)
  const env = { DATABASE_URL: url, PANJI_SECRET_KEY: 'a secret of this test alone', PANJI_DATA_DIR: dataDir }
  const path = join(dataDir, 'interrupted.tar.gz')
  await runPanji(['backup', path, '--json'], { ...env, DATABASE_URL: database.url })
  const manifest = await checkBackup(path)
  const interrupted = restoreExternal(url, settings(url), {
    ...{ path, manifest },
    onRows: () => expect.unreachable('interrupted'),
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  for (const command of [['restore', path], ['migrate'], ['account', 'list'], ['start', '--role', 'worker']]) {
    const outcome = await runPanji([...command, '--json'], env)
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringContaining('"DATABASE_UNSUITABLE"') })
    expect(outcome.stderr).toContain('drop the database, create an empty one, and run `panji restore` again')
  }
  await database.db.execute(`DROP DATABASE ${name}`)
  await database.db.execute(`CREATE DATABASE ${name}`)
  expect(await runPanji(['restore', path, '--json'], env)).toMatchObject({ code: 0 })
  expect(await runPanji(['account', 'list', '--json'], env)).toMatchObject({ code: 0 })
  await database.db.execute(`DROP DATABASE ${name}`)
}, 120_000)

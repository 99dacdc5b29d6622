/** `panji backup` without a file, as a timer of the machine runs it: a new file in the folder, tried and told of. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { runPanjiIn } from '../../support/panji-cli.ts'

const database = useTestDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'panji-timer-'))
const backups = join(dataDir, 'backups')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

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

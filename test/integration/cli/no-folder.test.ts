/** With DATABASE_URL a command may run in any folder, and leaves nothing there. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { companyFile } from '../../support/company-lines.ts'
import { useTestDatabase } from '../../support/database.ts'
import { panjiProgram } from '../../support/panji-program.ts'

const database = useTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'panji-anywhere-'))
const dataDir = join(folder, '.panji')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const panji = () =>
  panjiProgram({
    ...{ DATABASE_URL: database.url, PANJI_DATA_DIR: dataDir },
    PANJI_SECRET_KEY: 'secret-key-of-no-folder-0123456789',
  })

test.each([
  'migrate',
  'runs',
  'account create --email asha@example.in',
  'account list',
  'operator list',
  'status',
  'jobs redrive --all',
  `backup ${join(folder, 'whole.tar.gz')}`,
])('`panji %s` creates no data directory', async (command) => {
  expect(await panji().json(...command.split(' '))).toMatchObject({ code: 0 })
  expect(existsSync(dataDir)).toBe(false)
})

test('`panji doctor` creates none either, and says so', async () => {
  const { answer } = await panji().json('doctor')
  const detail = expect.stringContaining(`${dataDir} does not exist`)
  expect(answer).toMatchObject({ checks: expect.arrayContaining([{ name: 'data directory', ok: true, detail }]) })
  expect(existsSync(dataDir)).toBe(false)
})

test('a command that brings its own worker creates it for that worker, with no token of an operator', async () => {
  const path = join(folder, 'companies.csv')
  writeFileSync(path, companyFile(20))
  expect(await panji().json('ingest', 'mca-companies', path)).toMatchObject({ code: 0, answer: { inserted: 20 } })
  expect(existsSync(join(dataDir, 'operator-token'))).toBe(false)
})

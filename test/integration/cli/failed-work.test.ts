/** Exit code 1 comes with a document that says why, also where a command has found what it looked for and that is bad. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { panjiProgram } from '../../support/panji-program.ts'
import { insertDirector } from '../orders/world.ts'

const database = useTestDatabase()
const home = panjiHome()
afterAll(() => home.remove())
const panji = (databaseUrl: string) =>
  panjiProgram({
    PANJI_DATA_DIR: home.dataDir,
    DATABASE_URL: databaseUrl,
    PANJI_SECRET_KEY: 'secret-key-of-failed-work-0123456789',
    PANJI_OPERATOR_TOKEN: 'operator-token-of-failed-work',
  })
const here = () => panji(database.url)
const saysWhy = (code: string) => ({ code, message: expect.stringMatching(/\S/) })

test('a total that is not that of its register is found with an error in the document', async () => {
  const { db } = database
  expect((await here().json('recount', '--check')).code).toBe(0)
  await db.execute('ALTER TABLE registry.director DISABLE TRIGGER USER')
  await insertDirector(db, '00012345', { approved_on: '2020-01-01' })
  await db.execute('ALTER TABLE registry.director ENABLE TRIGGER USER')
  expect(await here().json('recount', '--check')).toMatchObject({
    code: 1,
    answer: { registers: expect.any(Array), error: saysWhy('CHECK_FAILED') },
  })
})

test('a file that is no receipt, and one where none may be written, are refused with an error in the document', async () => {
  const junk = join(home.dataDir, 'junk.json')
  writeFileSync(junk, 'junk')
  expect(await here().json('receipt', 'verify', junk)).toMatchObject({
    code: 1,
    answer: { ok: false, error: saysWhy('CHECK_FAILED') },
  })
  expect(await here().json('audit', 'export', junk)).toMatchObject({
    code: 1,
    answer: { error: saysWhy('FILE_REFUSED') },
  })
  expect(readFileSync(junk, 'utf8')).toBe('junk')
})

test('payments that need the processor fail where none is configured: the command line is not at fault', async () => {
  for (const command of [
    ['reconcile'],
    ['settle', 'order_None'],
    ['refund', 'pay_None', '--reason', 'asked', '--yes'],
  ]) {
    expect(await here().json('payments', ...command)).toMatchObject({ code: 1, answer: { error: saysWhy('CONFLICT') } })
  }
})

test('a doctor that finds a fault reports it with the checks', async () => {
  expect(await panji('postgres://panji@127.0.0.1:1/panji').json('doctor')).toMatchObject({
    code: 1,
    answer: { ok: false, checks: expect.any(Array), error: saysWhy('CHECK_FAILED') },
  })
})

test('no command says that its work failed but by the document that tells why', () => {
  const folder = new URL('../../../src/cli', import.meta.url).pathname
  const throwing = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && readFileSync(join(folder, file), 'utf8').includes('new WorkFailed'),
  )
  expect(throwing).toEqual(['work-failed.ts'])
})

test('personal data is printed only once the audit log has the row: a database that takes no writes gets one document, the error', async () => {
  await here().json('account', 'create', '--email', 'kamala@example.in')
  const standby = new URL(database.url)
  standby.searchParams.set('options', '-c default_transaction_read_only=on')
  const { code, answer } = await panji(standby.href).json('account', 'find', 'kamala@example.in')
  expect([code, answer]).toEqual([1, { error: saysWhy('NOT_WRITABLE') }])
  expect(await panji(standby.href).json('runs')).toMatchObject({ code: 0, answer: [] })
})

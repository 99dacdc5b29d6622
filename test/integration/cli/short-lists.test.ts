/** A list that stops at a number of rows says on standard error how many there are, and its document stays a list. */
import { afterAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'
import { panjiProgram } from '../../support/panji-program.ts'

const database = useTestDatabase()
const home = panjiHome()
afterAll(() => home.remove())
const panji = () =>
  panjiProgram({
    PANJI_DATA_DIR: home.dataDir,
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: 'secret-key-of-short-lists-0123456789',
    PANJI_OPERATOR_TOKEN: 'operator-token-of-short-lists',
  })

/** Accounts of one name. */
async function addAccounts(from: number, to: number): Promise<void> {
  await database.db.execute(
    `INSERT INTO access.account (email, username) SELECT 'many-' || n || '@example.in', 'many-' || n FROM generate_series($1::int, $2::int) n`,
    [from, to],
  )
}

test('as long as all are shown nothing is said, and from the next one on how many there are', async () => {
  await addAccounts(1, 100)
  const all = await panji().run('account', 'find', 'many-', '--json')
  expect([JSON.parse(all.stdout).length, all.stderr]).toEqual([100, ''])
  await addAccounts(101, 101)
  const some = await panji().run('account', 'find', 'many-', '--json')
  expect([JSON.parse(some.stdout).length, some.stderr.trim()]).toEqual([
    100,
    '100 of 101; the console lists all of them',
  ])
})

test('the latest imports are counted likewise', async () => {
  await database.db.execute(
    `INSERT INTO ingest.run (source, input, mode, requested_by, status, as_of)
     SELECT 'mca-companies', 'goa.csv', 'snapshot', 'operator', 'failed', '2026-01-01' FROM generate_series(1, 51)`,
  )
  const runs = await panji().run('runs', '--json')
  expect([JSON.parse(runs.stdout).length, runs.stderr.trim()]).toEqual([50, '50 of 51; the console lists all of them'])
})

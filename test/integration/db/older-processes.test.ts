/** `panji migrate` beyond what running processes can work beside says so first, and applies nothing unless it is told to. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Db, openDb } from '../../../src/db/db.ts'
import { acquireInstance } from '../../../src/db/embedded/instance-lock.ts'
import { listMigrations, migrateTo } from '../../../src/db/migrate.ts'
import { schemaFloor } from '../../../src/db/schema-floor.ts'
import { databaseAt } from '../../support/database-url.ts'
import { type PanjiHome, panjiHome } from '../../support/panji-cli.ts'

const name = `test_${randomBytes(6).toString('hex')}`
const at = (database: string) => databaseAt(inject('clusterUrl'), database)
let maintenance: Db
let db: Db
let home: PanjiHome
let process: pg.Client

beforeAll(async () => {
  maintenance = openDb({ connectionString: inject('clusterUrl'), applicationName: 'panji-test' })
  await maintenance.execute(`CREATE DATABASE ${name}`)
  db = openDb({ connectionString: at(name), applicationName: 'panji-test' })
  await migrateTo(
    db,
    listMigrations().filter((migration) => migration.name < schemaFloor),
  )
  home = panjiHome({
    DATABASE_URL: at(name),
    PANJI_SECRET_KEY: 'secret-key-of-the-upgrade-0123456789',
    PANJI_OPERATOR_TOKEN: 'operator-token-of-the-upgrade',
  })
  process = new pg.Client({ connectionString: at(name), application_name: 'panji:4711:api' })
  await process.connect()
}, 60_000)
afterAll(async () => {
  await process.end()
  home.remove()
  await db.close()
  await maintenance.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await maintenance.close()
})

const applied = () => db.query<{ count: number }>('SELECT count(*) FROM runtime.migration')

test('any other command applies nothing where processes of an earlier version may be running, and says what does', async () => {
  const before = await applied()
  const refused = await home.json('account', 'create', '--email', 'asha@example.in')
  expect(refused).toMatchObject({
    code: 1,
    answer: {
      error: { code: 'SCHEMA_BEHIND', message: expect.stringMatching(/DATABASE_URL.*0009_.*`panji migrate`/) },
    },
  })
  const doctor = await home.json('doctor')
  expect([doctor.code, JSON.stringify(doctor.answer)]).toEqual([1, expect.stringContaining('`panji migrate`')])
  const own = panjiHome()
  const lock = acquireInstance(own.dataDir, 'start')
  lock.publish({ databaseUrl: at(name) })
  const beside = await own.json('runs')
  expect(beside).toMatchObject({ code: 1, answer: { error: { code: 'SCHEMA_BEHIND' } } })
  expect(beside.stderr).toContain(`The Panji running on ${own.dataDir}`)
  expect(beside.stderr).not.toContain('DATABASE_URL')
  lock.release()
  own.remove()
  expect(await applied()).toEqual(before)
}, 120_000)

test('processes that are older than the floor are named, and nothing is applied until --yes says so', async () => {
  const before = await applied()
  const refused = await home.json('migrate')
  expect(refused.code).toBe(1)
  expect(refused.answer).toMatchObject({
    error: { code: 'CONFLICT', message: expect.stringMatching(/4711 \(panji from 127\.0\.0\.1\).*--yes/) },
  })
  expect(await applied()).toEqual(before)
  expect((await home.json('migrate', '--yes')).code).toBe(0)
  expect(await applied()).toEqual([{ count: listMigrations().length }])
  // From here on it works beside what runs.
  expect(await home.json('migrate')).toMatchObject({ code: 0, answer: { applied: [] } })
}, 120_000)

test('a database from before 0.1.0 is refused by migrate, start and doctor, and stays as it is', async () => {
  await db.execute('ALTER TABLE runtime.migration DROP COLUMN floor')
  await db.execute(`UPDATE runtime.migration SET name = '0001_registry.sql' WHERE name = '0001_access.sql'`)
  const before = await db.query('SELECT * FROM runtime.migration ORDER BY name')
  const error = { code: 'SCHEMA_TOO_OLD', message: expect.stringContaining('from before 0.1.0') }
  for (const command of ['migrate', 'start']) {
    expect(await home.json(command)).toMatchObject({ code: 1, answer: { error } })
  }
  const doctor = await home.json('doctor')
  expect(doctor.code).toBe(1)
  expect(JSON.stringify(doctor.answer)).toContain('from before 0.1.0')
  expect(await db.query('SELECT * FROM runtime.migration ORDER BY name')).toEqual(before)
}, 120_000)

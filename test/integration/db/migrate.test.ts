import { expect, test } from 'vitest'
import { listMigrations, migrate } from '../../../src/db/migrate.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()

test('a migrated database has nothing left to apply', async () => {
  expect(await migrate(database.db)).toEqual([])
})

test('two processes that migrate at once apply each migration once', async () => {
  const next = { name: '9990_next.sql', text: 'CREATE TABLE runtime.next (id integer PRIMARY KEY)', sha256: 'x' }
  const all = [...listMigrations(), next]
  const results = await Promise.all([migrate(database.db, all), migrate(database.db, all), migrate(database.db, all)])
  expect(results.flat()).toEqual(['9990_next.sql'])
})

test('a database that a newer Panji migrated is refused with the name of the unknown migration', async () => {
  await expect(migrate(database.db)).rejects.toMatchObject({ code: 'SCHEMA_TOO_NEW' })
})

test('a failing migration leaves nothing of itself behind', async () => {
  const all = [
    ...listMigrations(),
    { name: '9990_next.sql', text: '', sha256: 'x' },
    { name: '9991_broken.sql', text: 'CREATE TABLE runtime.half (id integer); SELECT 1/0', sha256: 'y' },
  ]
  await expect(migrate(database.db, all)).rejects.toThrow('9991_broken.sql')
  expect(await database.db.query(`SELECT to_regclass('runtime.half') AS "table"`)).toEqual([{ table: null }])
})

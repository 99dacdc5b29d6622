/** A database that is none to make Panji in says so, and why, before anything is made there. */
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../../src/db/db.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { useTestDatabase } from '../../support/database.ts'
import { databaseAt } from '../../support/database-url.ts'

const database = useTestDatabase()
const name = `unsuitable_${randomBytes(6).toString('hex')}`
const schemas = `SELECT string_agg(nspname, ' ' ORDER BY nspname) AS names FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$'`
afterAll(async () => {
  await database.db.execute(`DROP ROLE ${name}`)
})

/** What `migrate` says of a database that was made so, and the schemas that it has then. */
async function migrated(how: string, statements: readonly string[] = [], login?: string) {
  await database.db.execute(`CREATE DATABASE ${name} ${how}`)
  const url = new URL(databaseAt(database.url, name))
  const owner = openDb({ connectionString: url.href, applicationName: 'panji-test', connectionsMax: 1 })
  try {
    for (const statement of statements) await owner.execute(statement)
    if (login !== undefined) Object.assign(url, { username: login, password: 'secret' })
    const db = openDb({ connectionString: url.href, applicationName: 'panji-test', connectionsMax: 1 })
    const error: unknown = await migrate(db).catch((reason: unknown) => reason)
    await db.close()
    return { error, schemas: (await owner.query<{ names: string }>(schemas))[0]?.names }
  } finally {
    await owner.close()
    await database.db.execute(`DROP DATABASE ${name} WITH (FORCE)`)
  }
}

test.each(['LATIN1', 'SQL_ASCII'])('one of encoding %s is named with it', async (encoding) => {
  const how = `TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`
  expect(await migrated(how)).toEqual({
    error: expect.objectContaining({ code: 'DATABASE_UNSUITABLE', message: expect.stringContaining(encoding) }),
    schemas: 'public',
  })
})

test('one in which schemas of another program have the names of ours is named with these, and they stay', async () => {
  expect(await migrated('', ['CREATE SCHEMA orders', 'CREATE SCHEMA ledger', 'CREATE SCHEMA crm'])).toEqual({
    error: expect.objectContaining({
      code: 'DATABASE_UNSUITABLE',
      message: expect.stringContaining('ledger, orders.'),
    }),
    schemas: 'crm ledger orders public',
  })
})

test('one in which the login may make nothing is named with the login', async () => {
  await database.db.execute(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`)
  expect(await migrated('', [], name)).toEqual({
    error: expect.objectContaining({
      code: 'DATABASE_RIGHTS_MISSING',
      message: expect.stringContaining(`login ${name} may make no schema`),
    }),
    schemas: 'public',
  })
})

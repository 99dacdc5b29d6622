import { getRollbackPlans } from 'pg-boss'
import { describe, expect, test } from 'vitest'
import { listMigrations, migrate, newerMigrations } from '../../../src/db/migrate.ts'
import { schemaFloor } from '../../../src/db/schema-floor.ts'
import { listSqlFunctions } from '../../../src/db/sql-functions.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()

test('a migrated database has nothing left to apply', async () => {
  expect(await migrate(database.db)).toEqual([])
})

describe('two processes', () => {
  const database = useTestDatabase()

  test('two processes that migrate at once apply each migration once', async () => {
    const next = { name: '9990_next.sql', text: 'CREATE TABLE runtime.next (id integer PRIMARY KEY)', sha256: 'x' }
    const all = [...listMigrations(), next]
    const results = await Promise.all([migrate(database.db, all), migrate(database.db, all), migrate(database.db, all)])
    expect(results.flat()).toEqual(['9990_next.sql'])
  })
})

describe('the schema of the next release', () => {
  const database = useTestDatabase()

  test('a program keeps working after the migrations of the next release, and does not change them', async () => {
    const own = listMigrations()
    const word = { name: 'runtime.older', text: 'CREATE FUNCTION runtime.older() RETURNS int AS $$ 1 $$', sha256: 'x' }
    const next = { name: '9990_next.sql', text: 'CREATE TABLE IF NOT EXISTS runtime.next (id integer)', sha256: 'x' }
    await migrate(database.db, [...own, next])
    expect(await newerMigrations(database.db, own)).toEqual(['9990_next.sql'])
    expect(await migrate(database.db, own, [...listSqlFunctions(), word])).toEqual([])
    expect(own.map(({ name }) => name)).toContain(schemaFloor)
  })
})

describe('a floor that is not known', () => {
  const database = useTestDatabase()

  test('a schema whose floor a program does not know is refused with the name of the unknown migration', async () => {
    const own = listMigrations()
    await migrate(database.db, [...own, { name: '9990_next.sql', text: '', sha256: 'x' }])
    const older = own.slice(
      0,
      own.findIndex(({ name }) => name === schemaFloor),
    )
    const refusal = { code: 'SCHEMA_TOO_NEW', message: expect.stringContaining(schemaFloor) }
    await expect(migrate(database.db, older)).rejects.toMatchObject(refusal)
  })
})

describe('a file that changed after it was applied', () => {
  test('is refused by its name', async () => {
    const [first, ...others] = listMigrations()
    const changed = [{ name: 'none', text: '', ...first, sha256: 'x' }, ...others]
    await expect(migrate(database.db, changed)).rejects.toMatchObject({
      code: 'SCHEMA_TOO_NEW',
      message: expect.stringContaining(`${first?.name} was changed after it was applied`),
    })
  })
})

describe('a queue whose tables an earlier release gave to the worker', () => {
  const database = useTestDatabase()

  test('goes to the owner at the present version of pg-boss, with its jobs, and the worker goes on with them', async () => {
    const { db } = database
    const things = `SELECT count(*) FILTER (WHERE pg_get_userbyid(relowner) = 'panji_owner')::int AS owners,
        count(*) FILTER (WHERE pg_get_userbyid(relowner) = 'panji_worker')::int AS workers
      FROM pg_class WHERE relnamespace = 'pgboss'::regnamespace AND relkind IN ('r', 'p')`
    const known = `SELECT (SELECT version FROM pgboss.version) AS version, (SELECT jsonb_agg(to_jsonb(j) ORDER BY id) FROM pgboss.job j) AS jobs,
        (SELECT array_agg(indexname::text ORDER BY indexname) FROM pg_indexes WHERE schemaname = 'pgboss') AS indexes`
    const [whole] = await db.query<{ owners: number }>(things)
    await db.execute(`INSERT INTO pgboss.job (name, data, dead_letter) SELECT 'build-leads', jsonb_build_object('orderId', n), 'dead-letter'
      FROM generate_series(1, 3) AS n`)
    const before = await db.query<{ version: number }>(known)
    await db.withConnection(({ client }) => client.query(getRollbackPlans('pgboss', before[0]?.version)))
    await db.execute(`DO $$ DECLARE name regclass; BEGIN
      EXECUTE 'ALTER SCHEMA pgboss OWNER TO panji_worker';
      FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'pgboss'::regnamespace AND relkind IN ('r', 'p') LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO panji_worker', name);
      END LOOP;
    END $$`)
    await db.execute(`DELETE FROM runtime.sql_function WHERE name IN ('queue', 'roles')`)

    expect(await migrate(db)).toEqual([])
    expect(await db.query(things)).toEqual([{ ...whole, workers: 0 }])
    expect(await db.query(known)).toEqual(before)
    expect(await database.as('panji_worker').execute(`UPDATE pgboss.job SET state = 'active'`)).toBe(3)
    expect(await migrate(db)).toEqual([])
  })
})

describe('a failing migration', () => {
  const database = useTestDatabase()

  test('leaves nothing of itself behind', async () => {
    const all = [
      ...listMigrations(),
      { name: '9990_next.sql', text: '', sha256: 'x' },
      { name: '9991_broken.sql', text: 'CREATE TABLE runtime.half (id integer); SELECT 1/0', sha256: 'y' },
    ]
    await expect(migrate(database.db, all)).rejects.toThrow('9991_broken.sql')
    expect(await database.db.query(`SELECT to_regclass('runtime.half') AS "table"`)).toEqual([{ table: null }])
  })
})

test('a function whose file changed is applied anew, and only that one', async () => {
  const word = (answer: string) => ({
    name: 'runtime.word',
    text: `CREATE OR REPLACE FUNCTION runtime.word() RETURNS text LANGUAGE sql AS $$ SELECT '${answer}' $$`,
    sha256: answer,
  })
  const answer = async () => (await database.db.query<{ word: string }>('SELECT runtime.word() AS word'))[0]?.word
  const apply = (said: string) => migrate(database.db, listMigrations(), [...listSqlFunctions(), word(said)])
  expect(await apply('one')).toEqual(['functions/runtime.word.sql'])
  expect(await answer()).toBe('one')
  expect(await apply('one')).toEqual([])
  expect(await apply('two')).toEqual(['functions/runtime.word.sql'])
  expect(await answer()).toBe('two')
})

test('functions that call each other are applied whatever the order of their names', async () => {
  const calling = (name: string, body: string) => ({
    name,
    text: `CREATE OR REPLACE FUNCTION ${name}() RETURNS text LANGUAGE sql AS $$ SELECT ${body} $$`,
    sha256: 'z',
  })
  await migrate(database.db, listMigrations(), [
    ...listSqlFunctions(),
    calling('runtime.a_first', 'runtime.b_second()'),
    calling('runtime.b_second', `'called'`),
  ])
  expect(await database.db.query('SELECT runtime.a_first() AS word')).toEqual([{ word: 'called' }])
})

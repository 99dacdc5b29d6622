/** A dump that was restored by PostgreSQL's own tools: what it lost on the way is made up for, or named with who can. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDb } from '../../../src/db/db.ts'
import { missingRights } from '../../../src/db/declared-rights.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { appRoles } from '../../../src/db/roles.ts'
import { type MachinePostgres, machineServer, startMachinePostgres } from '../../support/machine-postgres.ts'

const bin = machineServer()
const folder = mkdtempSync(join(tmpdir(), 'panji-dump-'))
const dump = join(folder, 'panji.dump')
const opened: Db[] = []
const servers: MachinePostgres[] = []

/** What a program of the server said of its work; it reads on meanwhile, since the server's own log comes to this process. */
const run = promisify(execFile)
const said = async (program: string, ...words: string[]): Promise<string> =>
  run(join(bin ?? '', program), words, { maxBuffer: 2 ** 26 }).then(
    ({ stderr }) => stderr,
    ({ stderr }: { stderr: string }) => stderr,
  )

const connectedTo = (connectionString: string): Db => {
  const db = openDb({ connectionString, applicationName: 'panji-test', connectionsMax: 2 })
  opened.push(db)
  return db
}

/** A server of its own, which has none of the roles. */
async function newServer(): Promise<string> {
  const server = await startMachinePostgres(bin ?? '')
  servers.push(server)
  return server.url
}

const policies = `SELECT format('%s.%s %s %s', schemaname, tablename, policyname, roles) AS name FROM pg_policies ORDER BY 1`
const owners = `SELECT DISTINCT pg_get_userbyid(nspowner)::text AS name FROM pg_namespace
  WHERE nspname IN ('access', 'deliver', 'ingest', 'ledger', 'orders', 'pgboss', 'registry', 'runtime')
  UNION SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE relnamespace::regnamespace::text IN ('access', 'ledger', 'orders', 'runtime')
    AND relkind = 'r'`
const rightsOnDatabase = `SELECT format('%s %s', CASE grantee WHEN 0 THEN 'everybody' ELSE grantee::regrole::text END, privilege_type) AS name
  FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) WHERE datname = current_database() ORDER BY 1`
const namesOf = async (db: Db, statement: string) =>
  (await db.query<{ name: string }>(statement)).map(({ name }) => name)

afterAll(async () => {
  for (const db of opened) await db.close()
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(bin === undefined)('into a server that has none of the roles', () => {
  let source: Db
  let restored: Db
  let url: URL
  beforeAll(async () => {
    const from = await newServer()
    source = connectedTo(from)
    await migrate(source)
    expect(await said('pg_dump', '-Fc', '-f', dump, from)).toBe('')

    url = new URL(await newServer())
    expect(await said('pg_restore', '-d', url.href, dump)).toContain('role "panji_owner" does not exist')
    restored = connectedTo(url.href)
    await restored.execute('CREATE ROLE migrating LOGIN CREATEROLE')
    url.username = 'migrating'
  }, 400_000)

  test('the login that migrates is told to whom everything belongs there, and who can give it away', async () => {
    await expect(migrate(connectedTo(url.href))).rejects.toMatchObject({
      code: 'DATABASE_RIGHTS_MISSING',
      message: expect.stringMatching(/belongs to panji, .*login migrating.*`panji migrate` once with the login panji/),
    })
  })

  test('owners, policies and rights are as they were once a login migrates that may make the roles', async () => {
    expect(await namesOf(restored, policies)).toEqual([])
    await migrate(restored)
    expect(await namesOf(restored, policies)).toEqual(await namesOf(source, policies))
    expect(await namesOf(restored, owners)).toEqual(['panji_owner'])
    for (const role of appRoles) {
      await restored.execute(`CREATE ROLE ${role}_login LOGIN IN ROLE ${role}`)
      const login = new URL(url)
      login.username = `${role}_login`
      expect(await missingRights(connectedTo(login.href), role)).toEqual([])
    }
  }, 120_000)

  test('a login that is given none of them is told which to ask for, and migrates once it has them', async () => {
    const db = connectedTo(url.href)
    await expect(migrate(db)).rejects.toMatchObject({
      code: 'DATABASE_RIGHTS_MISSING',
      message: expect.stringContaining('GRANT panji_owner, panji_api, panji_worker, panji_trade TO "migrating"'),
    })
    await restored.execute('GRANT panji_owner, panji_api, panji_worker, panji_trade TO "migrating"')
    expect(await migrate(db)).toEqual([])
  })

  test('where the roles exist, a migration gives back the rights on the database itself, which no dump holds', async () => {
    await restored.execute('CREATE DATABASE again')
    const again = new URL(url)
    again.username = 'panji'
    again.pathname = '/again'
    expect(await said('pg_restore', '-d', again.href, dump)).toBe('')
    const db = connectedTo(again.href)
    expect(await namesOf(db, rightsOnDatabase)).toContain('everybody TEMPORARY')
    expect(await migrate(db)).toEqual([])
    expect(await namesOf(db, rightsOnDatabase)).toEqual(await namesOf(source, rightsOnDatabase))
  })
})

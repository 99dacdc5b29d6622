/**
 * A database that somebody else runs: what its login may not make is printed, and afterwards each process does with a
 * login that may become one role only.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Db, openDb } from '../../src/db/db.ts'
import { type EmbeddedServer, startEmbeddedServer } from '../../src/db/embedded/server.ts'
import { appRoles } from '../../src/db/roles.ts'
import { companyFile } from '../support/company-lines.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'
import { panjiProgram } from '../support/panji-program.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const dataDir = mkdtempSync(join(tmpdir(), 'panji-logins-'))
// Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
chmodSync(dataDir, 0o755)
let server: EmbeddedServer
let superuser: Db
const homes: PanjiHome[] = []
const dataOfCommands = mkdtempSync(join(tmpdir(), 'panji-logins-data-'))

beforeAll(async () => {
  server = await startEmbeddedServer({ dataDir, settings: { fsync: 'off' } })
  superuser = openDb({ connectionString: server.databaseUrl, applicationName: 'test-superuser', connectionsMax: 1 })
})
afterAll(async () => {
  for (const home of homes) home.remove()
  await superuser.close()
  await server.stop()
  for (const folder of [dataDir, dataOfCommands]) rmSync(folder, { recursive: true, force: true })
})

function urlOf(login: string, database: string): string {
  const url = new URL(server.databaseUrl)
  return Object.assign(url, { username: login, password: 'p', pathname: `/${database}` }).href
}

const settingsOf = (login: string, database: string) => ({
  DATABASE_URL: urlOf(login, database),
  PANJI_SECRET_KEY: 'a secret key of at least thirty-two characters',
  PANJI_OPERATOR_TOKEN: 'an operator token of at least thirty-two characters',
})

/** Commands as that login. */
const panjiAs = (login: string, database = 'register') =>
  panjiProgram({ ...settingsOf(login, database), PANJI_DATA_DIR: dataOfCommands })

/** Processes of that login. */
function homeOf(login: string, database = 'register'): PanjiHome {
  const home = panjiHome(settingsOf(login, database))
  homes.push(home)
  return home
}

/** Afterwards the server is again as a server that has never seen Panji. */
async function makeDatabase(database: string, owner: string, may = '', ...logins: string[]): Promise<void> {
  await superuser.execute(`CREATE ROLE ${owner} LOGIN PASSWORD 'p' ${may}`)
  for (const login of logins) await superuser.execute(`CREATE ROLE ${login} LOGIN PASSWORD 'p'`)
  await superuser.execute(`CREATE DATABASE ${database} OWNER ${owner}`)
  onTestFinished(async () => {
    await superuser.execute(`DROP DATABASE ${database} WITH (FORCE)`)
    for (const role of ['panji_owner', ...appRoles, ...logins, owner]) {
      await superuser.execute(`DROP ROLE IF EXISTS ${role}`)
    }
  })
}

const rolesCheck = async (login: string, database?: string) => {
  const { answer } = await panjiAs(login, database).json('doctor')
  return (answer as { checks: { name: string; ok: boolean; detail: string }[] }).checks.find(
    ({ name }) => name === 'database roles',
  )
}

test('a login that may not make roles migrates and says what makes them; then an API and a worker whose logins are one role each do their work', async () => {
  await makeDatabase('register', 'registrar', '', 'reader', 'miller')
  const home = panjiAs('registrar')
  const first = await home.json('migrate')
  expect(first.code, first.stderr).toBe(0)
  const { roles_sql: sql } = first.answer as { roles_sql: string }
  expect(sql).toContain('CREATE ROLE')
  expect(await rolesCheck('registrar')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('runs as registrar'),
  })

  await superuser.execute(sql)
  const second = await home.json('migrate')
  expect(second.answer, second.stderr).toEqual({ applied: [] })
  expect(await rolesCheck('registrar')).toMatchObject({
    ok: true,
    detail: expect.stringContaining('as roles of this login'),
  })

  await superuser.execute('GRANT panji_api TO reader')
  await superuser.execute('GRANT panji_worker TO miller')
  const api = homeOf('reader').run('start', '--role', 'api')
  const worker = homeOf('miller').run('start', '--role', 'worker')
  try {
    await Promise.all([api.line('Ctrl-C stops.'), worker.line('Ctrl-C stops.')])
    const apiUrl = /API\s+(http:\S+)/.exec(api.printed())?.[1] ?? ''
    expect((await fetch(`${apiUrl}/readyz`)).status).toBe(200)

    const registrar = panjiAs('registrar')
    const created = await registrar.json('account', 'create', '--email', 'a@example.in', '--credits', '3')
    const { api_key } = created.answer as { api_key: string }
    const headers = { 'content-type': 'application/json' }
    const login = await fetch(`${apiUrl}/api/auth/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ api_key }),
    })
    expect(login.status).toBe(200)

    const file = join(dataDir, 'goa.csv')
    writeFileSync(file, companyFile(25_000))
    const taken = await registrar.json('ingest', 'mca-companies', file)
    expect(taken.answer, taken.stderr).toMatchObject({ status: 'succeeded', inserted: 25_000 })
    expect(
      await superuser.query(
        `SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name ~ '^panji:' AND datname = 'register'
           AND usename <> 'registrar' ORDER BY 1`,
      ),
    ).toEqual([{ usename: 'miller' }, { usename: 'reader' }])
  } finally {
    for (const each of [api, worker]) each.child.kill('SIGTERM')
    await Promise.all([api.ended, worker.ended])
  }
  const register = openDb({
    connectionString: urlOf('registrar', 'register'),
    applicationName: 'test-registrar',
    connectionsMax: 1,
  })
  try {
    // The first load made the table anew.
    expect(
      await register.query(
        `SELECT pg_get_userbyid(relowner) AS owner, has_table_privilege('panji_api', oid, 'SELECT') AS "read",
                has_table_privilege('panji_api', oid, 'UPDATE') AS "change"
         FROM pg_class WHERE oid = 'registry.company'::regclass`,
      ),
    ).toEqual([{ owner: 'panji_owner', read: true, change: false }])
  } finally {
    await register.close()
  }
})

test('a login that may make roles, and is no superuser, makes them; deployed as documented a worker then renews subscriptions, and a login without the role that trades leaves that to others and says so', async () => {
  await makeDatabase('three', 'migrator', 'CREATEROLE', 'api_login', 'worker_login', 'narrow_login')
  const owner = panjiAs('migrator', 'three')
  const migrated = await owner.json('migrate')
  expect(migrated.code, migrated.stderr).toBe(0)
  expect(await rolesCheck('migrator', 'three')).toMatchObject({ ok: true })
  expect((await owner.json('migrate')).answer).toEqual({ applied: [] })
  await superuser.execute('GRANT panji_api TO api_login')
  await superuser.execute('GRANT panji_worker, panji_trade TO worker_login')
  await superuser.execute('GRANT panji_worker TO narrow_login')
  expect(await rolesCheck('api_login', 'three')).toMatchObject({ ok: true })
  expect(await rolesCheck('worker_login', 'three')).toMatchObject({ ok: true })
  expect(await rolesCheck('narrow_login', 'three')).toMatchObject({
    ...{ ok: false, detail: expect.stringContaining('GRANT panji_trade TO') },
  })

  const database = openDb({ connectionString: urlOf('migrator', 'three'), applicationName: 'test', connectionsMax: 1 })
  const [ended] = await database.query<{ id: string }>(
    `WITH owner AS (INSERT INTO access.account (email, username) VALUES ('t@example.in', 't') RETURNING account_id)
     INSERT INTO access.subscription (account_id, product, kind, name, interval, limits, grace_days, started_at, ends_at, until_at)
     SELECT account_id, 'gone', 'plan', 'gone', 'month', NULL, 0, now() - interval '40 days', now() - interval '10 days',
            now() - interval '10 days' FROM owner RETURNING subscription_id AS id`,
  )
  const hasEnded = async () => {
    const rows = await database.query(
      'SELECT FROM access.subscription WHERE subscription_id = $1 AND ended_at IS NOT NULL',
      [ended?.id],
    )
    return rows.length > 0
  }
  const narrow = homeOf('narrow_login', 'three').run('start', '--role', 'worker')
  try {
    await narrow.line('Ctrl-C stops.')
    await database.execute(
      `INSERT INTO pgboss.job (name, data, policy) SELECT name, '{}', policy FROM pgboss.queue WHERE name = 'keep-subscriptions'`,
    )
    expect(await hasEnded()).toBe(false)
    const worker = homeOf('worker_login', 'three').run('start', '--role', 'worker')
    try {
      await vi.waitFor(async () => expect(await hasEnded()).toBe(true), { timeout: 60_000, interval: 200 })
    } finally {
      worker.child.kill('SIGTERM')
      await worker.ended
    }
    await superuser.execute(`REVOKE panji_trade FROM worker_login`)
  } finally {
    narrow.child.kill('SIGTERM')
    expect((await narrow.ended).stderr).toContain('subscriptions are not renewed')
    await database.close()
  }
})

test('a process whose login lacks a declared right of its role does not start, and doctor names the right', async () => {
  await makeDatabase('lacking', 'lender', 'CREATEROLE', 'lacking_login')
  const owner = homeOf('lender', 'lacking')
  const migrated = await owner.json('migrate')
  expect(migrated.code, migrated.stderr).toBe(0)
  await superuser.execute('GRANT panji_api TO lacking_login')
  const database = openDb({ connectionString: urlOf('lender', 'lacking'), applicationName: 'test', connectionsMax: 1 })
  try {
    await database.execute('REVOKE INSERT ON orders.payment FROM panji_api')
  } finally {
    await database.close()
  }
  expect(await rolesCheck('lacking_login', 'lacking')).toMatchObject({
    ...{ ok: false, detail: expect.stringContaining('INSERT ON orders.payment') },
  })
  const api = homeOf('lacking_login', 'lacking').run('start', '--role', 'api')
  const { code, stderr } = await api.ended
  expect(code).not.toBe(0)
  expect(stderr).toContain('INSERT ON orders.payment')
})

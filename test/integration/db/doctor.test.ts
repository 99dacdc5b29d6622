/** `panji doctor` beside a database that is not well shows each of its checks, whatever one of them met. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestDatabase } from '../../support/database.ts'
import { panjiHome } from '../../support/panji-cli.ts'

const database = useTestDatabase()
const homes: ReturnType<typeof panjiHome>[] = []
afterAll(() => {
  for (const home of homes) home.remove()
})

interface Verdict {
  readonly ok: boolean
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]
  readonly limits: readonly { readonly name: string; readonly figures: string; readonly answer: string }[]
}

async function askDoctor(url: string, env: Readonly<Record<string, string>> = {}): Promise<Verdict> {
  const home = panjiHome({
    DATABASE_URL: url,
    PANJI_SECRET_KEY: 'secret-key-of-the-doctor-0123456789',
    PANJI_OPERATOR_TOKEN: 'operator-token-of-the-doctor',
    PANJI_CONNECTIONS_MAX: '200',
    ...env,
  })
  homes.push(home)
  const { stdout } = await home.run('doctor', '--json').ended
  return JSON.parse(stdout) as Verdict
}

const namesIn = ({ checks }: Verdict) => checks.map(({ name }) => name).sort()
const faultsIn = ({ checks }: Verdict) => checks.filter(({ ok }) => !ok)
const connectionsIn = ({ checks }: Verdict) =>
  checks.find(({ name }) => name === 'database connections')?.detail ?? 'none'

/** Connections that stay, however long the doctor takes. */
async function connectedAs(names: readonly string[]): Promise<readonly pg.Client[]> {
  const clients = names.map((name) => new pg.Client({ connectionString: database.url, application_name: name }))
  for (const client of clients) await client.connect()
  return clients
}

async function endAll(clients: readonly pg.Client[]): Promise<void> {
  for (const client of clients) await client.end()
}

let well: Verdict
beforeAll(async () => {
  well = await askDoctor(database.url)
}, 60_000)

test('it counts the connections of every login, also where its own may not look at them', async () => {
  const name = `doctor_of_${new URL(database.url).pathname.slice(1)}`
  await database.db.execute(`CREATE ROLE ${name} LOGIN PASSWORD 'p' IN ROLE panji_owner, panji_api, panji_worker`)
  const url = new URL(database.url)
  url.username = name
  url.password = 'p'
  const others = await connectedAs(Array.from({ length: 12 }, () => 'another program'))
  try {
    const detail = connectionsIn(await askDoctor(url.href))
    expect(Number.parseInt(detail, 10), detail).toBeGreaterThan(others.length)
  } finally {
    await endAll(others)
    await database.db.execute(`DROP ROLE ${name}`)
  }
}, 60_000)

test('next to a newer Panji with other grants, this one keeps working in its roles', async () => {
  const [kept] = await database.db.query<{ sha256: string }>(
    `SELECT sha256 FROM runtime.sql_function WHERE name = 'roles'`,
  )
  await database.db.execute(`UPDATE runtime.sql_function SET sha256 = 'of a newer Panji' WHERE name = 'roles'`)
  await database.db.execute(
    `INSERT INTO runtime.migration (name, sha256, floor) SELECT '9990_next.sql', 'x', max(floor) FROM runtime.migration`,
  )
  try {
    expect((await askDoctor(database.url)).checks).toContainEqual({
      name: 'database roles',
      ok: true,
      detail: expect.stringMatching(/^requests run as panji_api, jobs as panji_worker/),
    })
  } finally {
    await database.db.execute(`DELETE FROM runtime.migration WHERE name = '9990_next.sql'`)
    await database.db.execute(`UPDATE runtime.sql_function SET sha256 = $1 WHERE name = 'roles'`, [kept?.sha256])
  }
}, 60_000)

test('of a database that takes no writes it says so, and shows the others as they are', async () => {
  expect(faultsIn(well)).toEqual([])
  const name = new URL(database.url).pathname.slice(1)
  await database.db.execute(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  const verdict = await askDoctor(database.url)
  expect(namesIn(verdict)).toEqual(namesIn(well))
  expect(faultsIn(verdict)).toEqual([
    { name: 'database writes', ok: false, detail: expect.stringContaining('points to a standby') },
  ])
}, 60_000)

test('of a database that does not answer it shows those that need none, and names the others as not looked at', async () => {
  const verdict = await askDoctor('postgres://panji@127.0.0.1:1/panji')
  expect(namesIn(verdict)).toEqual(namesIn(well))
  expect(verdict.checks).toContainEqual({
    name: 'ledger',
    ok: false,
    detail: 'not checked, because the database did not open',
  })
  expect(verdict.checks).toContainEqual(expect.objectContaining({ name: 'node', ok: true }))
}, 60_000)

test('it shows what a call meets in its order, with the figures of the environment', () => {
  expect(well.limits[0]).toMatchObject({ name: 'connections', figures: '200', answer: 'closed unread' })
  expect(well.limits[1]).toMatchObject({ name: 'connectionsOfAddress', figures: '100' })
  const names = well.limits.map(({ name }) => name)
  const onTheirWay = ['pipelined', 'blockedAddress', 'burst', 'daily', 'bodyBytes', 'writtenBytes', 'expensiveReads']
  expect(names.filter((name) => onTheirWay.includes(name))).toEqual(onTheirWay)
})

test('where the server allows fewer connections than the processes may open it says how many, and what to do', async () => {
  expect(well.checks).toContainEqual({
    name: 'database connections',
    ok: true,
    detail: expect.stringMatching(/^\d+ of \d+ are in use; 1 API and 1 worker or scheduler take up to 57$/),
  })
  const verdict = await askDoctor(database.url, { PANJI_JOB_CONNECTIONS: '400' })
  expect(verdict.checks).toContainEqual({
    name: 'database connections',
    ok: false,
    detail: expect.stringMatching(
      /^\d+ of \d+ are in use; 1 API and 1 worker or scheduler take up to 437: raise max_connections, or lower PANJI_API_CONNECTIONS, PANJI_EXPENSIVE_READS or PANJI_JOB_CONNECTIONS$/,
    ),
  })
}, 60_000)

test('it counts the processes that are connected', async () => {
  const others = await connectedAs(['panji:11:api', 'panji:11:expensive', 'panji:12:api', 'panji:13', 'panji:14'])
  try {
    expect(connectionsIn(await askDoctor(database.url))).toContain('2 APIs and 2 workers or schedulers take up to 114')
  } finally {
    await endAll(others)
  }
}, 60_000)

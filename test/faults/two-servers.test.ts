/** An address of two servers: the primary is killed, its standby promoted, and the old one comes back unfenced. */
import { expect, test, vi } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import { createCustomer } from '../support/api.ts'
import { useReplicatedDatabase } from './support/replicated-database.ts'
import { expectOnlyShedding, useRunningPanji } from './support/running-panji.ts'

const database = useReplicatedDatabase()
const panji = useRunningPanji(database)

test('what was acknowledged before the primary died is there after it, callers are shed meanwhile, and nobody goes back to the old one', async () => {
  const { apiKey } = await createCustomer(database.db)
  const logIn = async () => {
    const response = await fetch(`${panji.apiUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey }),
    })
    const body = (await response.json()) as { token?: { access_token: string } }
    return { status: response.status, token: body.token?.access_token }
  }
  const noted: string[] = []
  /** A watchlist is acknowledged with its id. */
  const note = async (name: string) => {
    const { token } = await logIn()
    const response = await fetch(`${panji.apiUrl}/api/watchlist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
      body: JSON.stringify({ name, watchlist_type: 'company', entities: [] }),
    })
    if (response.ok) noted.push(name)
    return response.status
  }
  const kept = async () =>
    (await database.db.query<{ name: string }>('SELECT name FROM access.watchlist ORDER BY name')).map(
      ({ name }) => name,
    )

  expect(await note('before')).toBe(201)
  const client = await panji.startAsking()
  await database.kill('first')
  await database.promote()
  await vi.waitFor(async () => expect(await note('after')).toBe(201), { timeout: 20_000, interval: 100 })
  await vi.waitFor(async () => expect((await fetch(`${panji.apiUrl}/readyz`)).status).toBe(200), {
    timeout: 20_000,
    interval: 100,
  })
  expect(await kept()).toEqual(['after', 'before'])

  await database.startAgain('first')
  const newcomer = openDb({ connectionString: database.url, applicationName: 'panji-test-newcomer', connectionsMax: 1 })
  const timeline = `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline`
  expect(await newcomer.query(timeline)).toEqual([{ timeline: '00000002' }])
  await newcomer.close()
  expect(await note('beside the old primary')).toBe(201)
  const answers = await client.stop()
  expectOnlyShedding(answers)
  expect(await kept()).toEqual([...noted].toSorted())
  expect(await database.eyesOn('first').query(`SELECT FROM access.watchlist WHERE name <> 'before'`)).toEqual([])
  expect(panji.process.child.exitCode).toBeNull()
})

/** A failover that leads to a standby, as an old primary that came back behind the same address: said, shed, and healed by its promotion. */
import { expect, test, vi } from 'vitest'
import { createCustomer } from '../support/api.ts'
import { useOwnDatabase } from './support/own-database.ts'
import { expectOnlyShedding, useRunningPanji } from './support/running-panji.ts'

const database = useOwnDatabase({ wal_level: 'replica' })
const panji = useRunningPanji(database)

test('while a standby stands there nobody is told that all is well, and once it is the primary everybody is served', async () => {
  const { apiKey } = await createCustomer(database.db)
  const logIn = () =>
    fetch(`${panji.apiUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey }),
    })
  const toldBy = async (response: Response) => {
    const { error_code } = (await response.json()) as { error_code?: string }
    return [response.status, error_code, Number(response.headers.get('retry-after')) > 0]
  }
  expect((await logIn()).status).toBe(200)
  const client = await panji.startAsking()

  await database.crash()
  database.becomeStandby()
  await database.restart()
  const refused = [503, 'NOT_WRITABLE', true]
  await vi.waitFor(async () => expect(await toldBy(await fetch(`${panji.apiUrl}/readyz`))).toEqual(refused), {
    timeout: 60_000,
    interval: 100,
  })
  expect(await toldBy(await logIn())).toEqual(refused)

  await database.db.query('SELECT pg_promote()')
  await vi.waitFor(
    async () => {
      expect((await fetch(`${panji.apiUrl}/readyz`)).status).toBe(200)
      expect((await logIn()).status).toBe(200)
    },
    { timeout: 60_000, interval: 100 },
  )
  expectOnlyShedding(await client.stop())
  expect(panji.process.child.exitCode).toBeNull()
})

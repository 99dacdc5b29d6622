/** Panji behind PgBouncer in session mode, which leaves the settings of each startup packet out: keys are known, jobs run, feeds are the account's own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCustomer } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { registryFixture } from '../support/ingest.ts'
import { hasTool } from '../support/machine-tool.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import type { NodeProcess } from '../support/run-node.ts'

describe.skipIf(!hasTool('pgbouncer', 'pgbouncer'))('behind PgBouncer', () => {
  const database = useTestDatabase()
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>
  let home: PanjiHome
  let panji: NodeProcess
  beforeAll(async () => {
    pooler = await startPgBouncer(database.url, 'session')
    home = panjiHome({
      DATABASE_URL: pooler.url,
      PANJI_SECRET_KEY: 'secret-key-of-the-pooler-0123456789',
      PANJI_OPERATOR_TOKEN: 'operator-token-of-the-pooler',
    })
    panji = home.run('start', '--json')
    await panji.line('"api_url"')
  }, 180_000)
  afterAll(async () => {
    panji?.child.kill('SIGTERM')
    await panji?.ended
    home?.remove()
    await pooler?.close()
  })

  test('an import runs, a key logs in, and an account sees its own', async () => {
    const { code, answer } = await home.json('ingest', 'mca-companies', registryFixture('mca-companies-2023.csv'))
    expect([code, answer]).toEqual([0, expect.objectContaining({ status: 'succeeded' })])
    const { apiKey, accountId } = await createCustomer(database.db)
    const apiUrl = /"api_url": "(http:[^"]+)"/.exec(panji.printed())?.[1] ?? ''
    const login = await fetch(`${apiUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey }),
    })
    expect(login.status).toBe(200)
    const { token } = (await login.json()) as { token: { access_token: string } }
    const me = await fetch(`${apiUrl}/api/users/me`, { headers: { authorization: `Bearer ${token.access_token}` } })
    expect([me.status, JSON.stringify(await me.json())]).toEqual([200, expect.stringContaining(accountId)])
    expect((await fetch(`${apiUrl}/readyz`)).status).toBe(200)
  }, 180_000)
})

/** A worker in a process of its own tells how it is on its own port, and ends there as it ends everywhere. */
import { afterAll, expect, test } from 'vitest'
import { useTestDatabase } from '../support/database.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'

const database = useTestDatabase()
let home: PanjiHome | undefined
afterAll(() => home?.remove())

test('a worker started with PANJI_PROBE_PORT answers health and metrics, and stops by a signal', async () => {
  const token = 'a-token-for-the-metrics'
  home = panjiHome({
    DATABASE_URL: database.url,
    PANJI_SECRET_KEY: 'a-key-of-sixteen-characters',
    PANJI_PROBE_PORT: '0',
    PANJI_METRICS_TOKEN: token,
  })
  const worker = home.run('start', '--role', 'worker')
  const line = await worker.line('Health')
  const url = /http:\S+/.exec(line)?.[0] ?? ''
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()
  expect(metrics).toMatch(/panji_build_info\{version="\d+\.\d+\.\d+",role="worker",node="24\./)
  expect(metrics).toContain('panji_database_up 1')
  worker.child.kill('SIGTERM')
  expect((await worker.ended).code).toBe(0)
})

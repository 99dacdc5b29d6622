/** Two API processes behind a proxy are restarted one after the other, under load: nobody is refused. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCustomer } from '../support/api.ts'
import { fillRegisters, known } from '../support/api-world.ts'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { useTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { type PanjiHome, panjiHome } from '../support/panji-cli.ts'
import type { NodeProcess } from '../support/run-node.ts'

const database = useTestDatabase()
const running: { readonly home: PanjiHome; process: NodeProcess }[] = []
let balancer: Balancer

async function startApi(home: PanjiHome): Promise<NodeProcess> {
  const process = home.run('start', '--role', 'api', '--json')
  await process.line('"api_url"')
  return process
}

beforeAll(async () => {
  await fillRegisters(database.db)
  const ports = [await freePort(), await freePort()]
  for (const port of ports) {
    const home = panjiHome({
      DATABASE_URL: database.url,
      PORT: String(port),
      PANJI_SECRET_KEY: 'secret-key-of-the-restarts-0123456789',
      PANJI_OPERATOR_TOKEN: 'operator-token-of-the-restarts',
      PANJI_DRAIN_SECONDS: '2',
    })
    running.push({ home, process: await startApi(home) })
  }
  balancer = await startBalancer(ports.map((port) => `http://127.0.0.1:${port}`))
  await vi.waitFor(() => expect(balancer.readyCount()).toBe(2), 60_000)
}, 180_000)
afterAll(async () => {
  await balancer?.close()
  for (const { home, process } of running) {
    process.child.kill('SIGKILL')
    await process.ended
    home.remove()
  }
})

/** The pace of a client, not a wait for anything. Without one, clients take the processors from what they wait for. */
const paceMs = 20

/** Logs in and reads, again and again, until `stop`. */
function startAsking(apiKey: string) {
  const statuses: number[] = []
  const faults: string[] = []
  let stopped = false
  const note = async (response: Response) => {
    const text = await response.text()
    statuses.push(response.status)
    if (response.status >= 500) faults.push(`${response.status} ${text.slice(0, 200)}`)
    return text
  }
  const asking = (async () => {
    while (!stopped) {
      const login = await note(
        await fetch(`${balancer.url}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ api_key: apiKey }),
        }),
      )
      const { token } = JSON.parse(login) as { token?: { access_token: string } }
      for (let n = 0; n < 10 && !stopped; n++) {
        await note(
          await fetch(`${balancer.url}/api/company/details?cin=${known.cin}`, {
            headers: { authorization: `Bearer ${token?.access_token}` },
          }),
        )
        await delay(paceMs)
      }
    }
  })()
  return {
    statuses,
    async stop() {
      stopped = true
      await asking
      return faults
    },
  }
}

test('a restart under load refuses nobody: readiness turns the proxy away before the port closes', async () => {
  const keys = await Promise.all([0, 1, 2, 3].map(() => createCustomer(database.db, { plan: 'premium' })))
  const clients = keys.map(({ apiKey }) => startAsking(apiKey))
  for (const each of running) {
    each.process.child.kill('SIGTERM')
    await vi.waitFor(() => expect(balancer.readyCount()).toBe(1), { timeout: 60_000, interval: 10 })
    // Asked past the proxy, it still serves.
    expect(each.process.child.exitCode).toBeNull()
    expect((await each.process.ended).code).toBe(0)
    each.process = await startApi(each.home)
    await vi.waitFor(() => expect(balancer.readyCount()).toBe(2), { timeout: 60_000, interval: 20 })
  }
  const faults = (await Promise.all(clients.map((client) => client.stop()))).flat()
  const statuses = clients.flatMap((client) => client.statuses)
  expect(faults).toEqual([])
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100)
  console.log(`rolling restart: ${statuses.length} answers, none refused`)
}, 120_000)

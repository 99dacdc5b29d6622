/** Processes whose clock is an hour fast or slow: tokens, days of limits and slots follow the database's clock. */
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCustomer, secretKey } from '../support/api.ts'
import { fillRegisters, known } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { type NodeProcess, runNode } from '../support/run-node.ts'

const database = useTestDatabase()
const file = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url))
const hourMs = 3_600_000
const children: NodeProcess[] = []

/** A child process with a clock of its own; resolves with what follows "ready" once it is. */
async function startSkewed(script: string, skewMs: number, parameters: readonly string[]): Promise<string[]> {
  const child = runNode(file(script), parameters, {
    NODE_OPTIONS: `--import=${file('skewed-clock.ts')}`,
    PANJI_TEST_SKEW_MS: String(skewMs),
  })
  children.push(child)
  const [, at = '', ...rest] = (await child.line('ready ')).split(' ')
  // The fake clock is in force, or nothing here would be tested.
  expect(Math.abs(Date.parse(at) - Date.now() - skewMs)).toBeLessThan(60_000)
  return rest
}

afterEach(async () => {
  for (const { child, ended } of children.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test('a token of a fast process is good on a slow one and the other way round, and one day is counted by both', async () => {
  await fillRegisters(database.db)
  const [fast = '', slow = ''] = (
    await Promise.all(
      [hourMs, -hourMs].map((skew) => startSkewed('api-child.ts', skew, [database.url, secretKey.reveal()])),
    )
  ).flat()
  const { apiKey, accountId } = await createCustomer(database.db)
  const used: number[] = []
  for (const [from, to] of [
    [fast, slow],
    [slow, fast],
  ] as const) {
    const login = await post(`${from}/api/auth/login`, { api_key: apiKey })
    const { token } = (await login.json()) as { token: { access_token: string; refresh_token: string } }
    const authorization = `Bearer ${token.access_token}`
    for (const base of [from, to]) {
      const reply = await fetch(`${base}/api/company/details?cin=${known.cin}`, { headers: { authorization } })
      expect([base === from, reply.status]).toEqual([base === from, 200])
      used.push(Number(reply.headers.get('x-ratelimit-remaining')))
      const reset = Date.parse(reply.headers.get('x-ratelimit-reset') ?? '')
      const [day] = await database.db.query<{ next: Date }>(
        `SELECT (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC' AS next`,
      )
      expect(reset).toBe(day?.next.getTime())
    }
    const valid = await fetch(`${to}/api/auth/validate`, { headers: { authorization } })
    const { expires_at } = (await valid.json()) as { expires_at: string }
    expect(Math.abs(Date.parse(expires_at) - Date.now() - hourMs)).toBeLessThan(60_000)
    const refreshed = await post(`${to}/api/auth/refresh-token`, { refresh_token: token.refresh_token })
    expect(refreshed.status).toBe(200)
  }
  expect(used).toEqual([99, 98, 97, 96])
  const days = await database.db.query('SELECT used FROM access.daily_usage WHERE account_id = $1', [accountId])
  expect(days).toEqual([{ used: 4 }])
})

describe.each([
  ['fast', hourMs],
  ['slow', -hourMs],
])('a scheduler whose clock is an hour %s', (_name, skewMs) => {
  test('fires each slot once, at its time by the database, and never in the future or the past', async () => {
    await database.db.execute('DELETE FROM runtime.cron_slot')
    await database.db.execute('DELETE FROM runtime.schedule')
    await startSkewed('scheduler-child.ts', skewMs, [database.url])
    const slots = () =>
      database.db.query<{ late: number }>(
        `SELECT extract(epoch FROM claimed_at - slot)::float8 AS late FROM runtime.cron_slot ORDER BY slot`,
      )
    await vi.waitFor(async () => expect((await slots()).length).toBeGreaterThanOrEqual(4), 60_000)
    for (const { late } of await slots()) {
      expect(late).toBeGreaterThanOrEqual(-2)
      expect(late).toBeLessThan(30)
    }
  })
})

test('with a fast, a slow and a right scheduler at once no slot is fired twice', async () => {
  await database.db.execute('DELETE FROM runtime.cron_slot')
  await database.db.execute('DELETE FROM runtime.schedule')
  await database.db.execute(`DELETE FROM pgboss.job WHERE name = 'sweep-expired'`)
  await Promise.all([hourMs, -hourMs, 0].map((skew) => startSkewed('scheduler-child.ts', skew, [database.url])))
  const count = async (sql: string) => (await database.db.query<{ count: number }>(sql))[0]?.count ?? 0
  await vi.waitFor(
    async () => expect(await count('SELECT count(*) FROM runtime.cron_slot')).toBeGreaterThanOrEqual(5),
    30_000,
  )
  // One job was enqueued; the slots that follow find it open, so exactly one job stands for them.
  expect(await count(`SELECT count(*) FROM pgboss.job WHERE name = 'sweep-expired'`)).toBe(1)
  expect(await count('SELECT count(*) FROM runtime.cron_slot WHERE job_id IS NOT NULL')).toBe(1)
  expect(await count(`SELECT count(*) FROM runtime.cron_slot WHERE slot > claimed_at + interval '2 seconds'`)).toBe(0)
})

/**
 * A crowd that asks again as soon as it is answered: beyond an allowance its answers are held back, each with its
 * connection, and whoever is known is served meanwhile from the same address.
 *
 * Time stands still and an answer is held for an hour, so nothing here depends on how fast anything is.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { heldAnswerBounds } from '../../config/http-bounds.ts'
import type { PlanName } from '../../config/plans.ts'
import { createTurns } from '../../src/api/hooks/delayed-responses.ts'
import { createBuckets } from '../../src/limits/bucket.ts'
import { buildTestServer, createCustomer, operatorToken, recordJobs } from '../support/api.ts'
import { fillRegisters, known } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
beforeAll(() => fillRegisters(database.db))

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const hour = 3_600_000
const none = { search: 0, details: 1, screener: 0 }
/** Two answers of each kind, and then an hour's wait. */
const strict = {
  address: { atOnce: 2, perSecond: 0, keysMax: 10 },
  inAll: { atOnce: 100, perSecond: 0 },
  account: { atOnce: 2, perSecond: 0, keysMax: 10 },
  probe: { atOnce: 2, perSecond: 0 },
  heldMs: hour,
  heldMsMax: hour,
}

async function serve(bounds: Partial<typeof heldAnswerBounds> = strict) {
  const app = await buildTestServer(database, recordJobs(), [], {
    delayedResponses: bounds,
    bucketClock: () => 0,
    limits: { burstPerMinute: 1_000, daily: { free: none, premium: { ...none, details: 1_000 } } },
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const sockets: Socket[] = []
  closing.push(async () => {
    await app.close()
    for (const socket of sockets) socket.destroy()
  })
  const open = async () => {
    const socket = connect(Number(port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    return connectionOf(socket)
  }
  const ask = async (path: string, token?: string) => {
    const connection = await open()
    connection.send(path, token)
    await vi.waitFor(() => expect(connection.statuses()).toHaveLength(1), { timeout: 60_000 })
    return connection.statuses()[0]
  }
  /** As the metrics tell it. */
  const held = async () => {
    const metrics = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${operatorToken}` } })
    return Number(/^panji_http_answers_held (\d+)$/m.exec(metrics.body)?.[1])
  }
  const untilHeld = (answers: number) =>
    vi.waitFor(async () => expect(await held()).toBe(answers), { timeout: 60_000, interval: 20 })
  const customer = async (plan: PlanName) => {
    const { apiKey, accountId } = await createCustomer(database.db, { plan })
    const login = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { api_key: apiKey } })
    return { accountId, apiKey, token: login.json<{ token: { access_token: string } }>().token.access_token }
  }
  return { app, open, ask, untilHeld, customer, port }
}

function connectionOf(socket: Socket) {
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  return {
    socket,
    send: (path: string, token?: string) =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}\r\n`),
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
    text: () => text,
  }
}

const details = `/api/company/details?cin=${known.cin}`
const junk = 'x.y.z'

test('an anonymous client beyond the allowance of the address waits, with all that the connection sends, and a customer from there does not', async () => {
  const { open, ask, untilHeld, customer, port } = await serve()
  const { token, apiKey } = await customer('premium')
  expect([await ask('/users', junk), await ask(details, junk)]).toEqual([404, 401])
  const crowd = await Promise.all(Array.from({ length: 5 }, () => open()))
  for (const [n, { send }] of crowd.entries())
    send(['/docs/', details, '/nowhere', '/openapi.json', '/admin/users'][n] ?? '', junk)
  await untilHeld(crowd.length)
  // Sent behind a held answer, it is not even read.
  for (const { send } of crowd) send('/docs/')
  for (let n = 0; n < 5; n++) expect(await ask(details, token)).toBe(200)
  expect(await ask('/admin/users', operatorToken)).toBe(200)
  expect(await ask('/readyz')).toBe(200)
  const login = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey }),
  })
  expect(login.status).toBe(200)
  await untilHeld(crowd.length)
  expect(crowd.map(({ statuses }) => statuses())).toEqual(crowd.map(() => []))
})

test('what was held comes as it would have come before: the same status, headers and body', async () => {
  const { app, open, ask, untilHeld } = await serve()
  expect([await ask('/nowhere'), await ask('/nowhere')]).toEqual([404, 404])
  const refused = await open()
  const page = await open()
  refused.send(details, junk)
  page.send('/openapi.json')
  await untilHeld(2)
  // A server that stops lets go of what it holds.
  await app.close()
  await vi.waitFor(() => expect([refused.statuses(), page.statuses()]).toEqual([[401], [200]]), { timeout: 60_000 })
  expect(refused.text()).toContain('"error_code":"UNAUTHENTICATED"')
  expect(page.text()).toContain('"openapi":"3.1.0"')
})

test('an account’s refusals beyond its allowance wait, its other calls and other accounts’ refusals do not', async () => {
  const { open, ask, untilHeld, customer } = await serve()
  const [greedy, other] = [await customer('free'), await customer('free')]
  expect(await ask(details, greedy.token)).toBe(200)
  expect([await ask(details, greedy.token), await ask(details, greedy.token)]).toEqual([429, 429])
  const crowd = await Promise.all(Array.from({ length: 4 }, () => open()))
  for (const { send } of crowd) send(details, greedy.token)
  await untilHeld(crowd.length)
  expect(await ask('/api/users/me', greedy.token)).toBe(200)
  expect([await ask(details, other.token), await ask(details, other.token)]).toEqual([200, 429])
  expect(crowd.map(({ statuses }) => statuses())).toEqual(crowd.map(() => []))
})

test('a connection that probes without end waits, and the probes of others do not', async () => {
  const { open, ask, untilHeld } = await serve()
  const endless = await open()
  for (const answered of [[200], [200, 200]]) {
    endless.send('/healthz')
    await vi.waitFor(() => expect(endless.statuses()).toEqual(answered), { timeout: 60_000 })
  }
  endless.send('/healthz')
  await untilHeld(1)
  for (let n = 0; n < 10; n++) expect(await ask(n % 2 ? '/healthz' : '/readyz')).toBe(200)
  expect(endless.statuses()).toEqual([200, 200])
})

test('a crowd from many addresses waits as one from a single one does', async () => {
  const { open, ask, untilHeld } = await serve({
    ...strict,
    address: { atOnce: 100, perSecond: 0, keysMax: 10 },
    inAll: { atOnce: 1, perSecond: 0 },
  })
  expect(await ask('/nowhere')).toBe(404)
  const next = await open()
  next.send('/nowhere')
  await untilHeld(1)
})

test('an allowance gives what is left, comes back with time, and knows no more keys than it may', () => {
  let nowMs = 0
  const allowance = createBuckets({ atOnce: 2, perSecond: 1, keysMax: 2 }, () => nowMs)
  expect([allowance.take('a', 1), allowance.take('a', 5), allowance.take('a', 1)]).toEqual([true, true, false])
  // The long answer is paid for in full before the next.
  nowMs = 4_000
  expect([allowance.left('a'), allowance.take('a', 1)]).toEqual([0, false])
  nowMs = 5_000
  expect([allowance.take('a', 1), allowance.take('a', 1)]).toEqual([true, false])
  for (const key of ['b', 'c']) allowance.take(key, 1)
  expect(allowance.left('a')).toBe(2)
})

test('large answers to anonymous clients that are due at one moment leave one in each turn of the event loop', async () => {
  const inTurn = createTurns()
  const gone: number[] = []
  for (const n of [1, 2, 3]) inTurn(() => gone.push(n))
  for (const expected of [[], [1], [1, 2], [1, 2, 3]]) {
    expect(gone).toEqual(expected)
    await turn()
  }
  inTurn(() => gone.push(4))
  await turn()
  expect(gone).toEqual([1, 2, 3, 4])
})

test('what is held by default is a second, for an answer of usual length', () => {
  expect(heldAnswerBounds.heldMs).toBe(1_000)
  // Longer would run into the silence that ends a connection, and into callers' patience.
  expect(heldAnswerBounds.heldMsMax).toBeLessThanOrEqual(10_000)
})

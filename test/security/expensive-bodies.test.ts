/** Bodies and queries that are all mistakes: they cost the event loop little more than being read, and each account its own bytes. */
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { bodyLoopBounds } from '../../config/http-bounds.ts'
import { OrderBody } from '../../src/api/operations/orders/order-schemas.ts'
import { jsonShape } from '../../src/api/request/json-shape.ts'
import { requestValidator } from '../../src/api/request/request-faults.ts'
import type { Routes } from '../../src/api/route-context.ts'
import { threadMs } from '../../src/domain/thread-time.ts'
import { AppError } from '../../src/errors.ts'
import { type LoggedIn, newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
let nowMs = 0
const allowance = { atOnce: 4_000, perSecond: 1_000 }
/** A small body whose schema takes its time: what it costs is seen by the clock alone. */
const heldMs = 100
const slow = z.object({ text: z.string().refine(holdLoop) })
const api = useApi(
  database,
  [
    (async (app) => {
      const schema = {
        tags: ['Test'],
        summary: 'Slow',
        operationId: 'slow',
        body: slow,
        response: { 200: z.object({}) },
      }
      app.post('/api/slow', { schema }, async () => ({}))
    }) satisfies Routes,
  ],
  { bodies: allowance, bucketClock: () => nowMs },
)
let customer: LoggedIn
beforeAll(async () => {
  customer = await newCustomer(api, database)
})

function holdLoop(): boolean {
  const until = threadMs() + heldMs
  while (threadMs() < until);
  return true
}

const members = (count: number) => Array.from({ length: count }, (_, n) => `"itms${n}":0`).join(',')

/** Processor time, the least of some tries: a machine that does other work besides changes it little. */
function cpuMs(work: () => unknown): number {
  const once = () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(once(), once(), once())
}

test('a body of eighty thousand unknown members is refused for little more work than reading it', () => {
  const text = `{"orderName":"a","items":[],${members(80_000)}}`
  const validate = requestValidator({ schema: OrderBody, httpPart: 'body', method: 'POST', url: '/' })
  let refused: unknown
  const reading = cpuMs(() => JSON.parse(text))
  const body: unknown = JSON.parse(text)
  const refusing = cpuMs(() => {
    refused = (validate(body) as { readonly error?: unknown }).error
  })
  expect(refused).toBeInstanceOf(AppError)
  expect((refused as AppError).message).toMatch(/^Unknown member "itms0"; did you mean items\?/)
  expect((refused as AppError).message).toMatch(/There are 79997 more faults\.$/)
  expect(refusing).toBeLessThan(5 * Math.max(reading, 10))
})

test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])(
  'a body of %s nested without end is refused before it is parsed, and brackets within a text are none',
  async (_what, open, close) => {
    const nested = (depth: number) => `{"orderName":${open.repeat(depth)}"[{\\"[{"${close.repeat(depth)}}`
    const send = (payload: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/orders/normal',
        headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
        payload,
      })
    expect((await send(nested(63))).json().detail).toMatch(/^orderName must be/)
    expect((await send(nested(64))).json().detail).toBe('The body nests lists and objects more than 64 deep.')
    const text = nested(100_000)
    const parsing = cpuMs(() => JSON.parse(text))
    expect(cpuMs(() => jsonShape(text, 1_000))).toBeLessThan(parsing + 1)
  },
)

test('all faults of a query are counted, and the first are named', async () => {
  const query = Array.from({ length: 1_500 }, (_, n) => `nam${n}`).join('&')
  const asked = await api.get(`/api/orders?${query}`, customer.token)
  expect([asked.statusCode, asked.json().errors.length]).toEqual([400, 20])
  expect(asked.json().detail).toMatch(/There are 1495 more faults\.$/)
})

test('an account that has sent more than its bytes is refused before the next body is read, others and calls without a body are not', async () => {
  const sender = await newCustomer(api, database)
  const junk = { [`x${'y'.repeat(5_000)}`]: 0 }
  const send = (token: string, payload: object = junk) => api.post('/api/orders/normal', token, payload)
  expect((await send(sender.token)).statusCode).toBe(400)
  const beyond = await send(sender.token)
  expect([beyond.statusCode, beyond.json().error_code, beyond.headers['retry-after']]).toEqual([
    429,
    'RATE_LIMITED',
    '2',
  ])
  expect((await api.get('/api/users/me', sender.token)).statusCode).toBe(200)
  expect((await send(customer.token, {})).statusCode).toBe(400)
  nowMs += 2_000
  expect((await send(sender.token)).statusCode).toBe(400)
})

test('a small body that keeps the event loop is charged with the time that it took', async () => {
  const sender = await newCustomer(api, database)
  const statuses: number[] = []
  // Of what the account has at once, each call takes half or, where the machine is slow, more.
  expect((heldMs / bodyLoopBounds.msPerSecond) * allowance.perSecond).toBe(allowance.atOnce / 2)
  for (let n = 0; n < 3; n++) statuses.push((await api.post('/api/slow', sender.token, { text: 'a' })).statusCode)
  expect([statuses[0], statuses[2]]).toEqual([200, 429])
  expect((await api.post('/api/slow', customer.token, { text: 'a' })).statusCode).toBe(200)
})

/** How long one waits for a connection of a pool: time that the event loop was blocked is no fault of the database. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { actForAccount } from '../../../src/db/account-scope.ts'
import { type FreshConnections, freshConnections } from '../../../src/db/fresh-connections.ts'
import { accountTurns } from '../../../src/limits/account-turns.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const waitMs = 500
const turns = accountTurns(1)
let pool: pg.Pool
let connections: FreshConnections
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: database.url, max: 1, idleTimeoutMillis: 0 })
  connections = freshConnections(pool, turns, { waitMs, nowMs: () => performance.now() })
  // Opening one takes its time, which is not what is asked here.
  const client = await pool.connect()
  client.release()
})
afterAll(() => pool.end())

function blockLoop(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('who waits while the event loop is blocked for longer than the bound gets the connection that came back meanwhile', async () => {
  const first = await pool.connect()
  const work = first.query('SELECT pg_sleep(0.05)').finally(() => first.release())
  const second = connections.take()
  blockLoop(3 * waitMs)
  await work
  const client = await second
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  client.release()
})

test('who waits in vain while the loop is awake is told so at the bound, and leaves the connection to the next', async () => {
  const held = await pool.connect()
  await expect(connections.take()).rejects.toThrow('timeout exceeded when trying to connect')
  held.release()
  const next = await connections.take()
  expect((await next.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  next.release()
})

test('accounts that wait take turns: a hundred calls of one hold a call of another up by one of them', async () => {
  const held = await connections.take()
  const served: string[] = []
  const call = (account: string) =>
    actForAccount(account, async () => {
      const client = await connections.take()
      served.push(account)
      client.release()
    })
  const crowd = Array.from({ length: 100 }, () => call('crowd'))
  const single = call('single')
  expect(turns.waiting()).toBe(101)
  held.release()
  await Promise.all([...crowd, single])
  expect(served.indexOf('single')).toBeLessThanOrEqual(1)
  expect(served).toHaveLength(101)
  expect(turns.waiting()).toBe(0)
})

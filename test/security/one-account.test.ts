/**
 * One account against everybody: the expensive reads of one account take at most its own places, identity and cheap reads
 * never wait for them, and what is spent, given back and cancelled is what the API says.
 *
 * A lock on the register holds expensive statements for as long as a test likes, so nothing here depends on how fast they are.
 */
import { getPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { yieldingNiceness } from '../../config/connections.ts'
import { expensiveReadPlans, expensiveReadQueue, openAnswers } from '../../config/plans.ts'
import { exampleRecords } from '../../src/api/example-records.ts'
import { createReadGate } from '../../src/api/expensive-reads.ts'
import { type Db, openDb } from '../../src/db/db.ts'
import type { AppError } from '../../src/errors.ts'
import { isRefused, type Leave, type Refused } from '../../src/limits/gate.ts'
import { estimateCount } from '../../src/registry/screener/count-estimate.ts'
import { readQuery } from '../../src/registry/screener/read.ts'
import { createCustomer, type LoggedIn, newCustomer, useApi } from '../support/api.ts'
import { addExampleRecords, openFeeds, pendingOrder, resetLimits } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { figure } from '../support/figures.ts'

const companies = figure(15_000, 50_000)
const expensivePlaces = 3
const database = useTestDatabase()
let expensiveDb: Db
const api = useApi(database, [], {
  get expensiveReads() {
    const connectionString = database.urlAs('panji_api')
    expensiveDb ??= openDb({ connectionString, applicationName: 'test-expensive', connectionsMax: expensivePlaces })
    return { db: expensiveDb, places: expensivePlaces }
  },
})
/** The same with less time, so that nothing here takes long. */
const hurried = useApi(database, [], {
  // Stands still: a slow machine must not fill a bucket again while a test empties it.
  bucketClock: () => 0,
  get expensiveReads() {
    const plan = { atOnce: 1, waiting: 16, takesLast: true, seconds: 2, parallel: false }
    return { db: database.db, places: expensivePlaces, plans: { free: plan, premium: plan } }
  },
})

let searches = 0
/** 130 names that no company has, looked for in every name; never the same, so that no total is known. */
const search = () => {
  const salt = ++searches
  const terms = Array.from({ length: 130 }, (_, n) => `company CONTAINS 'qz${salt}x${n}'`)
  return { query: terms.join(' OR '), type: 'company', limit: 10 }
}

beforeAll(async () => {
  await addExampleRecords(database.db)
  await database.db.execute(
    `INSERT INTO registry.company (cin, company_type, name, name_key, state, first_run_id, last_run_id, as_of)
     SELECT 'U85100GA2022PTC' || lpad(n::text, 6, '0'), 'Company', 'KONKAN TRADING ' || n, 'konkan trading ' || n, 'Goa', 1, 1, '2026-11-01'
     FROM generate_series(100001, 100000 + $1::integer) AS n`,
    [companies],
  )
  await database.db.execute('ANALYZE registry.company')
})
beforeEach(() => resetLimits(database.db))
afterAll(() => expensiveDb?.close())

// Accounts wait for each other's counters, too: only who waits for the table is meant.
const activeOf = async (state = `wait_event_type = 'Lock' AND wait_event = 'relation'`): Promise<number> => {
  const [row] = await database.db.query<{ n: number }>(
    `SELECT count(*) AS n FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state = 'active' AND ${state}`,
  )
  return row?.n ?? 0
}

/** Waits until so many statements wait for the lock. */
const untilHeld = (statements: number) =>
  vi.waitFor(async () => expect(await activeOf()).toBe(statements), { timeout: 60_000, interval: 20 })

/** While `work` runs, every statement on the companies waits. */
const whileCompaniesAreLocked = <T>(work: () => Promise<T>): Promise<T> => whileLocked('registry.company', work)

async function whileLocked<T>(table: 'registry.company' | 'orders.lead', work: () => Promise<T>): Promise<T> {
  const locker = openDb({ connectionString: database.url, applicationName: 'test-locker', connectionsMax: 1 })
  try {
    return await locker.transaction(async (tx) => {
      await tx.execute(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
      return work()
    })
  } finally {
    await locker.close()
  }
}

/** Waits until so many of them are refused, which the line's length or its time brings about while nothing ends. */
async function untilShed(asked: readonly Promise<{ readonly statusCode: number }>[], least = 1): Promise<void> {
  let refused = 0
  for (const answer of asked) {
    void answer.then(({ statusCode }) => {
      if (statusCode === 429) refused++
    })
  }
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(least), { timeout: 60_000, interval: 20 })
}

/** Some were refused at once; the others were served, or stopped at their time where the machine is busy. */
function expectShed(codes: readonly number[]): void {
  expect(codes).toContain(429)
  expect(codes.filter((code) => ![200, 422, 429].includes(code))).toEqual([])
}

const spent = async ({ accountId }: LoggedIn, kind = 'search'): Promise<number> => {
  const [row] = await database.db.query<{ used: number }>(
    'SELECT coalesce(max(used), 0) AS used FROM access.daily_usage WHERE account_id = $1 AND kind = $2',
    [accountId, kind],
  )
  return row?.used ?? 0
}

describe('24 searches of one free account at once', () => {
  test('take at most its own place; the others wait their turn or are 429 TOO_MANY_CONCURRENT, and cost nothing', async () => {
    const hostile = await newCustomer(api, database)
    const sampled: number[] = []
    let answering = true
    const sampling = (async () => {
      while (answering) {
        sampled.push(await activeOf(`application_name = 'test-expensive'`))
        await delay(5)
      }
    })()
    const tooMany = 24 - 1 - expensiveReadPlans.free.waiting
    // None ends before all have come, however far apart a busy machine lets them come.
    const asked = await whileCompaniesAreLocked(async () => {
      const all = Array.from({ length: 24 }, () => api.post('/api/screener/search', hostile.token, search()))
      await untilShed(all, tooMany)
      return { all }
    })
    const answers = await Promise.all(asked.all)
    answering = false
    await sampling
    expect(Math.max(...sampled)).toBe(expensiveReadPlans.free.atOnce)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    // On a busy machine some run into their time, which costs their unit, too.
    const served = answers.filter(({ statusCode }) => statusCode === 200 || statusCode === 422)
    expect(served.length + refused.length).toBe(24)
    expect(served.length).toBeGreaterThanOrEqual(1)
    expect(refused.length).toBeGreaterThanOrEqual(tooMany)
    for (const answer of refused) {
      expect(answer.json().error_code).toBe('TOO_MANY_CONCURRENT')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(answer.headers['x-ratelimit-limit'])).toBe(100)
      expect(Number(answer.headers['x-ratelimit-remaining'])).toBeGreaterThan(0)
    }
    expect(await spent(hostile)).toBe(served.length)
  })

  test('leave logins, details, readiness and another account’s searches as they are, even when none of them ends', async () => {
    const hostile = await newCustomer(api, database)
    const paying = await newCustomer(api, database, { plan: 'premium' })
    const other = await createCustomer(database.db)
    const hostileAnswers = await whileCompaniesAreLocked(async () => {
      const asked = Array.from({ length: 24 }, () => api.post('/api/screener/search', hostile.token, search()))
      await untilHeld(expensiveReadPlans.free.atOnce)
      const [ready, login, details, gst] = await Promise.all([
        api.get('/readyz'),
        api.post('/api/auth/login', undefined, { api_key: other.apiKey }),
        api.get(`/api/gst/details?gstin=${exampleRecords.gstin}`, paying.token),
        api.post('/api/screener/search', paying.token, { query: "state == 'Goa'", type: 'gst' }),
      ])
      expect([ready, login, details, gst].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
      expect(await activeOf()).toBe(expensiveReadPlans.free.atOnce)
      await untilShed(asked)
      return asked
    })
    const codes = (await Promise.all(hostileAnswers)).map(({ statusCode }) => statusCode)
    expectShed(codes)
  })
})

test('many hostile accounts together leave the last expensive place to who pays; identity and details still answer', async () => {
  const hostile = await Promise.all(Array.from({ length: 6 }, () => newCustomer(api, database)))
  const paying = await newCustomer(api, database, { plan: 'premium' })
  const asked = await whileCompaniesAreLocked(async () => {
    const answers = hostile.map(({ token }) => api.post('/api/screener/search', token, search()))
    await untilHeld(expensivePlaces - 1)
    answers.push(api.post('/api/screener/search', paying.token, search()))
    await untilHeld(expensivePlaces)
    const cheap = await Promise.all([
      api.get('/readyz'),
      ...Array.from({ length: 12 }, () => api.get(`/api/gst/details?gstin=${exampleRecords.gstin}`, paying.token)),
    ])
    expect(cheap.map(({ statusCode }) => statusCode)).toEqual(cheap.map(() => 200))
    expect(await activeOf()).toBeLessThanOrEqual(expensivePlaces)
    return answers
  })
  const codes = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
  expect(codes.filter((code) => code === 200 || code === 422).length).toBeGreaterThanOrEqual(expensivePlaces)
  expect(codes.at(-1)).not.toBe(429)
  expect(codes.filter((code) => ![200, 422, 429].includes(code))).toEqual([])
})

test('accounts of a plan that leaves the last place leave a quarter of the line, too, and a single place is anybody’s', async () => {
  const { free, premium } = expensiveReadPlans
  const paying = { ...premium, takesReserve: premium.takesLast }
  const entered = (asked: Leave | Refused) => (isRefused(asked) ? expect.unreachable(asked.full) : asked)
  const gate = createReadGate(2, { waitSeconds: 3_600, waiting: 8 })
  const leave = entered(await gate.enter('free 0', free))
  const waiting = Array.from({ length: 6 }, (_, n) => gate.enter(`free ${n + 1}`, free))
  expect(await gate.enter('free 7', free)).toMatchObject({ full: 'gate' })
  expect(gate.usage()).toMatchObject({ running: 1, waiting: 6 })
  const paid = entered(await gate.enter('premium', paying))
  expect(gate.usage()).toMatchObject({ running: 2, waiting: 6 })
  // The place that who pays gives back stays free for the next who does.
  paid()
  expect(gate.usage()).toMatchObject({ running: 1, waiting: 6 })
  leave()
  for (const next of waiting) entered(await next)()
  expect(gate.usage()).toMatchObject({ running: 0, waiting: 0 })
  const single = createReadGate(1, { waitSeconds: 3_600, waiting: 8 })
  entered(await single.enter('free', free))()
  expect(single.usage()).toMatchObject({ running: 0, waiting: 0 })
})

test('the database’s processes of expensive reads yield the processors to those of all others, where it is this process’s own', async () => {
  const opened = [true, false].map((yielding) =>
    openDb({ connectionString: database.url, applicationName: 'test-yielding', connectionsMax: 1, yielding }),
  )
  const niceness = await Promise.all(
    opened.map(async (db) => {
      const [row] = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      return getPriority(row?.pid ?? 0)
    }),
  )
  await Promise.all(opened.map((db) => db.close()))
  expect(niceness).toEqual([Math.max(yieldingNiceness, getPriority()), getPriority()])
})

test.each([
  ['a feed with a search', '/api/recently-registered/companies', { search: 'konkan' }],
  ['a company filter', '/api/company/company-filter?city=Panaji', undefined],
  ['an explained query', '/api/screener/explain', { query: "company CONTAINS 'qz'", type: 'company' }],
])('%s takes an expensive place as a screener does', async (_what, path, body) => {
  const hostile = await newCustomer(api, database)
  await openFeeds(database.db, hostile.accountId)
  const asked = await whileCompaniesAreLocked(async () => {
    const answers = Array.from({ length: 24 }, () =>
      body ? api.post(path, hostile.token, body) : api.get(path, hostile.token),
    )
    await untilHeld(expensiveReadPlans.free.atOnce)
    expect((await api.get('/readyz')).statusCode).toBe(200)
    expect(await activeOf()).toBe(expensiveReadPlans.free.atOnce)
    await untilShed(answers)
    return answers
  })
  const codes = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
  expectShed(codes)
})

async function paidOrder(accountId: string, items: number): Promise<string> {
  const order = await pendingOrder(database.db, accountId, items)
  await database.db.execute(
    `UPDATE orders.purchase SET status = 'completed', payment_status = 'paid' WHERE order_id = $1`,
    [order],
  )
  return order
}

test('three free accounts with 64 readers each have two exports open, and one that pays exports beside them', async () => {
  const items = openAnswers.whole.itemsMax + 1
  const buyers = await Promise.all(
    (['free', 'free', 'free', 'premium'] as const).map(async (plan) => {
      const buyer = await newCustomer(api, database, { plan })
      return { token: buyer.token, url: `/api/orders/${await paidOrder(buyer.accountId, items)}/export` }
    }),
  )
  const [paying, ...free] = buyers.toReversed()
  if (!paying) throw new Error('nobody pays')
  const asked = await whileLocked('orders.lead', async () => {
    const readers = free.map(({ url, token }) => Array.from({ length: 64 }, () => api.get(url, token)))
    let refused = 0
    for (const answer of readers.flat()) void answer.then(({ statusCode }) => (refused += Number(statusCode === 429)))
    await vi.waitFor(() => expect(refused).toBe(3 * 62), { timeout: 60_000, interval: 20 })
    await untilHeld(expensivePlaces - 1)
    const export_ = api.get(paying.url, paying.token)
    await untilHeld(expensivePlaces)
    return { readers, export_ }
  })
  expect((await asked.export_).statusCode).toBe(200)
  for (const readers of asked.readers) {
    const codes = (await Promise.all(readers)).map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 200)).toHaveLength(openAnswers.perAccount.free)
  }
})

test.each(['/api/orders/ID/export', '/api/orders/ID/export?format=csv', '/api/crm/orders/ID/leads'])(
  'a paid order by %s is read in expensive places, slice by slice',
  async (path) => {
    const hostile = await newCustomer(api, database)
    const order = await paidOrder(hostile.accountId, 1)
    const asked = await whileLocked('orders.lead', async () => {
      const answers = Array.from({ length: 24 }, () => api.get(path.replace('ID', order), hostile.token))
      await untilHeld(expensiveReadPlans.free.atOnce)
      expect(await activeOf()).toBe(expensiveReadPlans.free.atOnce)
      return answers
    })
    const codes = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
    // Each slice waits for its place; how many answers may be open at once is a bound of its own.
    expect(codes.filter((code) => ![200, 429].includes(code))).toEqual([])
  },
)

test('the queue is bounded in length and in time, and says when to come again', async () => {
  const { token } = await newCustomer(api, database)
  await whileCompaniesAreLocked(async () => {
    const first = api.post('/api/screener/search', token, search())
    await untilHeld(1)
    const waited = performance.now()
    const second = await api.post('/api/screener/search', token, search())
    expect(second.json().error_code).toBe('TOO_MANY_CONCURRENT')
    expect(performance.now() - waited).toBeGreaterThan(expensiveReadQueue.waitSeconds * 1000 - 50)
    return first
  })
})

describe('units', () => {
  test('a query that runs into the time limit costs its unit; a mistake in one does not', async () => {
    const customer = await newCustomer(api, database)
    await whileCompaniesAreLocked(async () => {
      const stopped = await api.post('/api/screener/search', customer.token, search())
      expect(stopped.statusCode).toBe(422)
      expect(stopped.json()).toMatchObject({ error_code: 'QUERY_TOO_EXPENSIVE', reason: 'statement_timeout' })
      expect(stopped.headers['x-ratelimit-remaining']).toBe('99')
      expect(await activeOf()).toBe(0)
    })
    expect(await spent(customer)).toBe(1)
    const mistaken = await api.post('/api/screener/search', customer.token, { ...search(), query: 'company IS' })
    expect([mistaken.statusCode, mistaken.headers['x-ratelimit-remaining']]).toEqual([422, '99'])
    expect(await spent(customer)).toBe(1)
  })

  test('a caller who goes away frees the place, ends the statement and has used the unit', async () => {
    const customer = await newCustomer(api, database, { plan: 'premium' })
    const origin = await api.app.listen({ host: '127.0.0.1', port: 0 })
    await whileCompaniesAreLocked(async () => {
      const leaving = new AbortController()
      const left = fetch(`${origin}/api/screener/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${customer.token}` },
        body: JSON.stringify(search()),
        signal: leaving.signal,
      }).catch((error: Error) => error.name)
      await untilHeld(1)
      leaving.abort()
      expect(await left).toBe('AbortError')
      // Long before any time limit.
      await untilHeld(0)
    })
    const next = await api.post('/api/screener/search', customer.token, { ...search(), query: "CIN == 'AAC-3965'" })
    expect(next.statusCode).toBe(200)
    expect(await spent(customer)).toBe(2)
  })
})

describe('a query that cannot end in its time', () => {
  // By its statistics the register holds ten million companies.
  beforeAll(() => database.db.execute(`UPDATE pg_class SET reltuples = 1e7 WHERE oid = 'registry.company'::regclass`))
  afterAll(() => database.db.execute('ANALYZE registry.company'))

  test('is refused before it runs, in words, and its unit comes back', async () => {
    const customer = await newCustomer(hurried, database)
    const refused = await hurried.post('/api/screener/search', customer.token, search())
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ error_code: 'QUERY_TOO_EXPENSIVE', reason: 'estimate', timeout_ms: 2000 })
    expect(refused.json().detail).toContain('Narrow it by')
    expect(refused.headers['x-ratelimit-remaining']).toBe('100')
    expect(await spent(customer)).toBe(0)
  })

  test('is told by what its rows cost, not by its shape: 130 terms over few rows, or joined by AND, are let through', async () => {
    const terms = search().query
    const timeoutMs = 2_000
    const runs = (query: string) => foreseen({ query, timeoutMs })
    expect(await runs(terms)).toBe('estimate')
    expect(await runs(`CIN == 'U85100GA2022PTC100001' AND (${terms})`)).toBe('runs')
    expect(await runs(terms.replaceAll(' OR ', ' AND '))).toBe('runs')
  })

  test('is refused so only a number of times a minute; then the account waits, and others do not', async () => {
    const customer = await newCustomer(hurried, database)
    for (let n = 0; n < expensiveReadQueue.refusedPerMinute; n++) {
      expect((await hurried.post('/api/screener/search', customer.token, search())).statusCode).toBe(422)
    }
    const refused = await hurried.post('/api/screener/search', customer.token, search())
    expect([refused.statusCode, refused.json().error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers['retry-after'])).toBe(2)
    const other = await newCustomer(hurried, database)
    expect((await hurried.post('/api/screener/search', other.token, search())).statusCode).toBe(422)
  })
})

async function foreseen({ query, timeoutMs }: { readonly query: string; readonly timeoutMs: number }): Promise<string> {
  const read = readQuery('company', query)
  const sql = `SELECT count(*) AS total FROM registry.company r WHERE r.closed_on IS NULL AND ${read.condition}`
  const ahead = { read, sql, registerRows: 1e7, timeoutMs } as const
  try {
    await estimateCount(database.db, database.db, ahead)
    return 'runs'
  } catch (error) {
    return String((error as AppError).extra['reason'])
  }
}

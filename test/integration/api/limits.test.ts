import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { dailyLimits } from '../../../config/plans.ts'
import type { Routes } from '../../../src/api/route-context.ts'
import { shownInstant } from '../../../src/domain/shown-instant.ts'
import { AppError } from '../../../src/errors.ts'
import { buildTestServer, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

/** A route per daily limit: `?fail=404` fails with that status. */
const limited: Routes = async (app) => {
  for (const kind of ['search', 'details', 'screener'] as const) {
    const schema = { querystring: z.object({ fail: z.string().optional() }) }
    app.get(`/api/test/${kind}`, { config: { limit: kind }, schema }, async (request) => {
      const { fail } = request.query
      if (fail === '404') throw new AppError('NOT_FOUND', 'No such record.')
      if (fail === '500') throw new Error('a fault')
      return { rate_limit: request.limitState }
    })
  }
}

const database = useTestDatabase()
const api = useApi(database, [limited])

const used = async (accountId: string) => {
  const rows = await database.db.query<{ used: number }>('SELECT used FROM access.daily_usage WHERE account_id = $1', [
    accountId,
  ])
  return rows.map((row) => row.used)
}

describe('daily limits', () => {
  test('of 150 parallel calls over two processes exactly 100 pass', async () => {
    const second = await buildTestServer(database, api.queue, [limited])
    const { token, accountId } = await newCustomer(api, database)
    const headers = { authorization: `Bearer ${token}` }
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        (index % 2 ? second : api.app).inject({ method: 'GET', url: '/api/test/details', headers }),
      ),
    )
    await second.close()
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100)
    expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(50)
    expect(await used(accountId)).toEqual([100])
    const left = replies.flatMap((reply) =>
      reply.statusCode === 200 ? [Number(reply.headers['x-ratelimit-remaining'])] : [],
    )
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index))
  })

  test('a call over the limit is told when to retry, in headers and body', async () => {
    const { token, accountId } = await newCustomer(api, database)
    await database.db.execute(
      `INSERT INTO access.daily_usage VALUES ($1, 'screener', (now() AT TIME ZONE 'UTC')::date, 9)`,
      [accountId],
    )
    const last = await api.get('/api/test/screener', token)
    expect(last.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })
    const midnight = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`
    expect(last.headers['x-ratelimit-reset']).toBe(midnight)
    expect(last.json().rate_limit).toEqual({ kind: 'screener', limit: 10, remaining: 0, resetAt: midnight })

    const over = await api.get('/api/test/screener', token)
    expect([over.statusCode, over.json().error_code]).toEqual([429, 'RATE_LIMITED'])
    expect(over.json().detail).toContain(`until ${shownInstant(new Date(midnight))}`)
    expect(over.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })
    const seconds = (Date.parse(midnight) - Date.now()) / 1000
    expect(Math.abs(Number(over.headers['retry-after']) - seconds)).toBeLessThan(5)
  })

  test('a call that fails gives its unit back before its answer arrives', async () => {
    const { token, accountId } = await newCustomer(api, database)
    for (const fail of ['404', '500']) {
      const reply = await api.get(`/api/test/details?fail=${fail}`, token)
      expect(reply.statusCode).toBe(Number(fail))
      expect(reply.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '100' })
      expect(await used(accountId)).toEqual([0])
    }
    expect((await api.get('/api/test/details', token)).headers['x-ratelimit-remaining']).toBe('99')
  })

  test('a refusal whose unit cannot be given back, the database being away, is answered in the words of this API', async () => {
    const { token } = await newCustomer(api, database)
    await database.db.execute(`
      CREATE FUNCTION access.away() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'Connection terminated' USING ERRCODE = '08006'; END $$;
      CREATE TRIGGER away BEFORE UPDATE ON access.daily_usage
        FOR EACH ROW WHEN (NEW.used < OLD.used) EXECUTE FUNCTION access.away()`)
    try {
      const reply = await api.get('/api/test/details?fail=404', token)
      expect(reply.statusCode).toBe(503)
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(reply.json()).toEqual({
        detail: 'The database is away for a moment. Try again.',
        error_code: 'UNAVAILABLE',
        reason: 'unreachable',
        request_id: reply.headers['x-request-id'],
        doc_url: '/docs/errors#UNAVAILABLE',
      })
    } finally {
      await database.db.execute('DROP FUNCTION access.away() CASCADE')
    }
  })

  test('failing calls in parallel with good ones leave exactly the good ones counted', async () => {
    const { token, accountId } = await newCustomer(api, database)
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => api.get(`/api/test/details${index % 3 ? '?fail=404' : ''}`, token)),
    )
    expect(await used(accountId)).toEqual([20])
  })

  test('limits are per account, per kind and per day', async () => {
    const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
    await database.db.execute(
      `INSERT INTO access.daily_usage
       SELECT $1, 'details', (now() AT TIME ZONE 'UTC')::date - days, 100 FROM generate_series(0, 1) AS days`,
      [one.accountId],
    )
    expect((await api.get('/api/test/details', one.token)).statusCode).toBe(429)
    expect((await api.get('/api/test/search', one.token)).statusCode).toBe(200)
    expect((await api.get('/api/test/details', other.token)).statusCode).toBe(200)
    await database.db.execute(
      'DELETE FROM access.daily_usage WHERE account_id = $1 AND day = (now() AT TIME ZONE $2)::date',
      [one.accountId, 'UTC'],
    )
    expect((await api.get('/api/test/details', one.token)).statusCode).toBe(200)
  })

  test.each([
    ['free', 'search', '100'],
    ['free', 'details', '100'],
    ['free', 'screener', '10'],
    ['premium', 'details', '1000'],
    ['premium', 'screener', '100'],
  ] as const)('%s accounts have %s limited to %s a day', async (plan, kind, limit) => {
    const { token } = await newCustomer(api, database, { plan })
    expect((await api.get(`/api/test/${kind}`, token)).headers['x-ratelimit-limit']).toBe(limit)
    expect(String(dailyLimits[plan][kind])).toBe(limit)
  })

  test('premium search has no daily limit: the burst limit governs', async () => {
    const { token } = await newCustomer(api, database, { plan: 'premium' })
    const reply = await api.get('/api/test/search', token)
    expect(reply.headers['x-ratelimit-limit']).toBe('600')
    expect(reply.json().rate_limit).toMatchObject({ limit: null, remaining: null })
  })

  test('the profile and the access statement show the usage of today', async () => {
    const { token } = await newCustomer(api, database, { plan: 'premium' })
    await api.get('/api/test/details', token)
    await api.get('/api/test/details?fail=404', token)
    const me = (await api.get('/api/users/me', token)).json()
    expect(me.api_usage).toEqual({ detail_requests_today: 1, detail_daily_limit: 1000 })
    const access = (await api.get('/api/access', token)).json()
    expect(access.rate_limits).toEqual({
      detail_endpoints: { used_today: 1, daily_limit: 1000, remaining: 999 },
      record_budget: { used_today: 0, daily_limit: 100_000, remaining: 100_000 },
      date: new Date().toISOString().slice(0, 10),
    })
  })
})

test('more than 600 calls in a minute are refused until the minute is over', async () => {
  const { token, accountId } = await newCustomer(api, database)
  // This minute and the next, in case the minute turns before either call.
  await database.db.execute(
    `INSERT INTO access.minute_usage
     SELECT $1, date_trunc('minute', now()) + make_interval(mins => m), 599 + m FROM generate_series(0, 1) AS m`,
    [accountId],
  )
  expect((await api.get('/api/users/me', token)).headers['x-ratelimit-remaining']).toBe('0')
  const over = await api.get('/api/test/details', token)
  expect([over.statusCode, over.json().error_code]).toEqual([429, 'RATE_LIMITED'])
  expect(over.headers['x-ratelimit-limit']).toBe('600')
  expect(Number(over.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(await used(accountId)).toEqual([])
})

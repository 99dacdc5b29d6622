import { expect, test } from 'vitest'
import { z } from 'zod'
import { type IdempotencyClaim, renewClaims } from '../../../src/access/idempotency.ts'
import { keepAnswerOf } from '../../../src/api/hooks/idempotency.ts'
import { principalOf, type Routes } from '../../../src/api/route-context.ts'
import { AppError } from '../../../src/errors.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const Body = z.strictObject({ name: z.string(), outcome: z.enum(['ok', 'refuse', 'fault']).default('ok') })

/** Creates watchlists; `/kept` keeps its answer in its own transaction. */
const creating: Routes = async (app, { db }) => {
  const insert = `INSERT INTO access.watchlist (account_id, name, type) VALUES ($1, $2, 'gst') RETURNING watchlist_id AS id`
  app.post('/api/test/create', { config: { idempotent: true }, schema: { body: Body } }, async (request, reply) => {
    if (request.body.outcome === 'refuse') throw new AppError('INSUFFICIENT_CREDITS', 'Too few credits.')
    if (request.body.outcome === 'fault') throw new Error('a fault')
    const [row] = await db.query<{ id: string }>(insert, [principalOf(request).accountId, request.body.name])
    reply.code(201)
    return { z: 1, id: row?.id, a: 2 }
  })
  app.post(
    '/api/test/kept',
    { config: { idempotent: 'with-effect' }, schema: { body: Body } },
    async (request, reply) =>
      db.transaction(async (tx) => {
        const [row] = await tx.query<{ id: string }>(insert, [principalOf(request).accountId, request.body.name])
        const body = { id: row?.id }
        await keepAnswerOf(tx, request, 201, body)
        reply.code(201)
        return body
      }),
  )
}

const database = useTestDatabase()
const api = useApi(database, [creating])
const created = async (accountId: string) =>
  (await database.db.query('SELECT FROM access.watchlist WHERE account_id = $1', [accountId])).length

test.each(['/api/test/create', '/api/test/kept'])(
  '%s with one key 50 times in parallel happens once, and every answer that is not "in progress" is the same',
  async (path) => {
    const { token, accountId } = await newCustomer(api, database)
    const call = () => api.post(path, token, { name: 'x' }, { 'idempotency-key': 'key-1' })
    const replies = await Promise.all(Array.from({ length: 50 }, call))
    expect(await created(accountId)).toBe(1)
    const answered = replies.filter(({ statusCode }) => statusCode === 201)
    expect(new Set(answered.map(({ body }) => body)).size).toBe(1)
    expect(answered.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
    for (const reply of replies.filter(({ statusCode }) => statusCode !== 201)) {
      expect([reply.statusCode, reply.json().error_code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    }
    const again = await call()
    expect([again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
      201,
      answered[0]?.body,
      'true',
    ])
  },
)

test('the same key with another body, or on another path, is a 422', async () => {
  const { token } = await newCustomer(api, database)
  const headers = { 'idempotency-key': 'key-2' }
  expect((await api.post('/api/test/create', token, { name: 'x' }, headers)).statusCode).toBe(201)
  for (const [path, name] of [
    ['/api/test/create', 'y'],
    ['/api/test/kept', 'x'],
  ] as const) {
    const reply = await api.post(path, token, { name }, headers)
    expect([reply.statusCode, reply.json().error_code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  }
})

test('keys belong to their account', async () => {
  const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
  const headers = { 'idempotency-key': 'shared' }
  const first = await api.post('/api/test/create', one.token, { name: 'x' }, headers)
  const second = await api.post('/api/test/create', other.token, { name: 'x' }, headers)
  expect(second.headers['idempotency-replayed']).toBeUndefined()
  expect(second.json().id).not.toBe(first.json().id)
})

test.each(['refuse', 'fault'])('an answer that wrote nothing frees the key: %s', async (outcome) => {
  const { token, accountId } = await newCustomer(api, database)
  const headers = { 'idempotency-key': 'key-3' }
  expect((await api.post('/api/test/create', token, { name: 1 }, headers)).statusCode).toBe(400)
  const failed = await api.post('/api/test/create', token, { name: 'x', outcome }, headers)
  expect(failed.statusCode).toBe(outcome === 'refuse' ? 400 : 500)
  expect((await api.post('/api/test/create', token, { name: 'x' }, headers)).statusCode).toBe(201)
  expect(await created(accountId)).toBe(1)
})

test('a key is free again after 24 hours', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const call = () => api.post('/api/test/create', token, { name: 'x' }, { 'idempotency-key': 'key-4' })
  await call()
  await database.db.execute(
    `UPDATE access.idempotency SET created_at = now() - interval '25 hours' WHERE account_id = $1`,
    [accountId],
  )
  expect((await call()).headers['idempotency-replayed']).toBeUndefined()
  expect(await created(accountId)).toBe(2)
})

test('after a crash without an answer the key is free only where the effect cannot have outlived the answer', async () => {
  for (const [path, status] of [
    ['/api/test/create', 409],
    ['/api/test/kept', 201],
  ] as const) {
    const { token, accountId } = await newCustomer(api, database)
    const call = () => api.post(path, token, { name: 'x' }, { 'idempotency-key': 'key-5' })
    const age = (interval: string) =>
      database.db.execute(
        `UPDATE access.idempotency SET status = NULL, sealed = NULL, created_at = now() - $2::interval
         WHERE account_id = $1`,
        [accountId, interval],
      )
    await call()
    await age('4 minutes')
    expect((await call()).statusCode).toBe(409)
    await age('6 minutes')
    expect((await call()).statusCode).toBe(status)
  }
})

test('a key whose owner died is free within seconds, and one whose owner runs is renewed', async () => {
  const { token, accountId } = await newCustomer(api, database)
  const call = () => api.post('/api/test/kept', token, { name: 'x' }, { 'idempotency-key': 'key-6' })
  // As kill -9 leaves it: claimed, unanswered, and nobody renews it.
  const die = (seconds: number) =>
    database.db.execute(
      `UPDATE access.idempotency SET status = NULL, sealed = NULL, created_at = now(),
         held_until = now() + make_interval(secs => $2) WHERE account_id = $1`,
      [accountId, seconds],
    )
  await call()
  await die(3)
  expect((await call()).statusCode).toBe(409)
  await die(0)
  expect((await call()).statusCode).toBe(201)

  const [claim] = await database.db.query<IdempotencyClaim>(
    'SELECT account_id AS "accountId", key, claim_id AS "claimId" FROM access.idempotency WHERE account_id = $1',
    [accountId],
  )
  await die(0)
  await renewClaims(database.as('panji_api'), claim ? [claim] : [])
  expect((await call()).statusCode).toBe(409)
})

test('a request that lost its claim while it ran rolls back', async () => {
  const { token, accountId } = await newCustomer(api, database)
  // The claim passes on between the handler's insert and its keeping of the answer.
  await database.db.execute(
    `CREATE FUNCTION access.steal() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN UPDATE access.idempotency SET claim_id = gen_random_uuid() WHERE account_id = NEW.account_id; RETURN NEW; END $$`,
  )
  await database.db.execute(
    'CREATE TRIGGER steal AFTER INSERT ON access.watchlist FOR EACH ROW EXECUTE FUNCTION access.steal()',
  )
  const reply = await api.post('/api/test/kept', token, { name: 'x' }, { 'idempotency-key': 'key-5' })
  await database.db.execute('DROP TRIGGER steal ON access.watchlist')
  expect([reply.statusCode, reply.json().error_code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
  expect(await created(accountId)).toBe(0)
})

test('without a key nothing is kept, and a key that is no text of visible characters is a 400', async () => {
  const { token, accountId } = await newCustomer(api, database)
  for (const times of [1, 2]) {
    expect((await api.post('/api/test/create', token, { name: 'x' })).statusCode).toBe(201)
    expect(await created(accountId)).toBe(times)
  }
  for (const key of ['', 'a b', 'x'.repeat(256)]) {
    const reply = await api.post('/api/test/create', token, { name: 'x' }, { 'idempotency-key': key })
    expect(reply.statusCode).toBe(400)
  }
})

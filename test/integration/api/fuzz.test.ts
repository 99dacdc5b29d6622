/**
 * Random requests over every operation of the served OpenAPI document, and those of the corpus. Whatever comes in: no fault of
 * ours, a status the document names, a body of the documented shape, the headers that every response has, nothing of another
 * account, and at most 50 ms of the event loop. Four accounts ask, and operators of each role.
 *
 * `PANJI_FUZZ_SEED` draws others. `PANJI_FUZZ_CORPUS=grow` adds to the corpus what it lacks; a request that was answered wrong is added by hand.
 */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Routes } from '../../../src/api/route-context.ts'
import { useApi } from '../../support/api.ts'
import { addExampleRecords, fillRegisters, resetLimits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { documentChecker } from '../../support/document-checker.ts'
import { figure } from '../../support/figures.ts'
import { callersOf, livingIds } from '../../support/fuzz/callers.ts'
import { corpusOf, growCorpus } from '../../support/fuzz/corpus.ts'
import { fuzz } from '../../support/fuzz/fuzz.ts'
import { type ApiOperation, operationsOf } from '../../support/openapi.ts'
import { type FuzzRequest, requestFor } from '../../support/request-arbitrary.ts'

const database = useTestDatabase()
const api = useApi(database)
const planted = useApi(database, [
  (async (app) => {
    const response = { 200: z.object({ data: z.array(z.string()) }) }
    const schema = { tags: ['Test'], summary: 'Planted', querystring: z.object({ text: z.string() }), response }
    app.get('/api/planted/fault', { schema: { ...schema, operationId: 'plantedFault' } }, async ({ query }) => {
      if (query.text.includes("'")) throw new TypeError('planted')
      return { data: [] }
    })
    app.get('/api/planted/shape', { schema: { ...schema, operationId: 'plantedShape' } }, async (_request, reply) => {
      return reply.serializer(JSON.stringify).send({ data: [], more: 1 } as { data: string[] })
    })
  }) satisfies Routes,
])
const requestsMin = figure(4_000, 60_000)
const timedMin = figure(1_000, 10_000)
const perBatch = 1_000
const atOnce = 16
const seed = Number(process.env['PANJI_FUZZ_SEED'] ?? 20_261_121)
const corpusGrows = process.env['PANJI_FUZZ_CORPUS'] === 'grow'

/**
 * API keys and refresh tokens cannot be guessed. What is paid, delivered, ingested or signed in to in a browser needs a
 * world of its own; the walk of the document (test/conformance/document.test.ts) makes one for each.
 */
const needsWorld = new Set([
  'DELETE /admin/users/{id}/keys/{prefix}',
  'POST /admin/users/{id}/people/{person_id}/link',
  // Of people, who sign in with a browser.
  'POST /api/second-factor',
  'POST /api/second-factor/confirm',
  'DELETE /api/second-factor',
  'DELETE /api/team/{person_id}/second-factor',
  'POST /api/auth/login',
  'POST /api/auth/refresh-token',
  // Confirmed by the caller's own e-mail: a request in many thousands guesses both.
  'DELETE /api/users/me/account',
  'POST /app/session',
  'GET /app/session',
  'DELETE /app/session',
  'POST /api/credits/purchase',
  'GET /api/credits/purchases/{id}',
  'GET /api/invoices/{number}/pdf',
  'POST /api/plans/{id}/buy',
  'POST /api/subscriptions/{id}/renew',
  'POST /api/subscriptions/{id}/cancel',
  'POST /api/orders/{id}/items/{n}/dispute',
  'POST /api/orders/export',
  'GET /api/standing-orders/{id}',
  'PATCH /api/standing-orders/{id}',
  'POST /api/standing-orders',
  'POST /api/standing-orders/{id}/pause',
  'POST /api/standing-orders/{id}/resume',
  'POST /api/standing-orders/{id}/end',
  'GET /api/standing-orders/{id}/preview',
  'GET /api/standing-orders/{id}/runs',
  'POST /api/standing-orders/{id}/approve',
  'POST /api/standing-orders/{id}/skip',
  'GET /api/crm/destinations/{destination_id}',
  'PATCH /api/crm/destinations/{destination_id}',
  'DELETE /api/crm/destinations/{destination_id}',
  'POST /admin/users/{id}/destinations/{destination_id}/test',
  'POST /admin/users/{id}/destinations/{destination_id}/pause',
  'POST /admin/users/{id}/destinations/{destination_id}/resume',
  'DELETE /admin/users/{id}/destinations/{destination_id}',
  'POST /api/crm/destinations/{destination_id}/test',
  'POST /api/crm/destinations/{destination_id}/pause',
  'POST /api/crm/destinations/{destination_id}/resume',
  'POST /api/crm/destinations/connect/finish',
  'GET /api/crm/destinations/{destination_id}/mapping',
  'PUT /api/crm/destinations/{destination_id}/mapping',
  'POST /api/crm/destinations/{destination_id}/mapping/preview',
  'GET /api/crm/destinations/{destination_id}/mapping/versions',
  'POST /api/crm/destinations/{destination_id}/resend/plan',
  'POST /api/crm/destinations/{destination_id}/resend',
  'POST /api/crm/destinations/{destination_id}/test-row',
  'POST /api/crm/orders/{order_id}/plan',
  'POST /api/crm/orders/{order_id}/push',
  'GET /api/crm/deliveries/{delivery_id}/attempts',
  'GET /admin/deliveries/{delivery_id}/attempts',
  'GET /api/crm/deliveries/{delivery_id}/receipt',
  'POST /api/crm/deliveries/{delivery_id}/sandbox',
  'POST /api/crm/deliveries/{delivery_id}/retry',
  'POST /api/crm/deliveries/fix',
  'PATCH /api/crm/webhooks/{webhook_id}',
  'DELETE /api/crm/webhooks/{webhook_id}',
  'POST /api/crm/webhooks/{webhook_id}/test',
  'POST /api/crm/events/{event_id}/replay',
  'POST /admin/ingest/uploads',
  'GET /admin/records/{entity}/{identifier}',
  'GET /admin/records/{entity}/{identifier}/history',
  'GET /admin/ingest/uploads/{upload_id}',
  'POST /admin/ingest/runs/{id}/repeat',
  'POST /admin/sources/{source}/scope/lower',
  'DELETE /admin/users/{id}/grants/{grant_id}',
  'POST /admin/payments/{event_id}/close',
  'POST /admin/payments/reconcile',
  'GET /admin/invoices/{number}',
  'GET /admin/invoices/{number}/pdf',
  // What is drawn for an entity is seldom one that the registers, or the list, hold.
  'POST /api/watchlist/{watchlist_id}/entities',
  'DELETE /api/watchlist/{watchlist_id}/entities',
  'DELETE /admin/alerts/channels/{channel_id}',
  'POST /admin/alerts/messages/{message_id}/resend',
  'POST /admin/ledger/months/{month}/close',
  'POST /admin/payments/refund',
  'POST /admin/disputes/{id}/decide',
  'POST /admin/users/{id}/debt/collect',
  'POST /admin/users/{id}/debt/write-off',
  'GET /console/session',
  'DELETE /console/session',
  'POST /console/session',
  'DELETE /console/sessions/{id}',
])

beforeAll(async () => {
  await fillRegisters(database.db)
  await addExampleRecords(database.db)
})

test('thousands of random requests over all operations: never a fault of ours, always the documented shape', {
  timeout: figure(600_000, 1_200_000),
}, async () => {
  // The e-mail that the example of the erasure confirms.
  const callers = await callersOf(api, database, 'you@example.com')
  const operations = await operationsOf(api)
  console.log(`fuzzing ${operations.length} operations, seed ${seed} (PANJI_FUZZ_SEED sets another)`)

  const checker = await documentChecker(api)
  const corpus = growCorpus()
  const succeeded = new Set<string>()
  const fuzzBatch = async (batch: number, drawn: readonly ApiOperation[]): Promise<void> => {
    await resetLimits(database.db)
    const ids = await livingIds(api, database, callers)
    const onAnswer = (request: FuzzRequest, answered: string) => corpus.add(request, answered, ids)
    const arbitrary = fc.oneof(...drawn.map((operation) => requestFor(operation, ids)))
    const requests = fc.sample(arbitrary, { numRuns: perBatch, seed: seed + batch })
    const fuzzed = { server: api, checker, operations, callers, ids, atOnce, ...(corpusGrows ? { onAnswer } : {}) }
    const found = await fuzz(fuzzed, requests)
    expect(found.failures.slice(0, 5), `batch ${batch} of seed ${seed}`).toEqual([])
    for (const name of found.succeeded) succeeded.add(name)
    if (corpusGrows) corpus.write()
  }
  let batch = 0
  for (; batch * perBatch < requestsMin; batch++) await fuzzBatch(batch, operations)
  // What never succeeds is not fuzzed beyond its credentials. What seldom does is drawn alone.
  const never = () => operations.filter(({ name }) => !succeeded.has(name) && !needsWorld.has(name))
  for (const last = batch + 3; batch < last && never().length > 0; batch++) await fuzzBatch(batch, never())
  expect(never().map(({ name }) => name)).toEqual([])
})

test('each request of the corpus and a thousand random ones, one after the other: none keeps the event loop for more than 50 ms', {
  timeout: figure(600_000, 1_200_000),
}, async () => {
  const operations = await operationsOf(api)
  const checker = await documentChecker(api)
  const callers = await callersOf(api, database)
  for (let asked = 0; asked < timedMin; asked += perBatch) {
    await resetLimits(database.db)
    const ids = await livingIds(api, database, callers)
    const arbitrary = fc.oneof(...operations.map((operation) => requestFor(operation, ids)))
    const drawn = fc.sample(arbitrary, { numRuns: perBatch, seed: seed + 1_000_000 + asked })
    const kept = asked === 0 ? corpusOf(operations, ids) : []
    const requests = [...kept, ...drawn]
    if (asked === 0) expect(kept.length).toBeGreaterThan(operations.length)
    const { failures } = await fuzz({ server: api, checker, operations, callers, ids, atOnce: 1 }, requests)
    expect(failures.slice(0, 5), `after ${asked}, seed ${seed}`).toEqual([])
  }
})

test('each request of the corpus, asked by every account at once, is answered as documented and tells nobody of another', {
  timeout: figure(600_000, 1_200_000),
}, async () => {
  const operations = await operationsOf(api)
  const callers = await callersOf(api, database)
  await resetLimits(database.db)
  const ids = await livingIds(api, database, callers)
  const requests = corpusOf(operations, ids).flatMap((request) => callers.customers.map(() => request))
  const checker = await documentChecker(api)
  const { failures } = await fuzz({ server: api, checker, operations, callers, ids, atOnce }, requests)
  expect(failures.slice(0, 5)).toEqual([])
})

test('the same requests find a planted fault and a planted answer of another shape', async () => {
  const callers = await callersOf(planted, database)
  const operations = (await operationsOf(planted)).filter(({ path }) => path.startsWith('/api/planted/'))
  const checker = await documentChecker(planted)
  for (const operation of operations) {
    const requests = fc.sample(requestFor(operation, {}), { numRuns: 200, seed })
    const { failures } = await fuzz({ server: planted, checker, operations, callers, ids: {}, atOnce }, requests)
    expect([operation.name, failures.length > 0]).toEqual([operation.name, true])
  }
  expect(operations).toHaveLength(2)
})

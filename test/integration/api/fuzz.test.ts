/**
 * Random requests over every operation of the served OpenAPI document. Whatever comes in: no fault of ours, a status
 * the document names, a body of the documented shape, the headers that every response has, and nothing of another account. Four
 * accounts ask, and operators of each role.
 */
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { offers } from '../../../config/sales.ts'
import type { Routes } from '../../../src/api/route-context.ts'
import type { Db } from '../../../src/db/db.ts'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { type ErrorCode, errorCodes } from '../../../src/errors.ts'
import {
  createCustomer,
  freshAddress,
  type LoggedIn,
  logInCustomer,
  newCustomer,
  operatorToken,
  type TestApi,
  useApi,
} from '../../support/api.ts'
import {
  addCredits,
  addExampleRecords,
  appliedRun,
  fillRegisters,
  finishedRun,
  known,
  openFeeds,
  paidOrder,
  pendingOrder,
  resetLimits,
  waitingRun,
} from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type DocumentChecker, documentChecker, textOf } from '../../support/document-checker.ts'
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
const requestsMin = 20_000
const perBatch = 1_000
const atOnce = 16
const seed = Number(process.env['PANJI_FUZZ_SEED'] ?? 20_261_121)

/** What is wrong with an answer, in words; nothing when it keeps the document. `operation` is undefined where none has the method. */
function faultsOf(
  reply: LightMyRequestResponse,
  operation: ApiOperation | undefined,
  url: string,
  checker: DocumentChecker,
): string[] {
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const { statusCode: status, headers } = reply
  demand(status < 500, `status ${status}`)
  demand(headers['strict-transport-security'] !== undefined, 'no Strict-Transport-Security')
  demand(headers['x-content-type-options'] === 'nosniff', 'no nosniff')
  demand(headers['cache-control'] === 'no-store, private', 'Cache-Control')
  demand(typeof headers['x-request-id'] === 'string', 'no X-Request-Id')
  demand(headers['x-injected'] === undefined, 'a header was injected')
  const matched = operation !== undefined && status !== 400
  if (url.startsWith('/api/') && matched) demand(headers['x-ratelimit-limit'] !== undefined, 'no X-RateLimit-Limit')
  if (status >= 400) faults.push(...errorFaults(reply))
  if (!operation) demand([400, 404, 405, 413, 415].includes(status), `status ${status} for no operation`)
  return faults.length > 0 || !operation ? faults : checker.faultsOf(reply, operation)
}

/** Of every error body, also where no operation is documented. */
function errorFaults(reply: LightMyRequestResponse): string[] {
  const {
    detail,
    error_code: code,
    request_id: requestId,
  } = JSON.parse(textOf(reply)) as Partial<Record<string, string>>
  const faults: string[] = []
  if (!detail || !code) faults.push(`error body ${textOf(reply).slice(0, 200)}`)
  if (errorCodes[code as ErrorCode] !== reply.statusCode) faults.push(`${code} with status ${reply.statusCode}`)
  if (requestId !== reply.headers['x-request-id']) faults.push('request_id differs from X-Request-Id')
  if (/\n\s+at |node_modules|pg_catalog|SELECT .* FROM/.test(detail ?? '')) faults.push(`leak: ${detail}`)
  return faults
}

let operatorsMade = 0

interface Callers {
  readonly customers: readonly LoggedIn[]
  /** Calls that end an account act for this one. */
  readonly doomed: LoggedIn
  /** Logs out. */
  readonly leaver: LoggedIn
  /** Of a viewer, an operator and an owner. */
  readonly operators: readonly string[]
}

/** Accounts whose answers an answer to another account speaks of: their ids, which no caller here is ever told. */
function othersIn(reply: LightMyRequestResponse, token: string | undefined, { customers }: Callers): string[] {
  const others = customers.filter((each) => each.token !== token && customers.some((mine) => mine.token === token))
  const text = textOf(reply)
  return others
    .filter(({ accountId }) => text.includes(accountId))
    .map(({ accountId }) => `tells of account ${accountId}`)
}

async function send(server: TestApi, request: FuzzRequest, token: string | undefined): Promise<LightMyRequestResponse> {
  const { method, url, headers, body } = request
  return server.app.inject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).parse(method),
    url,
    // Logins fail here all the time; the throttle has tests of its own.
    remoteAddress: request.operation.guard === 'public' ? freshAddress() : '10.0.0.1',
    headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { payload: body }),
  })
}

function tokenFor(
  request: FuzzRequest,
  index: number,
  { customers, doomed, leaver, operators }: Callers,
): string | undefined {
  if (request.operation.guard === 'public') return undefined
  if (request.operation.guard === 'operator') return operators[index % operators.length]
  if (request.url.startsWith('/api/users/') && request.method === 'DELETE') return doomed.token
  if (request.url.startsWith('/api/auth/logout')) return leaver.token
  return customers[index % customers.length]?.token
}

const inWords = ({ method, url, headers, body }: FuzzRequest) =>
  `${method} ${url.slice(0, 400)} ${JSON.stringify(headers)} ${body?.slice(0, 600) ?? 'no body'}`

interface Fuzzed {
  readonly server: TestApi
  readonly checker: DocumentChecker
  readonly operations: readonly ApiOperation[]
}

/** Sends the requests, some at once; what was wrong comes back in words, and the operations that succeeded. */
async function fuzz(
  { server, checker, operations }: Fuzzed,
  requests: readonly FuzzRequest[],
  callers: Callers,
): Promise<{ readonly failures: readonly string[]; readonly succeeded: ReadonlySet<string> }> {
  const byName = new Map(operations.map((each) => [each.name, each]))
  const failures: string[] = []
  const succeeded = new Set<string>()
  const queue = requests.entries()
  const worker = async () => {
    for (const [index, request] of queue) {
      const token = tokenFor(request, index, callers)
      const reply = await send(server, request, token)
      const operation = byName.get(`${request.method} ${request.operation.path}`)
      const faults = [...faultsOf(reply, operation, request.url, checker), ...othersIn(reply, token, callers)]
      if (reply.statusCode < 300) succeeded.add(request.operation.name)
      if (faults.length > 0) failures.push(`${faults.join('; ')} | request ${index}: ${inWords(request)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { failures, succeeded }
}

async function callersOf(server: TestApi, db: Db, doomedEmail?: string): Promise<Callers> {
  const customers: LoggedIn[] = []
  for (let count = 0; count < 4; count++) {
    const customer = await newCustomer(server, database, { plan: 'premium', isEnterprise: true })
    await openFeeds(db, customer.accountId)
    await addCredits(db, customer.accountId, 1_000_000)
    customers.push(customer)
  }
  const doomed = await newCustomer(server, database, doomedEmail === undefined ? {} : { email: doomedEmail })
  // Most calls come from the owner, whom everything lets in.
  const operators = Array.from({ length: 5 }, () => operatorToken)
  for (const role of ['viewer', 'operator']) {
    const made = await server.post('/admin/operators', operatorToken, { name: `fuzz-${role}-${++operatorsMade}`, role })
    operators.push(String(made.json().token))
  }
  return { customers, doomed, leaver: await newCustomer(server, database), operators }
}

/** Made anew for every batch, since the batch before changed and deleted its own. */
async function livingIds(db: Db, owner: LoggedIn, doomed: LoggedIn) {
  const screener = { name: 'Goa', type: 'company', query: "State == 'Goa'" }
  const screeners = await Promise.all([1, 2].map(() => api.post('/api/screener/screeners', owner.token, screener)))
  const watchlist = { name: 'Mine', watchlist_type: 'company', entities: [{ identifier: known.cin, name: 'A' }] }
  const watchlists = await Promise.all([1, 2].map(() => api.post('/api/watchlist', owner.token, watchlist)))
  // An account holds only so many living keys; those that the batch before made are given back.
  await db.execute('UPDATE access.api_key SET revoked_at = now() WHERE last_used_at IS NULL')
  const customer = await createCustomer(db)
  const key = await api.post('/api/keys', owner.token, {})
  await logInCustomer(api, owner)
  const sessions = await api.get('/api/sessions', owner.token)
  const operator = `operator-${++operatorsMade}`
  await api.post('/admin/operators', operatorToken, { name: operator, role: 'viewer' })
  await api.post('/admin/schedules', operatorToken, { name: 'nightly', cron: '30 2 * * *', job: 'collect-words' })
  return {
    schedules: ['nightly'],
    months: [indianDayOf(new Date()).slice(0, 7)],
    sources: ['mca-companies', 'gst', 'mca-directors'],
    keys: [String(key.json().prefix), customer.apiKey.slice(0, 10)],
    sessions: [String(sessions.json().data[0].session_id)],
    operators: [operator],
    watchlist: watchlists.map((reply) => String(reply.json().data.id)),
    runs: [
      await finishedRun(db),
      await appliedRun(db),
      await waitingRun(db),
      await waitingRun(db),
      await waitingRun(db),
    ],
    screeners: screeners.map((reply) => String(reply.json().data.id)),
    orders: [await paidOrder(db, api, owner), await pendingOrder(db, owner.accountId)],
    // The doomed account may already have erased itself.
    users: [doomed.accountId, customer.accountId],
    offers: offers.map(({ id }) => id),
  }
}

/**
 * API keys and refresh tokens cannot be guessed. What is paid, delivered, ingested or signed in to in a browser needs a
 * world of its own; the walk of the document (test/conformance/document.test.ts) makes one for each.
 */
const needsWorld = new Set([
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
  'POST /api/crm/destinations/{destination_id}/test',
  'POST /api/crm/destinations/{destination_id}/pause',
  'POST /api/crm/destinations/{destination_id}/resume',
  'POST /api/crm/destinations/connect/finish',
  'GET /api/crm/destinations/{destination_id}/mapping',
  'PUT /api/crm/destinations/{destination_id}/mapping',
  'POST /api/crm/destinations/{destination_id}/mapping/preview',
  'POST /api/crm/destinations/{destination_id}/test-row',
  'POST /api/crm/orders/{order_id}/plan',
  'POST /api/crm/orders/{order_id}/push',
  'GET /api/crm/deliveries/{delivery_id}/receipt',
  'POST /api/crm/deliveries/{delivery_id}/sandbox',
  'POST /api/crm/deliveries/{delivery_id}/retry',
  'POST /api/crm/deliveries/fix',
  'DELETE /api/crm/webhooks/{webhook_id}',
  'POST /api/crm/events/{event_id}/replay',
  'POST /admin/ingest/uploads',
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

test('20,000 random requests over all operations: never a fault of ours, always the documented shape', {
  timeout: 240_000,
}, async () => {
  const { db } = database
  // The e-mail that the example of the erasure confirms.
  const callers = await callersOf(api, db, 'you@example.com')
  const [owner = callers.doomed] = callers.customers
  const operations = await operationsOf(api)
  console.log(`fuzzing ${operations.length} operations, seed ${seed} (PANJI_FUZZ_SEED sets another)`)

  const fuzzed = { server: api, checker: await documentChecker(api), operations }
  const succeeded = new Set<string>()
  for (let batch = 0; batch * perBatch < requestsMin; batch++) {
    await resetLimits(db)
    const ids = await livingIds(db, owner, callers.doomed)
    const arbitrary = fc.oneof(...operations.map((operation) => requestFor(operation, ids)))
    const requests = fc.sample(arbitrary, { numRuns: perBatch, seed: seed + batch })
    const found = await fuzz(fuzzed, requests, callers)
    expect(found.failures.slice(0, 5), `batch ${batch} of seed ${seed}`).toEqual([])
    for (const name of found.succeeded) succeeded.add(name)
  }
  // What never succeeds is not fuzzed beyond its credentials.
  const never = operations.map(({ name }) => name).filter((name) => !succeeded.has(name))
  expect(never.filter((name) => !needsWorld.has(name))).toEqual([])
})

test('the same requests find a planted fault and a planted answer of another shape', async () => {
  const callers = await callersOf(planted, database.db)
  const operations = (await operationsOf(planted)).filter(({ path }) => path.startsWith('/api/planted/'))
  const fuzzed = { server: planted, checker: await documentChecker(planted), operations }
  for (const operation of operations) {
    const requests = fc.sample(requestFor(operation, {}), { numRuns: 200, seed })
    const { failures } = await fuzz(fuzzed, requests, callers)
    expect([operation.name, failures.length > 0]).toEqual([operation.name, true])
  }
  expect(operations).toHaveLength(2)
})

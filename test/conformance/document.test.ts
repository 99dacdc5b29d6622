/**
 * The OpenAPI document against the running API: every operation is called as its examples say and answers with a
 * success of the documented shape; every refusal is a documented one. Random requests: test/integration/api/fuzz.test.ts.
 */
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { offers, plans } from '../../config/sales.ts'
import { openApiDocument } from '../../src/api/document.ts'
import {
  createCustomer,
  freshAddress,
  type LoggedIn,
  logInCustomer,
  newCustomer,
  operatorToken,
  useApi,
} from '../support/api.ts'
import {
  addCredits,
  addExampleRecords,
  alertChannel,
  appliedRun,
  failedAlert,
  fillRegisters,
  finishedRun,
  givenSubscription,
  issuedInvoice,
  known,
  openFeeds,
  openPaymentEvent,
  owingAccount,
  paidOrder,
  pendingOrder,
  pendingPurchase,
  previewedRun,
  resetLimits,
  waitingRun,
  waitingStanding,
} from '../support/api-world.ts'
import { useCrmWorld } from '../support/crm-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { type DocumentChecker, documentChecker } from '../support/document-checker.ts'
import { type ApiOperation, operationsOf } from '../support/openapi.ts'
import { addFactor, factorOf, invited, newPerson, type SignedIn, totpOf } from '../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)
const crm = useCrmWorld(database)
let owner: LoggedIn
let operations: ApiOperation[]
let checker: DocumentChecker

beforeAll(async () => {
  const { db } = database
  await fillRegisters(db)
  await addExampleRecords(db)
  owner = await customer()
  operations = await operationsOf(api)
  checker = await documentChecker(api)
})

async function customer(): Promise<LoggedIn> {
  const made = await newCustomer(api, database, { plan: 'premium' })
  await openFeeds(database.db, made.accountId)
  await addCredits(database.db, made.accountId, 2000)
  return made
}

const idOf = (reply: LightMyRequestResponse) => reply.json<{ data: { id: string } }>().data.id
const freeOffer = async () => offers.find(({ price }) => price === 0)?.id ?? ''
let lastAccount = ''
let operatorsMade = 0
let destinationsMade = 0
async function account(): Promise<string> {
  lastAccount = (await createCustomer(database.db)).accountId
  return lastAccount
}

/** How what a path names is made, by the path before its id, or by the whole path. */
const resources: Readonly<Record<string, () => Promise<string>>> = {
  '/api/offers': freeOffer,
  '/api/offers/{id}/buy': async () => offers.find(({ price }) => price > 0)?.id ?? '',
  '/api/plans': async () => plans[0].id,
  '/api/subscriptions': () => givenSubscription(database.db, owner.accountId),
  '/api/screener/screeners': async () =>
    idOf(
      await api.post('/api/screener/screeners', owner.token, { name: 'Goa', type: 'company', query: "State == 'Goa'" }),
    ),
  '/api/watchlist': async () =>
    idOf(await api.post('/api/watchlist', owner.token, { name: 'Mine', watchlist_type: 'company' })),
  '/api/orders/{id}/items': async () => '0',
  '/api/standing-orders': () => waitingStanding(database.db, owner.accountId),
  '/admin/orders': async () => paidOrder(database.db, api, await customer()),
  '/admin/sources': async () => 'mca-companies',
  '/admin/ledger/months': async () => '2026-04',
  '/admin/schedules': async () => {
    const nightly = { name: 'nightly', cron: '30 2 * * *', job: 'collect-words' }
    return (await api.post('/admin/schedules', operatorToken, nightly)).json<{ name: string }>().name
  },
  '/admin/disputes': async () => {
    const { url, body, token } = await disputing()
    return (await api.post(url, token, body)).json<{ dispute_id: string }>().dispute_id
  },
  '/api/credits/purchases': () => pendingPurchase(database.db, owner.accountId),
  '/api/invoices': () => issuedInvoice(database.db, owner.accountId),
  '/admin/invoices': () => issuedInvoice(database.db, owner.accountId),
  '/api/orders': () => paidOrder(database.db, api, owner),
  '/api/orders/{id}/cancel': () => pendingOrder(database.db, owner.accountId),
  '/api/crm/orders': () => paidOrder(database.db, api, owner),
  '/admin/users': account,
  '/admin/users/{id}/debt/collect': async () => owingAccount(database.db, await account()),
  '/admin/users/{id}/debt/write-off': async () => owingAccount(database.db, await account()),
  '/admin/users/{id}/offers': freeOffer,
  '/admin/ingest/runs': () => finishedRun(database.db),
  '/admin/ingest/runs/{id}/repeat {id}': () => previewedRun(database.db),
  '/admin/ingest/uploads': sentFile,
  '/admin/records': async () => 'company',
  '/admin/records/{entity}/{identifier} {identifier}': async () => known.cin,
  '/admin/records/{entity}/{identifier}/history {identifier}': async () => known.cin,
  '/admin/alerts/channels': () => alertChannel(database.db),
  '/admin/alerts/messages': () => failedAlert(database.db),
  '/admin/payments': () => openPaymentEvent(database.db),
  '/admin/ingest/runs/{id}/approve {id}': () => waitingRun(database.db),
  '/admin/ingest/runs/{id}/discard {id}': () => waitingRun(database.db),
  '/admin/ingest/runs/{id}/cancel {id}': () => waitingRun(database.db),
  '/admin/ingest/runs/{id}/preview {id}': () => waitingRun(database.db),
  '/admin/ingest/runs/{id}/undo {id}': () => appliedRun(database.db),
  '/api/keys': async () => (await api.post('/api/keys', owner.token, {})).json<{ prefix: string }>().prefix,
  '/api/team': async () => (await invited(database, owner.accountId, 'buyer')).personId,
  '/admin/users/{id}/people/{person_id}/link {person_id}': async () =>
    (await invited(database, lastAccount, 'buyer')).personId,
  '/admin/users/{id}/destinations/{destination_id} {destination_id}': () => crm.destination(lastAccount),
  '/admin/users/{id}/destinations/{destination_id}/test {destination_id}': () => crm.destination(lastAccount),
  '/admin/users/{id}/destinations/{destination_id}/pause {destination_id}': () => crm.destination(lastAccount),
  '/admin/users/{id}/destinations/{destination_id}/resume {destination_id}': () => crm.destination(lastAccount),
  '/api/team/{person_id}/second-factor {person_id}': async () => {
    const { personId } = await invited(database, owner.accountId, 'buyer')
    await addFactor(database, personId)
    return personId
  },
  '/api/sessions': async () => {
    await logInCustomer(api, owner)
    return (
      (await api.get('/api/sessions', owner.token)).json<{ data: { session_id: string }[] }>().data[0]?.session_id ?? ''
    )
  },
  '/admin/users/{id}/keys/{prefix} {prefix}': async () => {
    const { data } = (await api.get(`/admin/users/${lastAccount}/keys`, operatorToken)).json<{
      data: { prefix: string }[]
    }>()
    return data[0]?.prefix ?? ''
  },
  '/api/crm/destinations': () => crm.destination(owner.accountId),
  '/api/crm/webhooks': () => crm.webhook(owner.accountId),
  '/api/crm/events': () => crm.event(owner.accountId),
  '/api/crm/deliveries': () => crm.delivery(owner.accountId),
  '/admin/deliveries': () => crm.delivery(owner.accountId),
  '/admin/users/{id}/grants/{grant_id} {grant_id}': async () =>
    (await api.post(`/admin/users/${lastAccount}/grants`, operatorToken, { dataset: 'gst' })).json<{
      grant_id: string
    }>().grant_id,
  '/console/sessions': async () => {
    await signIn('console', { token: operatorToken })
    return (
      (await api.get('/console/sessions', operatorToken)).json<{ data: { session_id: string }[] }>().data[0]
        ?.session_id ?? ''
    )
  },
  '/admin/operators': async () => {
    const name = `operator-${++operatorsMade}`
    await api.post('/admin/operators', operatorToken, { name, role: 'viewer' })
    return name
  },
}

async function sentFile(): Promise<string> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/octet-stream' }
  const url = '/admin/ingest/uploads?filename=a.csv'
  const reply = await api.app.inject({ method: 'POST', url, headers, payload: 'a,b\n1,2\n' })
  return reply.json<{ upload_id: string }>().upload_id
}

async function signIn(door: 'console' | 'app', payload: object): Promise<Record<string, string>> {
  const reply = await api.post(`/${door}/session`, undefined, payload)
  const [cookie] = reply.cookies
  return {
    cookie: `${cookie?.name}=${cookie?.value}`,
    'x-csrf-token': reply.json<{ csrf_token: string }>().csrf_token,
  }
}

test('each operation says whether it only reads, destroys, and may be repeated', async () => {
  const { paths } = (await openApiDocument()) as { paths: Record<string, Record<string, Record<string, unknown>>> }
  const effects = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]) => {
      const [reads, destroys, repeats] = ['x-read-only', 'x-destructive', 'x-idempotent'].map((name) => told[name])
      return { name: `${method.toUpperCase()} ${path}`, reads, destroys, repeats }
    }),
  )
  expect(effects.filter((each) => Object.values(each).includes(undefined))).toEqual([])
  expect(effects.filter(({ reads, destroys, repeats }) => reads && (destroys || !repeats))).toEqual([])
  const keyed = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
  expect(keyed.length).toBeGreaterThan(10)
  expect(keyed.filter((each) => each['x-read-only']).map(({ name }) => name)).toEqual([])
  const named = (name: string) => effects.find((each) => each.name === name)
  expect(named('POST /api/screener/search')).toMatchObject({ reads: true })
  expect(named('POST /api/auth/refresh-token')).toMatchObject({ reads: false })
  expect(named('POST /api/crm/newlead')).toMatchObject({ reads: false, destroys: false, repeats: false })
  expect(named('POST /api/orders/normal')).toMatchObject({ reads: false, destroys: false, repeats: false })
  expect(named('POST /admin/ingest/runs/{id}/undo')).toMatchObject({ reads: false, destroys: true })
  expect(named('DELETE /admin/operators/{name}')).toMatchObject({ reads: false, destroys: true, repeats: true })
})

test('each operation says the scopes and the role that it asks for, as its refusals name them', async () => {
  const { paths } = (await openApiDocument()) as { paths: Record<string, Record<string, Record<string, unknown>>> }
  const told = operations.map((operation) => {
    const said = paths[operation.path]?.[operation.method.toLowerCase()]
    return { ...operation, scopes: said?.['x-scopes'], role: said?.['x-role'] }
  })
  const isTold = ({ guard, scopes, role }: (typeof told)[number]) =>
    (guard === 'account') === Array.isArray(scopes) && (guard === 'public') === (role === undefined)
  const ofTokens = told.filter(({ path }) => !/^\/(app|console)\//.test(path))
  expect(ofTokens.filter((each) => !isTold(each)).map(({ name }) => name)).toEqual([])

  const owner = await newCustomer(api, database)
  const asked = { scopes: ['deliver'], name: 'delivers alone' }
  const { api_key: apiKey } = (await api.post('/api/keys', owner.token, asked)).json<{ api_key: string }>()
  const { token } = await logInCustomer(api, { ...owner, apiKey })
  const ofKey = told.filter(
    ({ guard, path }) => guard === 'account' && path.startsWith('/api/') && !path.startsWith('/api/auth/'),
  )
  for (const { method, path, name, scopes } of ofKey) {
    const url = path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const headers = { authorization: `Bearer ${token}` }
    const answer = await api.app.inject({
      method,
      url,
      headers,
      ...(method === 'GET' ? {} : { payload: { unknown_member: true } }),
    })
    const lacks = (scopes as string[]).filter((scope) => scope !== 'deliver')
    const refusal = answer.json<{ error_code?: string; missing_scopes?: string[] }>()
    expect([name, refusal.error_code === 'SCOPE_MISSING' ? refusal.missing_scopes : []]).toEqual([name, lacks])
  }
})

/** Of these, the descriptions say, one is needed. */
const alternatives = ['code']

/** With what is needed, and the optional parameter that is tried. */
async function urlOf(operation: ApiOperation, tried?: string): Promise<string> {
  let path = operation.path
  for (const [parameter] of operation.path.matchAll(/\{\w+\}/g)) {
    const before = operation.path.slice(0, operation.path.indexOf(parameter) - 1)
    const make = resources[`${operation.path} ${parameter}`] ?? resources[operation.path] ?? resources[before]
    if (!make) throw new Error(`say in this file how the resource of ${operation.name} is made`)
    path = path.replace(parameter, await make())
  }
  const query = operation.parameters.filter(
    ({ in: place, name, required }) =>
      place === 'query' && (required === true || alternatives.includes(name) || name === tried),
  )
  return `${path}?${query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&')}`
}

interface Request {
  readonly url: string
  readonly body?: unknown
  readonly token?: string | undefined
  /** In place of the token. */
  readonly headers?: Readonly<Record<string, string>>
}

/** By cookie, with no token. */
const signedInAs = ({ headers }: SignedIn) => ({ headers, token: undefined })

/** What the document cannot show: secrets, and what has to happen before. */
async function completed(operation: ApiOperation): Promise<Request> {
  const url = await urlOf(operation)
  const body = operation.requestBody?.content['application/json']?.example
  switch (operation.name) {
    case 'POST /api/auth/login':
      return { url, body: { api_key: owner.apiKey } }
    case 'POST /app/session':
      return { url, body: { api_key: owner.apiKey } }
    case 'POST /admin/ingest/uploads':
      return { url, body: Buffer.from('DIN,Status,Name\n'), headers: { 'content-type': 'application/octet-stream' } }
    case 'POST /console/session':
      return { url, body: { token: operatorToken } }
    case 'GET /app/session':
    case 'DELETE /app/session':
      return { url, headers: await signIn('app', { api_key: owner.apiKey }) }
    case 'POST /api/second-factor':
      return { url, body, ...signedInAs(await newPerson(api, database, owner.accountId, 'viewer')) }
    case 'POST /api/second-factor/confirm': {
      const person = await newPerson(api, database, owner.accountId, 'viewer')
      const { secret } = (await person.call('POST', '/api/second-factor', {})).json<{ secret: string }>()
      return { url, body: { totp: await totpOf(database, secret, 0) }, ...signedInAs(person) }
    }
    case 'DELETE /api/team/{person_id}/second-factor':
      return { url, ...signedInAs(await newPerson(api, database, owner.accountId, 'admin')) }
    case 'DELETE /api/second-factor': {
      const person = await newPerson(api, database, owner.accountId, 'viewer')
      const { recovery } = await factorOf(database, person)
      return { url, body: { totp: recovery[0] }, ...signedInAs(person) }
    }
    case 'GET /console/session':
    case 'DELETE /console/session':
      return { url, headers: await signIn('console', { token: operatorToken }) }
    case 'POST /api/auth/refresh-token':
      return { url, body: { refresh_token: owner.refreshToken } }
    case 'POST /api/orders/export':
      return { url, body: { order_ids: [await paidOrder(database.db, api, owner)], format: 'csv' } }
    case 'DELETE /api/users/me/account':
      return erasing(url)
    case 'POST /api/auth/logout':
      return { url, body, token: (await customer()).token }
    case 'POST /api/orders/{id}/items/{n}/dispute':
      return disputing()
    case 'POST /api/crm/destinations':
      return { url, body: { ...(body as object), name: `Destination ${++destinationsMade}` } }
    case 'POST /api/crm/destinations/connect/finish':
      await crm.destination(owner.accountId)
      return { url, body: { word: await crm.word(api, owner.token) } }
    case 'PUT /api/crm/destinations/{destination_id}/mapping':
      return { url, body: { fields: [] } }
    case 'POST /api/crm/destinations/{destination_id}/resend':
    case 'POST /api/crm/destinations/{destination_id}/resend/plan':
      return { url, body: {} }
    case 'POST /api/crm/deliveries/fix':
      return {
        url,
        body: { rows: [{ delivery_id: await crm.delivery(owner.accountId), values: { Email: 'office@example.in' } }] },
      }
    case 'POST /api/crm/orders/{order_id}/plan':
    case 'POST /api/crm/orders/{order_id}/push':
      return { url, body: { destination_id: await crm.destination(owner.accountId) } }
    case 'POST /admin/operators':
      return { url, body: { ...(body as object), name: `operator-${++operatorsMade}` } }
    case 'POST /admin/security/unblock-ip':
      await api.post('/admin/security/block-ip', operatorToken, body as object)
      return { url, body }
    default:
      return { url, body }
  }
}

/** What an account bought before is not charged again, so each dispute has a buyer of its own. */
async function disputing(): Promise<{ url: string; body: object; token: string }> {
  const buyer = await customer()
  const orderId = await paidOrder(database.db, api, buyer)
  return { url: `/api/orders/${orderId}/items/0/dispute`, body: { reason: 'Nobody answers.' }, token: buyer.token }
}

async function erasing(url: string): Promise<{ url: string; body: object; token: string }> {
  const { token } = await customer()
  const { email } = (await api.get('/api/users/me', token)).json<{ email: string }>()
  return { url, body: { confirm: email }, token }
}

async function send(operation: ApiOperation, request: Request) {
  const { url, body, token, headers = {} } = request
  return api.app.inject({
    method: operation.method,
    url,
    remoteAddress: freshAddress(),
    headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body as object }),
  })
}

const tokenFor = ({ guard }: ApiOperation) => {
  if (guard === 'public') return {}
  return { token: guard === 'operator' ? operatorToken : owner.token }
}

const needingMore = ['POST /api/credits/purchase', 'POST /admin/payments/reconcile', 'POST /admin/payments/refund']
const successes = [200, 201, 202, 204]

describe('every operation of the document', () => {
  test('answers its own example with a success of the documented shape', async () => {
    const outcomes: unknown[] = []
    for (const operation of operations) {
      const request = await completed(operation)
      const reply = await send(operation, { ...tokenFor(operation), ...request })
      const success = successes.includes(reply.statusCode)
      // Without a processor nothing is sold; test/integration/orders/payment-sandbox.test.ts has one.
      if (needingMore.includes(operation.name) && reply.statusCode === 400) continue
      const faults = success ? checker.faultsOf(reply, operation) : [reply.body]
      if (faults.length > 0) outcomes.push([operation.name, reply.statusCode, faults])
    }
    expect(outcomes).toEqual([])
    expect(operations.length).toBeGreaterThan(50)
  }, 180_000)

  test('takes each optional parameter as its example says', async () => {
    const outcomes: unknown[] = []
    let tried = 0
    for (const operation of operations) {
      for (const { name } of operation.parameters.filter((each) => each.in === 'query' && !each.required)) {
        // A cursor is of one list alone, and these records have no history.
        const refusals: Readonly<Record<string, number[]>> = { cursor: [400, 422], as_of: [404] }
        const request = await completed(operation)
        const reply = await send(operation, { ...tokenFor(operation), ...request, url: await urlOf(operation, name) })
        const isExpected = [...successes, ...(refusals[name] ?? [])].includes(reply.statusCode)
        const faults = isExpected ? checker.faultsOf(reply, operation) : [reply.body]
        if (faults.length > 0) outcomes.push([operation.name, name, reply.statusCode, faults])
        tried++
      }
    }
    expect(outcomes).toEqual([])
    expect(tried).toBeGreaterThan(50)
  }, 120_000)

  test('is the same in the document that is made without a server', async () => {
    const { servers, ...served } = (await api.get('/openapi.json')).json()
    expect(servers).toHaveLength(1)
    expect(JSON.parse(JSON.stringify(await openApiDocument()))).toEqual(served)
  })

  test('shows an example of every body', () => {
    const bodies = operations.flatMap(({ name, requestBody }) => {
      const json = requestBody?.content['application/json']
      return json ? [{ name, example: json.example ?? json.examples ?? json.schema['examples'] }] : []
    })
    expect(bodies.filter(({ example }) => example === undefined)).toEqual([])
    expect(bodies.length).toBeGreaterThan(50)
  })

  test('shows examples that its own schemas allow', () => {
    const faults = operations.map((operation) => [operation.name, checker.exampleFaultsOf(operation)])
    expect(faults).toEqual(operations.map(({ name }) => [name, []]))
    const [login] = operations.filter(({ name }) => name === 'POST /api/auth/login')
    expect(login?.responses['200']?.content?.['application/json']?.example).toMatchObject({ message: 'Logged in.' })
  })

  test('refuses what is not documented with a documented error: no token, no such thing, a body of another type', async () => {
    const seen = new Set<number>()
    for (const operation of operations) {
      // The owner's calls of a minute are fewer than this walk makes.
      await resetLimits(database.db)
      const { url, body } = await completed(operation)
      const calls = [
        { url, body },
        { url: url.replace(/\/[0-9a-f-]{36}/g, '/nothing'), body, ...tokenFor(operation) },
        { url, body: [7], ...tokenFor(operation) },
        { url: `${url}&limit=many&page=0&format=x&as_of=x&type=x`, body: undefined, ...tokenFor(operation) },
        { url: `${url}&as_of=2026-02-30`, body, ...tokenFor(operation) },
      ]
      // What would succeed would have its effect: an account erases itself, a session ends.
      const lasting = ['/api/users/me/account', '/api/auth/logout'].includes(operation.path)
      for (const call of lasting ? calls.slice(0, 1) : calls) {
        const reply = await send(operation, call)
        expect([operation.name, call, checker.faultsOf(reply, operation)]).toEqual([operation.name, call, []])
        seen.add(reply.statusCode)
      }
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining([400, 401, 404, 422]))
  }, 180_000)

  test('an answer of another shape, an undocumented code and an undocumented status are noticed', async () => {
    const operation = operations.find(({ name }) => name === 'GET /api/users/me')
    if (!operation) throw new Error('GET /api/users/me is not in the document')
    // Of somebody who has calls left in this minute.
    const reply = await send(operation, { url: operation.path, token: (await customer()).token })
    const altered = (statusCode: number, body: object) =>
      Object.assign(Object.create(reply) as LightMyRequestResponse, {
        statusCode,
        body: JSON.stringify(body),
        json: () => body,
      })
    const profile = reply.json<Record<string, unknown>>()
    expect(checker.faultsOf(reply, operation)).toEqual([])
    expect(checker.faultsOf(altered(200, { ...profile, email: 7 }), operation)).toEqual(['/email must be string'])
    expect(checker.faultsOf(altered(200, { ...profile, more: 1 }), operation)).toHaveLength(1)
    expect(checker.faultsOf(altered(200, { ...profile, email: 'nobody' }), operation)).toEqual([
      '/email must match format "email"',
    ])
    const named = altered(200, profile)
    Object.assign(named, { headers: { ...reply.headers, 'x-unheard-of': '1' } })
    expect(checker.faultsOf(named, operation)).toEqual(['header x-unheard-of is not documented'])
    const error = { detail: 'x', error_code: 'CONFLICT', request_id: 'x' }
    expect(checker.faultsOf(altered(409, error), operation)).toEqual(['status 409 is not documented'])
    expect(checker.faultsOf(altered(401, error), operation)).toEqual(['401 CONFLICT is not documented'])
    const incomplete = { error_code: 'TOKEN_EXPIRED', request_id: 'x', doc_url: '/docs/errors#TOKEN_EXPIRED' }
    expect(checker.faultsOf(altered(401, incomplete), operation)).toEqual([" must have required property 'detail'"])
  })
})

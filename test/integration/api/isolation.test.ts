/**
 * Who gets what answer: every operation of the served OpenAPI document × every kind of caller. An operation that is
 * added joins by itself; one with an id must say below how its resource is made, or this file fails.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { offers, plans } from '../../../config/sales.ts'
import { suspendAccount } from '../../../src/access/accounts.ts'
import {
  createCustomer,
  freshAddress,
  type LoggedIn,
  logInCustomer,
  newCustomer,
  operatorToken,
  useApi,
} from '../../support/api.ts'
import {
  addCredits,
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
  waitingRun,
  waitingStanding,
} from '../../support/api-world.ts'
import { useCrmWorld } from '../../support/crm-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { forgeToken } from '../../support/forged-token.ts'
import { type ApiOperation, operationsOf } from '../../support/openapi.ts'
import { addFactor, invited } from '../../support/person.ts'

const database = useTestDatabase()
const api = useApi(database)
const crm = useCrmWorld(database)
const tokens: Record<'expired' | 'suspended' | 'other audience' | 'raw key' | 'ended session', string> = {
  expired: '',
  suspended: '',
  'other audience': '',
  'raw key': '',
  'ended session': '',
}
let owner: LoggedIn
let other: LoggedIn
let operations: ApiOperation[]

beforeAll(async () => {
  const { db } = database
  await fillRegisters(db)
  operations = await operationsOf(api)
  owner = await customer()
  other = await customer()
  const now = Math.floor(Date.now() / 1000)
  tokens.expired = await forgeToken(db, owner, { iat: now - 7200, exp: now - 3600 })
  tokens['other audience'] = await forgeToken(db, owner, { aud: 'web' })
  tokens['raw key'] = owner.apiKey
  const suspended = await customer()
  await db.transaction((tx) => suspendAccount(tx, suspended.accountId))
  tokens.suspended = suspended.token
  const ended = await customer()
  await db.execute('UPDATE access.session SET revoked_at = now() WHERE account_id = $1', [ended.accountId])
  tokens['ended session'] = ended.token
})

async function customer(): Promise<LoggedIn> {
  const made = await newCustomer(api, database, { plan: 'premium', isEnterprise: true })
  await openFeeds(database.db, made.accountId)
  await addCredits(database.db, made.accountId, 2000)
  return made
}

async function savedScreener(): Promise<string> {
  const screener = { name: 'Goa', type: 'company', query: "State == 'Goa'" }
  const reply = await api.post('/api/screener/screeners', owner.token, screener)
  return reply.json<{ data: { id: string } }>().data.id
}
async function watchlist(): Promise<string> {
  const list = { name: 'Mine', watchlist_type: 'company', entities: [{ identifier: known.cin, name: 'A' }] }
  const reply = await api.post('/api/watchlist', owner.token, list)
  return reply.json<{ data: { id: string } }>().data.id
}
/** Another key of the owner's, or a session that it opened. */
async function ownKey(): Promise<string> {
  return (await api.post('/api/keys', owner.token, {})).json<{ key_id: string }>().key_id
}
async function sentFile(): Promise<string> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/octet-stream' }
  const url = '/admin/ingest/uploads?filename=a.csv'
  const reply = await api.app.inject({ method: 'POST', url, headers, payload: 'a,b\n1,2\n' })
  return reply.json<{ upload_id: string }>().upload_id
}
async function ownSession(): Promise<string> {
  await logInCustomer(api, owner)
  const { data } = (await api.get('/api/sessions', owner.token)).json<{ data: { session_id: string }[] }>()
  return data[0]?.session_id ?? ''
}
const ownPerson = async () => (await invited(database, owner.accountId, 'buyer')).personId
async function ownFactor(): Promise<string> {
  const personId = await ownPerson()
  await addFactor(database, personId)
  return personId
}
let somebodys = ''
async function keyOfSomebody(): Promise<string> {
  somebodys = await somebody()
  const { data } = (await api.get(`/admin/users/${somebodys}/keys`, operatorToken)).json<{
    data: { prefix: string }[]
  }>()
  return data[0]?.prefix ?? ''
}
async function personOfSomebody(): Promise<string> {
  somebodys = await somebody()
  return (await invited(database, somebodys, 'buyer')).personId
}
const owingSomebody = async () => owingAccount(database.db, await somebody())
async function grantOfSomebody(): Promise<string> {
  somebodys = await somebody()
  const made = await api.post(`/admin/users/${somebodys}/grants`, operatorToken, { dataset: 'gst' })
  return made.json<{ grant_id: string }>().grant_id
}
async function consoleSession(): Promise<string> {
  await api.post('/console/session', undefined, { token: operatorToken })
  const { data } = (await api.get('/console/sessions', operatorToken)).json<{ data: { session_id: string }[] }>()
  return data[0]?.session_id ?? ''
}
let operatorsMade = 0
async function storedOperator(): Promise<string> {
  const name = `stored-${++operatorsMade}`
  await api.post('/admin/operators', operatorToken, { name, role: 'viewer' })
  return name
}
async function schedule(): Promise<string> {
  const nightly = { name: 'nightly', cron: '30 2 * * *', job: 'collect-words' }
  return (await api.post('/admin/schedules', operatorToken, nightly)).json<{ name: string }>().name
}
const destination = () => crm.destination(owner.accountId)
let into: string = known.uuid
async function deliverable(): Promise<string> {
  into = await destination()
  return paid()
}
const entity = { entities: [{ identifier: known.llpin, name: 'B' }] }
const pricedOffer = async () => offers.find(({ price }) => price > 0)?.id ?? ''
const freeOffer = async () => offers.find(({ price }) => price === 0)?.id ?? ''
const standing = () => waitingStanding(database.db, owner.accountId)
const paid = () => paidOrder(database.db, api, owner)
/** Nothing that was bought before: each item is charged. */
async function paidAnew(): Promise<string> {
  await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - interval '40 days'`)
  return paid()
}
async function dispute(): Promise<string> {
  const orderId = await paidAnew()
  const reply = await api.post(`/api/orders/${orderId}/items/0/dispute`, owner.token, { reason: 'rings at a bakery' })
  return reply.json<{ dispute_id: string }>().dispute_id
}
const somebody = async () => (await createCustomer(database.db)).accountId

/** How the resource of an operation with an id is made for the owner, and what the owner then sends and sees. */
interface Resource {
  readonly make: () => Promise<string>
  readonly body?: object | (() => object)
  readonly query?: string
  /** Where the path holds other ids beside the one in question. */
  readonly path?: (id: string) => string
  readonly status?: number
  /** Belongs to nobody, so every account may act on it. */
  readonly shared?: boolean
}
const resources: Record<string, Resource> = {
  'GET /api/screener/screeners/{screener_id}': { make: savedScreener },
  'PUT /api/screener/screeners/{screener_id}': { make: savedScreener, body: { name: 'Other name' } },
  'DELETE /api/screener/screeners/{screener_id}': { make: savedScreener },
  'POST /api/screener/screeners/{screener_id}/run': { make: savedScreener },
  'GET /api/standing-orders/{id}': { make: standing },
  'PATCH /api/standing-orders/{id}': { make: standing, body: { name: 'Other name' } },
  'POST /api/standing-orders/{id}/pause': { make: standing },
  'POST /api/standing-orders/{id}/resume': { make: standing },
  'POST /api/standing-orders/{id}/end': { make: standing },
  'GET /api/standing-orders/{id}/preview': { make: standing },
  'GET /api/standing-orders/{id}/runs': { make: standing },
  'POST /api/standing-orders/{id}/approve': { make: standing },
  'POST /api/standing-orders/{id}/skip': { make: standing },
  'GET /api/orders/{id}': { make: paid },
  'POST /api/orders/{id}/cancel': { make: () => pendingOrder(database.db, owner.accountId) },
  'GET /api/orders/{id}/export': { make: paid },
  'GET /api/orders/{id}/trace': { make: paid },
  'POST /api/orders/{id}/reclaim': { make: paid },
  'POST /api/orders/{id}/items/{n}/dispute': {
    make: paidAnew,
    path: (id) => `/api/orders/${id}/items/0/dispute`,
    body: { reason: 'rings at a bakery' },
    status: 201,
  },
  'GET /admin/orders/{id}': { make: paid },
  'POST /admin/orders/{id}/refund': { make: paid, body: { reason: 'wrong' } },
  'POST /admin/disputes/{id}/decide': { make: dispute, body: { decision: 'reject', reason: 'right' } },
  'GET /api/crm/orders/{order_id}/leads': { make: paid },
  'POST /admin/users/{id}/suspend': { make: somebody },
  'POST /admin/users/{id}/unsuspend': { make: somebody },
  'GET /api/watchlist/{watchlist_id}': { make: watchlist },
  'PUT /api/watchlist/{watchlist_id}': { make: watchlist, body: { name: 'Other name' } },
  'DELETE /api/watchlist/{watchlist_id}': { make: watchlist },
  'POST /api/watchlist/{watchlist_id}/entities': { make: watchlist, body: entity },
  'DELETE /api/watchlist/{watchlist_id}/entities': { make: watchlist, query: `?identifiers=${known.cin}` },
  'DELETE /api/keys/{prefix}': { make: ownKey },
  'GET /api/keys/{prefix}/requests': { make: ownKey },
  'DELETE /api/sessions/{id}': { make: ownSession },
  'PATCH /api/team/{person_id}': { make: ownPerson, body: { role: 'viewer' } },
  'DELETE /api/team/{person_id}': { make: ownPerson },
  // For signed-in admins: a key of the account is refused, and a key of another one finds nobody.
  'DELETE /api/team/{person_id}/second-factor': { make: ownFactor, status: 409 },
  'GET /admin/users/{id}/keys': { make: somebody },
  'POST /admin/users/{id}/keys': { make: somebody, status: 201 },
  'DELETE /admin/users/{id}/keys/{prefix}': {
    make: keyOfSomebody,
    path: (prefix) => `/admin/users/${somebodys}/keys/${prefix}`,
  },
  'GET /admin/users/{id}/people': { make: somebody },
  'POST /admin/users/{id}/people': {
    make: somebody,
    body: { email: 'somebody@example.in', role: 'viewer' },
    status: 201,
  },
  'POST /admin/users/{id}/people/{person_id}/link': {
    make: personOfSomebody,
    path: (person) => `/admin/users/${somebodys}/people/${person}/link`,
    status: 201,
  },
  'GET /admin/users/{id}/destinations': { make: somebody },
  'POST /admin/users/{id}/destinations': {
    make: somebody,
    body: { type: 'hubspot', name: 'Their portal', settings: { access_token: 'pat-that-nobody-calls-with' } },
    status: 201,
  },
  'POST /admin/users/{id}/destinations/{destination_id}/test': {
    make: destination,
    path: (id) => `/admin/users/${owner.accountId}/destinations/${id}/test`,
  },
  'POST /admin/users/{id}/destinations/{destination_id}/pause': {
    make: destination,
    path: (id) => `/admin/users/${owner.accountId}/destinations/${id}/pause`,
  },
  'POST /admin/users/{id}/destinations/{destination_id}/resume': {
    make: destination,
    path: (id) => `/admin/users/${owner.accountId}/destinations/${id}/resume`,
  },
  'DELETE /admin/users/{id}/destinations/{destination_id}': {
    make: destination,
    path: (id) => `/admin/users/${owner.accountId}/destinations/${id}`,
  },
  'GET /admin/users/{id}': { make: somebody },
  'PUT /admin/users/{id}/plan': { make: somebody, body: { plan: 'premium' } },
  'POST /admin/users/{id}/debt/collect': { make: owingSomebody, body: { reference: 'bank 1', reason: 'paid' } },
  'POST /admin/users/{id}/debt/write-off': { make: owingSomebody, body: { reference: 'lost 1', reason: 'gone' } },
  'GET /admin/users/{id}/grants': { make: somebody },
  'POST /admin/users/{id}/grants': { make: somebody, body: { dataset: 'gst' }, status: 201 },
  'DELETE /admin/users/{id}/grants/{grant_id}': {
    make: grantOfSomebody,
    path: (grant) => `/admin/users/${somebodys}/grants/${grant}`,
  },
  'POST /admin/users/{id}/view': { make: somebody, body: { reason: 'test' }, status: 201 },
  'POST /admin/users/{id}/credits': { make: somebody, body: { credits: 5, reference: 'isolation', reason: 'test' } },
  'DELETE /admin/operators/{name}': { make: storedOperator },
  'GET /api/crm/destinations/{destination_id}': { make: destination },
  'PATCH /api/crm/destinations/{destination_id}': { make: destination, body: { deliver: 'manual' } },
  'DELETE /api/crm/destinations/{destination_id}': { make: destination },
  'POST /api/crm/destinations/{destination_id}/test': { make: destination },
  'POST /api/crm/destinations/{destination_id}/test-row': { make: destination },
  'GET /api/crm/destinations/{destination_id}/mapping': { make: destination },
  'PUT /api/crm/destinations/{destination_id}/mapping': { make: destination, body: { fields: [] } },
  'POST /api/crm/destinations/{destination_id}/mapping/preview': { make: destination },
  'GET /api/crm/destinations/{destination_id}/mapping/versions': { make: destination },
  'POST /api/crm/destinations/{destination_id}/resend/plan': { make: destination },
  'POST /api/crm/destinations/{destination_id}/resend': { make: destination },
  'POST /api/crm/destinations/{destination_id}/pause': { make: destination },
  'POST /api/crm/destinations/{destination_id}/resume': { make: destination },
  'POST /api/crm/orders/{order_id}/plan': { make: deliverable, body: () => ({ destination_id: into }) },
  'POST /api/crm/orders/{order_id}/push': { make: deliverable, body: () => ({ destination_id: into }), status: 201 },
  'PATCH /api/crm/webhooks/{webhook_id}': {
    make: () => crm.webhook(owner.accountId),
    body: { events: ['order.paid'] },
  },
  'DELETE /api/crm/webhooks/{webhook_id}': { make: () => crm.webhook(owner.accountId) },
  'POST /api/crm/webhooks/{webhook_id}/test': { make: () => crm.webhook(owner.accountId), body: () => ({}) },
  'POST /api/crm/events/{event_id}/replay': { make: () => crm.event(owner.accountId) },
  'GET /api/crm/deliveries/{delivery_id}/attempts': { make: () => crm.delivery(owner.accountId) },
  'GET /admin/deliveries/{delivery_id}/attempts': { make: () => crm.delivery(owner.accountId) },
  'GET /api/crm/deliveries/{delivery_id}/receipt': { make: () => crm.delivery(owner.accountId) },
  'POST /api/crm/deliveries/{delivery_id}/sandbox': { make: () => crm.delivery(owner.accountId) },
  'POST /api/crm/deliveries/{delivery_id}/retry': { make: () => crm.delivery(owner.accountId) },
  'GET /api/credits/purchases/{id}': { make: () => pendingPurchase(database.db, owner.accountId) },
  'POST /api/subscriptions/{id}/renew': {
    make: () => givenSubscription(database.db, owner.accountId),
    body: { payment_option: 'credits' },
    status: 201,
  },
  'POST /api/subscriptions/{id}/cancel': { make: () => givenSubscription(database.db, owner.accountId) },
  'GET /api/invoices/{number}/pdf': { make: () => issuedInvoice(database.db, owner.accountId) },
  'GET /admin/invoices/{number}': { make: () => issuedInvoice(database.db, owner.accountId) },
  'GET /admin/invoices/{number}/pdf': { make: () => issuedInvoice(database.db, owner.accountId) },
  'DELETE /console/sessions/{id}': { make: consoleSession, status: 204 },
  'GET /admin/ingest/runs/{id}': { make: () => finishedRun(database.db) },
  'POST /admin/ingest/runs/{id}/approve': { make: () => waitingRun(database.db) },
  'POST /admin/ingest/runs/{id}/undo': {
    make: () => appliedRun(database.db),
    body: { reason: 'wrong file' },
    status: 202,
  },
  'POST /admin/ingest/runs/{id}/repeat': { make: () => previewedRun(database.db), status: 202 },
  'GET /admin/ingest/uploads/{upload_id}': { make: sentFile },
  'POST /admin/ingest/runs/{id}/cancel': { make: () => waitingRun(database.db), status: 202 },
  'GET /admin/ingest/runs/{id}/changes': { make: () => finishedRun(database.db) },
  'GET /admin/ingest/runs/{id}/changes/export': { make: () => finishedRun(database.db) },
  'GET /admin/records/{entity}/{identifier}': {
    make: async () => known.cin,
    path: (id) => `/admin/records/company/${id}`,
  },
  'GET /admin/records/{entity}/{identifier}/history': {
    make: async () => known.cin,
    path: (id) => `/admin/records/company/${id}/history`,
  },
  'GET /admin/ingest/runs/{id}/events': { make: () => finishedRun(database.db) },
  'GET /admin/ingest/runs/{id}/rejects': { make: () => finishedRun(database.db) },
  'GET /admin/ingest/runs/{id}/rejects/export': { make: () => finishedRun(database.db) },
  'DELETE /admin/alerts/channels/{channel_id}': { make: () => alertChannel(database.db) },
  'POST /admin/alerts/messages/{message_id}/resend': { make: () => failedAlert(database.db) },
  'POST /admin/payments/{event_id}/close': {
    make: () => openPaymentEvent(database.db),
    body: { reason: 'given back' },
  },
  'GET /admin/ingest/runs/{id}/preview': { make: () => waitingRun(database.db) },
  'POST /admin/ingest/runs/{id}/discard': { make: () => waitingRun(database.db) },
  'POST /admin/schedules/{name}/pause': { make: schedule },
  'POST /admin/schedules/{name}/resume': { make: schedule },
  'POST /admin/schedules/{name}/run': { make: schedule, status: 202 },
  'DELETE /admin/schedules/{name}': { make: schedule },
  'GET /admin/users/{id}/usage': { make: somebody },
  'GET /admin/sources/{source}/scope': { make: async () => 'mca-companies' },
  'GET /admin/ledger/months/{month}': { make: async () => '2026-04' },
  'POST /admin/ledger/months/{month}/close': { make: async () => '2024-04', body: { reason: 'reported' } },
  'GET /admin/ledger/months/{month}/export': {
    make: async () => '2026-04',
    path: (month) => `/admin/ledger/months/${month}/export?part=sums`,
  },
  'POST /admin/sources/{source}/scope/lower': {
    make: async () => 'mca-companies',
    body: { to: '2025-01-01', reason: 'mistyped' },
    status: 202,
  },
  'POST /admin/users/{id}/offers/{offer_id}/activate': {
    make: somebody,
    path: (id) => `/admin/users/${id}/offers/${offers[0]?.id}/activate`,
  },
  // Offers are everybody's: another account activates its own.
  'POST /api/offers/{id}/activate': { make: freeOffer, shared: true },
  'POST /api/offers/{id}/buy': { make: pricedOffer, body: { payment_option: 'credits' }, status: 201, shared: true },
  'POST /api/plans/{id}/buy': {
    make: async () => plans[0].id,
    body: { payment_option: 'credits' },
    status: 201,
    shared: true,
  },
}

async function call(operation: ApiOperation, id: string, token: string | undefined) {
  const { body, query = '', path } = resources[operation.name] ?? {}
  return api.app.inject({
    method: operation.method,
    url: `${path?.(id) ?? operation.path.replace(/\{[^}]+\}/g, id)}${query}`,
    remoteAddress: freshAddress(),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body ? { payload: typeof body === 'function' ? body() : body } : {}),
  })
}

const hasId = ({ path }: ApiOperation) => path.includes('{')
const refusal = z.object({ detail: z.string(), error_code: z.string(), request_id: z.string() })

test('every operation with an id says here how its resource is made', () => {
  const withId = operations.filter(hasId).map(({ name }) => name)
  expect(withId.filter((name) => !(name in resources))).toEqual([])
  expect(Object.keys(resources).filter((name) => !withId.includes(name))).toEqual([])
})

describe.each(Object.entries(resources))('%s', (name, { make, shared = false, status = 200 }) => {
  const operation = () => {
    const found = operations.find((each) => each.name === name)
    if (!found) throw new Error(`${name} is not in the OpenAPI document`)
    return found
  }

  test('its owner succeeds; to another account the same id is a 404 that changes nothing', async () => {
    const id = await make()
    const { guard } = operation()
    if (!shared) {
      const stranger = await call(operation(), id, other.token)
      expect(stranger.statusCode).toBe(guard === 'operator' ? 401 : 404)
      expect(refusal.parse(stranger.json()).error_code).toBe(
        guard === 'operator' ? 'OPERATOR_TOKEN_REQUIRED' : 'NOT_FOUND',
      )
    }
    const reply = await call(operation(), id, guard === 'operator' ? operatorToken : owner.token)
    expect(reply.statusCode).toBe(status)
  })

  test.each([known.uuid, 'nonsense', "'%20OR%201=1", '987654321'])(
    'the id %s, which nobody has, is a 404',
    async (id) => {
      const token = operation().guard === 'operator' ? operatorToken : owner.token
      expect((await call(operation(), id, token)).statusCode).toBe(404)
    },
  )
})

describe('every operation', () => {
  test.each([
    ['no token', 401, 'UNAUTHENTICATED'],
    ['expired', 401, 'TOKEN_EXPIRED'],
    ['suspended', 403, 'ACCOUNT_SUSPENDED'],
    ['other audience', 403, 'WRONG_AUDIENCE'],
    ['raw key', 401, 'API_KEY_AS_BEARER'],
    ['ended session', 401, 'UNAUTHENTICATED'],
    ['operator', 401, 'UNAUTHENTICATED'],
  ] as const)('of the developer API refuses a caller with: %s', async (caller, status, code) => {
    const token = caller === 'no token' ? undefined : caller === 'operator' ? operatorToken : tokens[caller]
    const guarded = operations.filter(({ guard }) => guard === 'account')
    expect(guarded.length).toBeGreaterThan(25)
    for (const operation of guarded) {
      const reply = await call(operation, known.uuid, token)
      expect([operation.name, reply.statusCode, reply.json().error_code]).toEqual([operation.name, status, code])
    }
  })

  test.each(['no token', 'owner', 'expired', 'suspended', 'other audience', 'raw key'] as const)(
    'of the operator refuses a caller with: %s',
    async (caller) => {
      const token = caller === 'no token' ? undefined : caller === 'owner' ? owner.token : tokens[caller]
      const guarded = operations.filter(({ guard }) => guard === 'operator')
      expect(guarded.length).toBeGreaterThan(4)
      for (const operation of guarded) {
        const reply = await call(operation, known.uuid, token)
        expect([operation.name, reply.statusCode]).toEqual([operation.name, 401])
      }
    },
  )

  test('that is open to all is one of those that must be', () => {
    const open = operations.filter(({ guard }) => guard === 'public').map(({ name }) => name)
    const doors = ['app', 'console'].flatMap((door) =>
      ['POST', 'GET', 'DELETE'].map((verb) => `${verb} /${door}/session`),
    )
    const meant = [
      'GET /healthz',
      'GET /readyz',
      'GET /app/sign-in',
      'POST /app/session/link',
      'POST /api/auth/login',
      'POST /api/auth/refresh-token',
      ...doors,
    ]
    expect(open.filter((name) => !meant.includes(name))).toEqual([])
  })
})

test('what another account made is in none of the lists', async () => {
  const [screener, order] = [await savedScreener(), await paid()]
  const mine = [await api.get('/api/screener/screeners', owner.token), await api.get('/api/orders', owner.token)]
  const theirs = [await api.get('/api/screener/screeners', other.token), await api.get('/api/orders', other.token)]
  expect(mine.map(({ body }) => body).join()).toContain(screener)
  expect(mine.map(({ body }) => body).join()).toContain(order)
  expect(theirs.map((reply) => reply.json().data)).toEqual([[], []])
})

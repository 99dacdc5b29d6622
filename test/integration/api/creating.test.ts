/**
 * Every POST of the document either creates something and honours `Idempotency-Key`, or stands below with the reason
 * why a repeat does no harm. A POST that is added and stands nowhere fails this file.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { offers, plans } from '../../../config/sales.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { addCredits, fillRegisters, known, orderBody } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { operationsOf } from '../../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)
beforeAll(() => fillRegisters(database.db))

const watchlist = { name: 'Mine', watchlist_type: 'company', entities: [{ identifier: known.cin, name: 'A' }] }

interface Creation {
  readonly url: (customer: LoggedIn) => Promise<string>
  readonly body: object
  /** The same request with another content; undefined where the path is all there is. */
  readonly other: object | undefined
  readonly status: number
  /** Rows that a repeat without a key would add to. */
  readonly count: string
}
const fixed = (url: string) => async () => url
const countTerms =
  'SELECT count(*) FROM access.subscription_term JOIN access.subscription USING (subscription_id) WHERE account_id = $1'
const creations: Readonly<Record<string, Creation>> = {
  'POST /api/screener/screeners': {
    url: fixed('/api/screener/screeners'),
    body: { name: 'Goa', type: 'company', query: "State == 'Goa'" },
    other: { name: 'Kerala', type: 'company', query: "State == 'Kerala'" },
    status: 201,
    count: 'SELECT count(*) FROM access.screener WHERE account_id = $1',
  },
  'POST /api/watchlist': {
    url: fixed('/api/watchlist'),
    body: watchlist,
    other: { ...watchlist, name: 'Other' },
    status: 201,
    count: 'SELECT count(*) FROM access.watchlist WHERE account_id = $1',
  },
  'POST /api/watchlist/{watchlist_id}/entities': {
    url: async ({ token }) =>
      `/api/watchlist/${(await api.post('/api/watchlist', token, watchlist)).json().data.id}/entities`,
    body: { entities: [{ identifier: known.llpin, name: 'B' }] },
    other: { entities: [{ identifier: known.missing.cin, name: 'C' }] },
    status: 200,
    count:
      'SELECT count(*) FROM access.watchlist_entity JOIN access.watchlist USING (watchlist_id) WHERE account_id = $1',
  },
  'POST /api/team': {
    url: fixed('/api/team'),
    body: { email: 'ravi@example.in', role: 'buyer' },
    other: { email: 'asha@example.in', role: 'buyer' },
    status: 201,
    count: 'SELECT count(*) FROM access.person WHERE account_id = $1',
  },
  'POST /api/standing-orders': {
    url: fixed('/api/standing-orders'),
    body: { name: 'Goa', type: 'company', query: "State == 'Goa'", budget: { day: 5, month: 50, run: 5 } },
    other: { name: 'Kerala', type: 'company', query: "State == 'Kerala'", budget: { day: 5, month: 50, run: 5 } },
    status: 201,
    count: 'SELECT count(*) FROM orders.standing_order WHERE account_id = $1',
  },
  'POST /api/orders/normal': {
    url: fixed('/api/orders/normal'),
    body: orderBody,
    other: { ...orderBody, orderName: 'Other' },
    status: 201,
    count: 'SELECT count(*) FROM orders.purchase WHERE account_id = $1',
  },
  'POST /api/crm/newlead': {
    url: fixed('/api/crm/newlead'),
    body: { entity_type: 'gst', identifier: known.gstin },
    other: { entity_type: 'gst', identifier: known.missing.gstin },
    status: 201,
    count: 'SELECT count(*) FROM orders.purchase WHERE account_id = $1',
  },
  'POST /api/offers/{id}/activate': {
    url: fixed(`/api/offers/${offers.find(({ price }) => price === 0)?.id}/activate`),
    body: {},
    other: undefined,
    status: 200,
    count: 'SELECT count(*) FROM access.activated_offer WHERE account_id = $1',
  },
  'POST /api/plans/{id}/buy': {
    url: fixed(`/api/plans/${plans[0].id}/buy`),
    body: { payment_option: 'credits' },
    other: { payment_option: 'credits', auto_renew: true },
    status: 201,
    count: countTerms,
  },
  'POST /api/offers/{id}/buy': {
    url: fixed(`/api/offers/${offers.find(({ price }) => price > 0)?.id}/buy`),
    body: { payment_option: 'credits' },
    other: { payment_option: 'credits', auto_renew: true },
    status: 201,
    count: countTerms,
  },
}

/** Repeating these changes nothing that a caller would mind. */
const harmless: Readonly<Record<string, string>> = {
  'POST /api/auth/login': 'a second session beside the first',
  'POST /api/auth/logout': 'the session has ended already',
  'POST /api/keys': 'a second key beside the first: an answer that holds a key is not kept for a repeat',
  'POST /admin/users/{id}/keys': 'a second key beside the first: an answer that holds a key is not kept for a repeat',
  'POST /admin/operators': 'a 409: the name is taken',
  'POST /api/second-factor': 'begun again it has another secret',
  'POST /api/second-factor/confirm': 'a code opens once: the second time it is a 422',
  'POST /api/auth/refresh-token': 'a second token of the same session',
  'POST /api/standing-orders/preview': 'reads',
  'POST /api/screener/facets': 'reads',
  'POST /api/screener/search': 'reads',
  'POST /api/screener/explain': 'reads',
  'POST /api/screener/phrase': 'reads',
  'POST /api/screener/terms': 'reads',
  'POST /api/screener/screeners/{screener_id}/run': 'reads',
  'POST /api/recently-registered/companies': 'reads',
  'POST /api/recently-registered/directors': 'reads',
  'POST /api/recently-registered/gst': 'reads',
  'POST /api/orders/quote': 'reads',
  'POST /api/standing-orders/{id}/pause': 'a paused one is paused',
  'POST /api/standing-orders/{id}/resume': 'an active one is active',
  'POST /api/standing-orders/{id}/end': 'an ended one has ended',
  'POST /api/standing-orders/{id}/approve': 'the second time no run waits: a 409',
  'POST /api/standing-orders/{id}/skip': 'the second time no run waits: a 409',
  'POST /api/subscriptions/{id}/cancel': 'a cancelled one is cancelled',
  'POST /api/orders/{id}/reclaim': 'the second time there is nothing left to reclaim',
  'POST /api/orders/{id}/items/{n}/dispute': 'the second time it is a 409',
  'POST /admin/orders/{id}/refund': 'each charge is refunded once',
  'POST /admin/disputes/{id}/decide': 'the second time it is a 409',
  'POST /admin/ledger/months/{month}/close': 'closed before, it is only told',
  'POST /admin/disputes/decide': 'the second time nothing waits, and none is decided',
  'POST /admin/users/{id}/credits': 'once per reference',
  'POST /api/orders/{id}/cancel': 'a cancelled order is not cancelled again',
  'POST /admin/users/{id}/view': 'a second view beside the first',
  'POST /admin/users/{id}/people': 'who is invited again is invited, and the links before end',
  'POST /admin/users/{id}/people/{person_id}/link':
    'a second link beside the first: an answer that holds a link is not kept for a repeat',
  'POST /admin/users/{id}/suspend': 'a suspended account is suspended',
  'POST /admin/users/{id}/unsuspend': 'a living account lives',
  'POST /admin/users/{id}/offers/{offer_id}/activate': 'an active offer stays as it is',
  'POST /admin/security/block-ip': 'a blocked address keeps its first reason',
  'POST /admin/security/unblock-ip': 'the second time it is a 404',
  'POST /admin/ingest/runs/{id}/approve': 'a 409: the run waits no more',
  'POST /admin/ingest/runs/{id}/cancel': 'a 409, or the cancelling that is under way',
  'POST /admin/ingest/runs/{id}/discard': 'a 409: the run waits no more',
  'POST /admin/ingest/runs/{id}/undo': 'a 409: the run is taken back once',
  'POST /admin/users': 'a 409: the e-mail is taken',
  'POST /admin/ingest/runs/{id}/repeat': 'a second run, which finds that the register has it already',
  'POST /admin/ingest/runs': 'a second run, which finds that the register has it already',
  'POST /admin/ingest/uploads': 'a second copy of the file, which nothing reads until a run names it',
  'POST /admin/schedules': 'the schedule stands as it was set',
  'POST /admin/schedules/{name}/pause': 'a paused one is paused',
  'POST /admin/schedules/{name}/resume': 'an active one is active',
  'POST /admin/schedules/{name}/run': 'a second job, which may run as often as its slots come',
  'POST /admin/sources/{source}/scope/lower': 'the second time nothing is left to lower',
  'POST /admin/jobs/dead/redrive': 'what is put back is no dead letter any more',
  'POST /admin/jobs/dead/discard': 'what is dropped is gone',
  'POST /admin/deliveries/retry': 'what is due stays due',
  'POST /admin/alerts/channels': 'a second channel beside the first, which is notified as well',
  'POST /admin/alerts/messages/{message_id}/resend': 'what waits is sent once',
  'POST /admin/alerts/test': 'a second test, which says that it is one',
  'POST /admin/users/{id}/debt/collect': 'once per reference',
  'POST /admin/users/{id}/debt/write-off': 'once per reference',
  'POST /admin/payments/{event_id}/close': 'the second time it is a 404',
  'POST /admin/payments/refund': 'once per reference',
  'POST /admin/payments/reconcile': 'each order is settled once',
  'POST /admin/sandbox/open': 'another link beside the first',
  'POST /admin/suppressions': 'each value stands once',
  'POST /admin/users/{id}/grants': 'a second grant beside the first, which opens nothing more',
  'POST /api/crm/deliveries/fix': 'what is fixed is fixed once',
  'POST /api/crm/deliveries/retry': 'what is tried again is tried once',
  'POST /api/crm/deliveries/{delivery_id}/sandbox': 'another link beside the first',
  'POST /api/crm/deliveries/{delivery_id}/retry': 'what is tried again is tried once',
  'POST /admin/users/{id}/destinations': 'a 409: the account of the CRM, or the name, is taken',
  'POST /admin/users/{id}/destinations/{destination_id}/pause': 'a paused one is paused',
  'POST /admin/users/{id}/destinations/{destination_id}/resume': 'an active one is active',
  'POST /admin/users/{id}/destinations/{destination_id}/test': 'reads',
  'POST /api/crm/destinations': 'a 409: the account of the CRM, or the name, is taken',
  'POST /api/crm/destinations/{destination_id}/pause': 'a paused one is paused',
  'POST /api/crm/destinations/{destination_id}/resume': 'an active one is active',
  'POST /api/crm/destinations/{destination_id}/test': 'reads',
  'POST /app/session/link': 'an e-mail that waits stands for both, and few are sent in a while',
  'POST /api/crm/destinations/connect': 'a second sign-in that nobody finishes ends automatically',
  'POST /api/crm/destinations/connect/finish': 'a 404: the word was used',
  'POST /api/crm/destinations/{destination_id}/mapping/preview': 'reads',
  'POST /api/crm/destinations/{destination_id}/resend': 'what is due stays due',
  'POST /api/crm/destinations/{destination_id}/resend/plan': 'reads',
  'POST /api/crm/destinations/{destination_id}/test-row': 'what it writes has one identity, and is deleted again',
  'POST /api/crm/events/{event_id}/replay': 'the receiver knows the id of the event',
  'POST /api/crm/orders/{order_id}/plan': 'reads',
  'POST /api/crm/webhooks': 'a second one beside the first: an answer that holds a secret is not kept for a repeat',
  'POST /api/crm/webhooks/{webhook_id}/test': 'a second test event beside the first, marked as one',
  'POST /api/orders/export': 'reads',
  'POST /app/session': 'a second session beside the first',
  'POST /console/session': 'a second session beside the first',
}

/** They honour the header as well; their own tests hold it, since each needs a world of its own. */
const heldElsewhere = [
  'POST /api/credits/purchase',
  'POST /api/crm/orders/{order_id}/push',
  'POST /api/subscriptions/{id}/renew',
]

test('every POST of the document stands in one of the two lists, and no list names another', async () => {
  const posts = (await operationsOf(api)).filter(({ method }) => method === 'POST').map(({ name }) => name)
  expect(posts.toSorted()).toEqual([...Object.keys(creations), ...Object.keys(harmless), ...heldElsewhere].toSorted())
})

test('the document names the header on those that honour it, and on no other', async () => {
  const honouring = (await operationsOf(api)).filter(({ parameters }) =>
    parameters.some(({ name, in: place }) => place === 'header' && name === 'Idempotency-Key'),
  )
  expect(honouring.map(({ name }) => name).toSorted()).toEqual([...Object.keys(creations), ...heldElsewhere].toSorted())
})

describe.each(Object.entries(creations))('%s', (_name, { url, body, other, status, count }) => {
  const counted = async ({ accountId }: LoggedIn) =>
    (await database.db.query<{ count: number }>(count, [accountId]))[0]?.count
  const buyer = async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 1000)
    return customer
  }

  test('the same key with the same body is answered alike and happens once; with another it is a 422', async () => {
    const customer = await buyer()
    const path = await url(customer)
    const headers = { 'idempotency-key': 'one' }
    const first = await api.post(path, customer.token, body, headers)
    expect([first.statusCode, first.headers['idempotency-replayed']]).toEqual([status, undefined])
    const after = await counted(customer)
    const second = await api.post(path, customer.token, body, headers)
    expect([second.statusCode, second.headers['idempotency-replayed'], second.body]).toEqual([
      status,
      'true',
      first.body,
    ])
    expect(await counted(customer)).toBe(after)
    if (other) {
      const mismatch = await api.post(path, customer.token, other, headers)
      expect([mismatch.statusCode, mismatch.json().error_code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
      expect(await counted(customer)).toBe(after)
    }
  })

  test("another account's same key is a key of its own", async () => {
    const headers = { 'idempotency-key': 'shared' }
    const replies = []
    for (const customer of [await buyer(), await buyer()]) {
      replies.push(await api.post(await url(customer), customer.token, body, headers))
    }
    expect(replies.map(({ statusCode, headers }) => [statusCode, headers['idempotency-replayed']])).toEqual([
      [status, undefined],
      [status, undefined],
    ])
  })
})

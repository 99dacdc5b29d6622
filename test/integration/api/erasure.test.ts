import { expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { createWatchlist } from '../../../src/access/watchlists.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { forgetHosts } from '../../../src/notify/webhooks/receivers.ts'
import { grantCredits, refundItems } from '../../../src/orders/ledger.ts'
import { createScreener } from '../../../src/registry/screener/saved-screeners.ts'
import { createCustomer, type LoggedIn, logInCustomer, operatorToken, secretKey, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { gstinOf, insertContact, insertGst } from '../orders/world.ts'

const database = useTestDatabase()
const api = useApi(database)
let serial = 0

async function erase(token: string) {
  const me = await api.get('/api/users/me', token)
  if (me.statusCode !== 200) return me
  const headers = { authorization: `Bearer ${token}` }
  const payload = { confirm: me.json<{ email: string }>().email }
  return api.app.inject({ method: 'DELETE', url: '/api/users/me/account', headers, payload })
}

type BusyCustomer = LoggedIn & { email: string; gstin: string; orderId: string; destinationId: string }
/** An account that has used everything, and all that it wrote and was given names the person. */
async function busyCustomer(person: string): Promise<BusyCustomer> {
  const { db } = database
  const [email, gstin] = [`${person}@example.org`, gstinOf(++serial)]
  await insertGst(db, gstin)
  await insertContact(db, 'gst', gstin, { email: `reached.${person}@example.in` })
  const customer = await logInCustomer(api, await createCustomer(db, { email, username: person }))
  const { token, accountId } = customer
  await db.transaction((tx) => grantCredits(tx, accountId, 5, `grant:${accountId}`))
  const post = async (url: string, body: object, headers = {}) => {
    const reply = await api.post(url, token, body, headers)
    expect([url, reply.statusCode]).toEqual([url, 201])
    return reply.json()
  }
  await post('/api/screener/screeners', { name: `Plan of ${person}`, type: 'gst', query: "state == 'Goa'" })
  await post('/api/watchlist', {
    name: `Plan of ${person}`,
    watchlist_type: 'gst',
    entities: [{ identifier: gstin, name: `Note of ${person}` }],
  })
  const items = [{ type: 'gst', name: `Note of ${person}`, number: gstin }]
  const order = { orderName: `Plan of ${person}`, paymentOption: 'credits', items }
  const { _id: orderId } = await post('/api/orders/normal', order, { 'idempotency-key': 'once' })
  await post('/api/crm/newlead', { entity_type: 'gst', identifier: gstin }, { 'idempotency-key': 'twice' })
  expect((await api.get(`/api/crm/orders/${orderId}/leads`, token)).json().total).toBe(1)
  expect((await api.post('/api/offers/recent-gst-trial-7/activate', token)).statusCode).toBe(200)
  await post('/api/keys', { name: `Key of ${person}` })
  await post('/api/team', { email: `invited.${person}@example.org`, name: `Friend of ${person}`, role: 'buyer' })
  await post('/api/standing-orders', {
    ...{ name: `Plan of ${person}`, type: 'gst', query: `TradeName == '${person}'` },
    budget: { day: 1, month: 1, run: 1 },
  })
  const host = `${person}.example.net`
  await post('/api/crm/webhooks', { url: `https://${host}/hear`, events: ['order.paid'] })
  await db.execute('INSERT INTO deliver.receiver (host, failures) VALUES (lower($1), 3)', [host])
  const settings = { access_token: 'pat-secret' }
  const added = await addDestination(db, connectors, secretKey, {
    accountId,
    connector: 'hubspot',
    name: `Plan of ${person}`,
    settings,
  })
  const destinationId = added.destination_id
  await db.execute(
    `UPDATE deliver.destination SET record_urls = jsonb_build_object('gst', 'https://' || $2::text || '.my.salesforce.com/{id}')
     WHERE destination_id = $1`,
    [destinationId, person],
  )
  // As of a destination whose account its CRM has not named yet.
  await db.execute('INSERT INTO deliver.limiter (remote_account, tokens) VALUES ($1, 1)', [
    `${accountId}/salesforce:login.salesforce.com/${email}`,
  ])
  await db.execute(`INSERT INTO deliver.adoption (destination_id, crm_id, external_id) VALUES ($1, $2, 'gst:' || $3)`, [
    destinationId,
    `crm-of-${person}`,
    gstin,
  ])
  await db.execute(
    `INSERT INTO deliver.push (push_id, destination_id, order_id, status, error)
     VALUES (gen_random_uuid(), $1, $2, 'queued', jsonb_build_object('message', $3::text))`,
    [destinationId, orderId, person],
  )
  await db.execute(
    `INSERT INTO deliver.delivery (destination_id, item_id, order_id, external_id, state, pushed_values, crm_id, last_error)
     SELECT $1, item_id, order_id, 'gst:' || identifier, 'pending', jsonb_build_object('email', $3::text), 'crm-1',
            jsonb_build_object('message', $3::text) FROM orders.item WHERE order_id = $2`,
    [destinationId, orderId, person],
  )
  return { ...customer, email, gstin, orderId, destinationId }
}

/** Tables outside the registers whose rows, as text, hold one of the texts. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const tables = await database.db.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_schema IN ('access', 'orders', 'ledger', 'deliver', 'feed', 'ingest', 'pgboss') AND table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.db.query(
      `SELECT FROM ${name} t WHERE EXISTS (SELECT FROM unnest($1::text[]) x WHERE strpos(lower(t::text), lower(x)) > 0)`,
      [texts],
    )
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

test('erasure leaves nothing of the person anywhere, keeps the ledger balanced, and gives a receipt', async () => {
  const { db } = database
  const customer = await busyCustomer('Ravi.Kumar')
  const { token, accountId, orderId } = customer
  const secrets = ['Ravi.Kumar', customer.apiKey.slice(0, 10)]
  // Kept answers lie sealed, so that no text is found in them.
  const kept = () => db.query('SELECT FROM access.idempotency WHERE account_id = $1', [accountId])
  expect(await kept()).toHaveLength(2)
  expect(await tablesWith(secrets)).toEqual([
    'access.account',
    'access.api_key',
    'access.person',
    'access.screener',
    'access.watchlist',
    'access.watchlist_entity',
    'deliver.adoption',
    'deliver.delivery',
    'deliver.destination',
    'deliver.limiter',
    'deliver.mail',
    'deliver.push',
    'deliver.receiver',
    'deliver.webhook',
    'orders.item',
    'orders.lead',
    'orders.purchase',
    'orders.standing_order',
    'orders.standing_query',
  ])
  const ledger = () =>
    db.query(`SELECT t.kind, e.amount FROM ledger.entry e JOIN ledger.transfer t USING (transfer_id) ORDER BY entry_id`)
  const before = await ledger()

  const reply = await erase(token)
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    {
      success: true,
      receipt_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: accountId,
      erased_at: expect.stringMatching(/Z$/),
      erased: { api_keys: 2, sessions: 1, screeners: 1, watchlists: 1, destinations: 1, leads: 2 },
      kept: { orders: 2, ledger_entries: 2, invoices: 0, reason: expect.any(String) },
    },
  ])
  // The worker forgets how the hosts of removed webhooks answered.
  await forgetHosts(database.as('panji_worker'))
  expect(await tablesWith(secrets)).toEqual([])
  expect(await kept()).toEqual([])
  expect(await ledger()).toEqual(before)
  const { data } = (await api.get(`/admin/audit?subject=${accountId}&action=erase%20account`, operatorToken)).json()
  expect(data[0].detail.receiptId).toBe(reply.json().receipt_id)
  expect((await api.get(`/admin/users?search=${accountId}`, operatorToken)).json().total).toBe(0)

  // The job that was still on its way finds nothing to build.
  expect(await buildLeads(db, { orderId, leadSource: 'Panji', refund: refundItems })).toEqual({ built: 0 })
})

test('after it the token, the refresh token and the key are refused, and the e-mail is free for a new account', async () => {
  const customer = await busyCustomer('Meera.Rao')
  expect((await erase(customer.token)).statusCode).toBe(200)
  for (const path of ['/api/users/me', '/api/orders', '/api/access']) {
    expect((await api.get(path, customer.token)).statusCode).toBe(401)
  }
  expect((await erase(customer.token)).statusCode).toBe(401)
  const refreshed = await api.post('/api/auth/refresh-token', undefined, { refresh_token: customer.refreshToken })
  const login = await api.post('/api/auth/login', undefined, { api_key: customer.apiKey })
  expect([refreshed.statusCode, login.statusCode]).toEqual([401, 401])

  const next = await createCustomer(database.db, { email: customer.email })
  const { token } = await logInCustomer(api, next)
  expect((await api.get('/api/orders', token)).json().total).toBe(0)
})

test("erasure takes nothing of another account's", async () => {
  const [one, other] = [await busyCustomer('one'), await busyCustomer('other')]
  await erase(one.token)
  expect((await api.get('/api/users/me', other.token)).json().email).toBe(other.email)
  expect((await api.get('/api/watchlist', other.token)).json().total).toBe(1)
  expect((await api.get('/api/screener/screeners', other.token)).json().data).toHaveLength(1)
  expect((await api.get(`/api/crm/orders/${other.orderId}/leads`, other.token)).json()).toMatchObject({
    order_name: 'Plan of other',
    leads: [{ Email: 'reached.other@example.in' }],
  })
  expect((await api.get('/api/access', other.token)).json().datasets.recently_registered.gst.enabled).toBe(true)
  const [destination] = await database.db.query<{ status: string }>(
    'SELECT status FROM deliver.destination WHERE destination_id = $1',
    [other.destinationId],
  )
  expect(destination?.status).toBe('active')
  expect(await tablesWith(['other@example.org'])).toContain('deliver.limiter')
})

test('what an erased account reported waits for no operator, and what others reported does', async () => {
  const [customer, other] = [await busyCustomer('Reporting'), await busyCustomer('Waiting')]
  const report = async ({ orderId, token }: BusyCustomer) =>
    (await api.post(`/api/orders/${orderId}/items/0/dispute`, token, { reason: 'it bounces' })).json().dispute_id
  const [gone, waits] = [await report(customer), await report(other)]
  expect((await erase(customer.token)).statusCode).toBe(200)
  const { data } = (await api.get('/admin/disputes', operatorToken)).json()
  const stateOf = (id: string) => data.find((each: { dispute_id: string }) => each.dispute_id === id)
  expect(stateOf(gone)).toMatchObject({ status: 'rejected', reason: 'erased', decided_by: 'system', note: null })
  expect(stateOf(waits)).toMatchObject({ status: 'open', reason: 'it bounces' })
  expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
})

test('screeners and watchlists made while the account is erased are gone with it or refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { token, accountId } = await logInCustomer(api, await createCustomer(database.db))
    const screener = { name: 'Secret Plan', type: 'gst', query: "state == 'Goa'" }
    const watchlist = { name: 'Secret Plan', watchlist_type: 'gst', entities: [] }
    const make = () => [
      api.post('/api/screener/screeners', token, screener),
      api.post('/api/watchlist', token, watchlist),
    ]
    const replies = await Promise.all([...make(), ...make(), erase(token), ...make(), ...make()])
    for (const { statusCode } of replies) expect([200, 201, 401, 404]).toContain(statusCode)
    const left = await database.db.query(
      `SELECT name FROM access.screener WHERE account_id = $1 UNION ALL SELECT name FROM access.watchlist WHERE account_id = $1`,
      [accountId],
    )
    expect(left).toEqual([])
  }
})

test('a screener or watchlist whose account is being erased waits for that, and is then refused', async () => {
  const { db } = database
  for (const insert of [
    (accountId: string) =>
      db.transaction((tx) =>
        createScreener(tx, accountId, { name: 'A', type: 'gst', query: "state == 'Goa'", description: null }),
      ),
    (accountId: string) =>
      db.transaction((tx) => createWatchlist(tx, accountId, { name: 'A', type: 'gst', entities: [] })),
  ]) {
    const { accountId } = await createCustomer(db)
    let late: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await eraseAccount(tx, accountId)
      late = insert(accountId).then(
        () => 'made',
        (error: unknown) => error,
      )
      // The insert waits for the lock before the erasure commits; without the lock it would have gone through.
      const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR NO KEY UPDATE%'`
      await expect.poll(() => db.query(waiting)).toHaveLength(1)
    })
    expect(await late).toMatchObject({ code: 'NOT_FOUND' })
  }
})

test('orders placed while the account is erased are either emptied with it or refused', async () => {
  const { token, accountId, gstin } = await busyCustomer('racing')
  const items = [{ type: 'gst', name: 'Note', number: gstin }]
  const order = () =>
    api.post('/api/orders/normal', token, { orderName: 'Secret Plan', paymentOption: 'credits', items })
  const replies = await Promise.all([order(), order(), erase(token), order(), order()])
  expect(replies[2]?.statusCode).toBe(200)
  for (const { statusCode } of replies) expect([200, 201, 400, 401, 404]).toContain(statusCode)
  const names = await database.db.query(`SELECT DISTINCT order_name FROM orders.purchase WHERE account_id = $1`, [
    accountId,
  ])
  expect(names).toEqual([{ order_name: 'erased' }])
})

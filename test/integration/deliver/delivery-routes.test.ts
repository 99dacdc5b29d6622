/** Destinations, plans, pushes and deliveries as an account uses them over HTTP, with a worker and CRMs in a box. */
import { beforeAll, expect, test } from 'vitest'
import type { HubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { todosOf } from '../../../src/deliver/destinations/set-up.ts'
import { verifyReceipt } from '../../../src/deliver/record/verify-receipt.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import {
  secretKey as apiKey,
  createCustomer,
  type LoggedIn,
  logInCustomer,
  newCustomer,
  useApi,
} from '../../support/api.ts'
import { addCredits, fillRegisters, known } from '../../support/api-world.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertOrder } from './paid-order.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)

beforeAll(() => fillRegisters(world.database.db))

const call = async (customer: LoggedIn, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const headers = { authorization: `Bearer ${customer.token}` }
  return api.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
}
const add = async (customer: LoggedIn, crm: string, more: object = {}) => {
  const body = { type: crm, name: crm, settings: world.settings(crm), ...more }
  const reply = await call(customer, 'POST', '/api/crm/destinations', body)
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json().destination_id as string
}
const deliveries = async (customer: LoggedIn, query: string) =>
  (await call(customer, 'GET', `/api/crm/deliveries?${query}`)).json()
const writes = (crm: string) =>
  world
    .box(crm)
    .calls()
    .filter(({ method, path }) => /composite\/|batch\/upsert|batch\/archive/.test(path) && method !== 'GET')

test('a destination is created, tested, renewed, paused, resumed and removed, and its secrets are never answered', async () => {
  const customer = await newCustomer(api, world.database)
  const id = await add(customer, 'salesforce')
  const path = `/api/crm/destinations/${id}`
  expect((await call(customer, 'POST', `${path}/test`)).json()).toMatchObject({ ok: true })
  const seen = await call(customer, 'GET', path)
  expect(seen.json()).toMatchObject({ status: 'active', deliver: 'automatic', remote_account: '00D000000000001' })
  expect(seen.body).not.toContain(String(world.settings('salesforce')['client_secret']))
  expect((await call(customer, 'GET', '/api/crm/destinations')).json().data).toHaveLength(1)
  const changed = await call(customer, 'PATCH', path, { name: 'Our org', deliver: '07:30', customer_share: 0.4 })
  const now = { destination_id: id, name: 'Our org', deliver: '07:30', customer_share: 0.4 }
  expect(changed.json()).toMatchObject(now)
  expect((await call(customer, 'PATCH', path, { customer_share: 1 })).statusCode).toBe(400)
  expect((await call(customer, 'POST', `${path}/pause`)).json()).toMatchObject({ status: 'paused' })
  expect((await call(customer, 'POST', `${path}/resume`)).json()).toMatchObject({ status: 'active' })
  const renewed = await call(customer, 'PATCH', path, {
    settings: { ...world.settings('salesforce'), client_secret: 'x' },
  })
  expect(renewed.json()).toMatchObject({ destination_id: id, set_up_at: null })
  expect((await call(customer, 'POST', `${path}/test`)).json()).toMatchObject({ error_code: 'CRM_UNAUTHORIZED' })
  const wrong = await call(customer, 'PATCH', path, { settings: { auth: 'jwt' } })
  expect([wrong.statusCode, wrong.json().error_code]).toEqual([422, 'DESTINATION_INVALID'])
  expect((await call(customer, 'PATCH', path, { deliver: '25:00' })).statusCode).toBe(400)
  expect((await call(customer, 'DELETE', path)).json()).toMatchObject({ destination_id: id })
  expect((await call(customer, 'GET', path)).statusCode).toBe(404)
})

test('the kinds of CRM are told with what each asks for, and what is typed into a form connects one', async () => {
  const customer = await newCustomer(api, world.database)
  const { data } = (await call(customer, 'GET', '/api/crm/kinds')).json()
  expect(data.map(({ type }: { type: string }) => type)).toEqual(['salesforce', 'hubspot', 'zoho'])
  const [{ label, sign_ins: ways }] = data
  expect([label, ways.map(({ name }: { name: string }) => name)]).toEqual([
    'Salesforce',
    ['client-credentials', 'jwt', 'refresh-token'],
  ])
  const settings = Object.fromEntries([
    ...Object.entries(ways[0].fixed),
    ...ways[0].fields.map(({ name }: { name: string }) => [name, world.settings('salesforce')[name]]),
    ['sandbox_pass', world.settings('salesforce')['sandbox_pass']],
  ])
  const body = { type: 'salesforce', name: 'By the form', settings, deliver: 'manual' }
  const added = await call(customer, 'POST', '/api/crm/destinations', body)
  expect(added.statusCode, added.body).toBe(201)
  const path = `/api/crm/destinations/${added.json().destination_id}`
  expect((await call(customer, 'POST', `${path}/test`)).json()).toMatchObject({ ok: true })
  await call(customer, 'DELETE', path)
})

test('an option is changed without the credentials, which stay, and nothing else is taken as one', async () => {
  const customer = await newCustomer(api, world.database)
  const other = await newCustomer(api, world.database)
  const path = `/api/crm/destinations/${await add(customer, 'salesforce', { deliver: 'manual' })}`
  const changed = await call(customer, 'PATCH', path, { options: { on_deleted: 'recreate', timeout_ms: 9_000 } })
  expect(changed.json().settings).toMatchObject({
    on_deleted: 'recreate',
    timeout_ms: 9_000,
    client_secret: '[hidden]',
  })
  expect((await call(customer, 'POST', `${path}/test`)).json()).toMatchObject({ ok: true })
  const back = await call(customer, 'PATCH', path, { options: { on_deleted: null } })
  expect(back.json().settings).toMatchObject({ on_deleted: 'respect', timeout_ms: 9_000 })
  const refused = async (body: object) => {
    const { statusCode, json } = await call(customer, 'PATCH', path, body)
    return [statusCode, json().error_code]
  }
  expect(await refused({ options: { login_url: 'https://elsewhere.my.salesforce.com' } })).toEqual([
    422,
    'DESTINATION_INVALID',
  ])
  expect(await refused({ options: { on_deleted: 'perhaps' } })).toEqual([422, 'DESTINATION_INVALID'])
  expect((await refused({ options: {}, settings: world.settings('salesforce') }))[0]).toBe(400)
  expect((await call(other, 'PATCH', path, { options: { on_deleted: 'recreate' } })).statusCode).toBe(404)
  expect((await call(customer, 'GET', path)).json().settings).toMatchObject({ on_deleted: 'respect' })
  await call(customer, 'DELETE', path)
})

test('a test says what an administrator must do, and asks no more for a field that the mapping fills', async () => {
  const customer = await newCustomer(api, world.database)
  const id = await add(customer, 'hubspot', { deliver: 'manual' })
  const box = world.box('hubspot') as HubspotSandbox
  box.withholdScopes(['crm.objects.companies.write'])
  const tested = (await call(customer, 'POST', `/api/crm/destinations/${id}/test`)).json()
  expect(tested.ok).toBe(false)
  expect(tested.checks).toContainEqual({
    ...{ name: 'set-up', ok: false },
    detail: expect.stringMatching(/crm\.objects\.companies\.write.*Private Apps.*Scopes: tick them/),
  })
  box.withholdScopes([])
  expect((await call(customer, 'POST', `/api/crm/destinations/${id}/test`)).json()).toMatchObject({ ok: true })
  const report = {
    ...{ created: [], present: [], todo: ['Do this.'] },
    unfilled: [
      { field: 'Region__c', todo: 'Fill the region.' },
      { field: 'Fax', todo: 'Fill the fax.' },
    ],
  }
  const mapping = [
    { field: 'Region__c', value: { constant: 'South' } },
    { field: 'Fax', value: { omit: true } },
  ] as const
  expect(todosOf(report, mapping)).toEqual(['Do this.', 'Fill the fax.'])
  expect(todosOf(report, [])).toEqual(['Do this.', 'Fill the region.', 'Fill the fax.'])
})

test('nobody sees, changes or pushes into what belongs to another account, and a key without the scope does nothing', async () => {
  const [owner, stranger] = [await newCustomer(api, world.database), await newCustomer(api, world.database)]
  const id = await add(owner, 'hubspot')
  const orderId = await insertOrder(world.database.db, owner.accountId, [gstLead(1)])
  const theirs = await insertOrder(world.database.db, stranger.accountId, [gstLead(2)])
  const path = `/api/crm/destinations/${id}`
  for (const [method, url, body] of [
    ['GET', path],
    ['PATCH', path, { name: 'Mine' }],
    ['POST', `${path}/test`],
    ['POST', `${path}/pause`],
    ['POST', `${path}/resume`],
    ['DELETE', path],
    ['POST', `/api/crm/orders/${theirs}/push`, { destination_id: id }],
    ['POST', `/api/crm/orders/${theirs}/plan`, { destination_id: id }],
    ['POST', `/api/crm/orders/${orderId}/push`, { destination_id: id }],
  ] as const) {
    expect([url, (await call(stranger, method, url, body)).statusCode]).toEqual([url, 404])
  }
  await call(owner, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: id })
  expect(await deliveries(stranger, '')).toMatchObject({ data: [], total: 0 })
  const reader = await createCustomer(world.database.db)
  await world.database.db.execute(`UPDATE access.api_key SET scopes = '{read}' WHERE account_id = $1`, [
    reader.accountId,
  ])
  const session = await logInCustomer(api, reader)
  const refused = await call(session, 'POST', '/api/crm/destinations', { type: 'hubspot', name: 'x', settings: {} })
  expect(refused.json()).toMatchObject({ error_code: 'SCOPE_MISSING', missing_scopes: ['deliver'] })
})

test('a plan writes nothing, names each field before and after, and its hash is refused once the CRM or the data has moved', async () => {
  const customer = await newCustomer(api, world.database)
  const id = await add(customer, 'salesforce', { deliver: 'approved' })
  const { db } = world.database
  const first = await insertOrder(db, customer.accountId, [gstLead(1, { City: 'Margao' }), gstLead(2)])
  const plan = async (orderId: string) =>
    (await call(customer, 'POST', `/api/crm/orders/${orderId}/plan`, { destination_id: id })).json()
  const push = async (orderId: string, hash?: string) =>
    call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: id, ...(hash ? { hash } : {}) })
  const planned = await plan(first)
  expect(planned).toMatchObject({
    counts: { create: 2, update: 0 },
    calls: 2,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(writes('salesforce')).toEqual([])
  expect((await push(first)).json()).toMatchObject({ error_code: 'CONFLICT', reason: 'approval_required' })
  expect((await push(first, planned.hash)).statusCode).toBe(201)
  await world.until(async () => expect(await deliveries(customer, 'outcome=created')).toMatchObject({ total: 2 }))

  const second = await insertOrder(db, customer.accountId, [gstLead(1, { City: 'Vasco' }), gstLead(3, { Email: 'no' })])
  const before = writes('salesforce').length
  const changed = await plan(second)
  expect(changed.counts).toEqual({ create: 0, update: 1, adopt: 0, unchanged: 0, conflict: 0, reject: 1 })
  expect(changed.rows[0]).toMatchObject({ action: 'update', fields: { City: { before: 'Margao', after: 'Vasco' } } })
  expect(writes('salesforce')).toHaveLength(before)
  await db.execute(`UPDATE orders.lead SET flat = flat || '{"City": "Mapusa"}' WHERE order_id = $1 AND position = 0`, [
    second,
  ])
  expect((await push(second, changed.hash)).json()).toMatchObject({ error_code: 'CONFLICT', reason: 'plan_moved' })
  expect(await deliveries(customer, `order_id=${second}`)).toMatchObject({ total: 0 })
})

test('an order whose leads are still being built has no plan yet: nobody is asked, and no hash approves it', async () => {
  const customer = await newCustomer(api, world.database)
  const id = await add(customer, 'hubspot')
  const { db } = world.database
  const orderId = await insertOrder(db, customer.accountId, [gstLead(1), gstLead(2)])
  const ask = (act: 'plan' | 'push', more: object = {}) =>
    call(customer, 'POST', `/api/crm/orders/${orderId}/${act}`, { destination_id: id, ...more })
  const { hash } = (await ask('plan')).json()
  const [lead] = await db.query<{ kept: object }>(
    'DELETE FROM orders.lead WHERE order_id = $1 AND position = 1 RETURNING to_jsonb(lead) AS kept',
    [orderId],
  )
  const calls = world.box('hubspot').calls().length
  for (const reply of [await ask('plan'), await ask('push', { hash })]) {
    expect(reply.statusCode, reply.body).toBe(409)
    expect(reply.json()).toMatchObject({ error_code: 'LEADS_NOT_READY' })
    expect(reply.headers['retry-after']).toBe('2')
  }
  expect(world.box('hubspot').calls()).toHaveLength(calls)
  expect(await deliveries(customer, '')).toMatchObject({ total: 0 })
  await db.execute('INSERT INTO orders.lead SELECT (jsonb_populate_record(NULL::orders.lead, $1)).*', [lead?.kept])
  expect((await ask('plan')).json()).toMatchObject({ hash, counts: { create: 2 } })
  expect((await ask('push', { hash })).statusCode).toBe(201)
})

test('a paid order goes into the automatic destinations automatically, refused leads are named and tried again', async () => {
  const { db } = world.database
  const customer = await newCustomer(api, world.database)
  await addCredits(db, customer.accountId, 10)
  const automatic = await add(customer, 'salesforce')
  const manual = await add(customer, 'hubspot', { deliver: 'manual' })
  const refusal = { statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message: 'No leads from Goa', fields: ['State'] }
  world.box('salesforce').addFault({
    ...{ kind: 'status', status: 200, match: 'composite/sobjects/Lead', times: 1 },
    body: [{ success: false, errors: [refusal] }],
  })
  const lead = await call(customer, 'POST', '/api/crm/newlead', { entity_type: 'gst', identifier: known.gstin })
  expect(lead.json()).toMatchObject({ destinations: [automatic] })
  // The recorded wake-up of the API is sent by any worker's next look.
  await world.until(async () =>
    expect(await deliveries(customer, `destination_id=${automatic}`)).toMatchObject({
      total: 1,
      data: [
        {
          record: `gst:${known.gstin}`,
          outcome: 'rejected',
          code: refusal.statusCode,
          field: 'State',
          message: expect.stringContaining(refusal.message),
        },
      ],
    }),
  )
  expect(await deliveries(customer, `destination_id=${manual}`)).toMatchObject({ total: 0 })
  const [row] = (await deliveries(customer, `record=${known.gstin}&outcome=rejected`)).data
  for (const record of [known.gstin.toLowerCase(), `gst:${known.gstin.toLowerCase()}`, `GST:${known.gstin}`]) {
    expect((await deliveries(customer, `record=${record}`)).data).toEqual([row])
  }
  const retried = await call(customer, 'POST', `/api/crm/deliveries/${row.delivery_id}/retry`)
  expect(retried.json()).toEqual({ retried: 1 })
  await world.until(async () =>
    expect(await deliveries(customer, 'outcome=created')).toMatchObject({
      total: 1,
      data: [{ delivery_id: row.delivery_id, code: null, crm_url: expect.stringMatching(/^http.*00Q/) }],
    }),
  )
  expect((await call(customer, 'POST', '/api/crm/deliveries/retry', {})).json()).toEqual({ retried: 0 })
})

test('the receipt of a delivery verifies offline, and one that was changed, or signed by another key, does not', async () => {
  const { db } = world.database
  const customer = await newCustomer(api, world.database)
  await addCredits(db, customer.accountId, 10)
  await add(customer, 'hubspot')
  await call(customer, 'POST', '/api/crm/newlead', { entity_type: 'gst', identifier: known.gstin })
  await world.until(async () => expect(await deliveries(customer, 'outcome=created')).toMatchObject({ total: 1 }))
  const [row] = (await deliveries(customer, '')).data
  const reply = await call(customer, 'GET', `/api/crm/deliveries/${row.delivery_id}/receipt`)
  const file = reply.json()
  expect(file.receipt).toMatchObject({
    record: `gst:${known.gstin}`,
    crm_id: row.crm_id,
    outcome: 'created',
    payload_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    ledger_transfer: expect.any(Number),
  })
  const verdict = await verifyReceipt(reply.body)
  expect(verdict).toEqual({ ok: true, kid: expect.any(String), reason: null })
  expect(await verifyReceipt(JSON.stringify(file, undefined, 2), { kid: String(verdict.kid) })).toMatchObject({
    ok: true,
  })
  const forged = { ...file, receipt: { ...file.receipt, crm_id: '1' } }
  const cut = { ...file, jws: `${file.jws.slice(0, -4)}AAAA` }
  for (const text of [JSON.stringify(forged), JSON.stringify(cut), '{}', 'no receipt', '']) {
    expect(await verifyReceipt(text)).toMatchObject({ ok: false, reason: expect.any(String) })
  }
  expect(await verifyReceipt(reply.body, { kid: 'another' })).toMatchObject({ ok: false })
  for (const [state, why] of [
    ['pending', 'nothing to confirm yet'],
    ['rejected', 'does not hold this lead'],
  ] as const) {
    await db.execute('UPDATE deliver.delivery SET state = $2 WHERE delivery_id = $1', [row.delivery_id, state])
    const refused = await call(customer, 'GET', `/api/crm/deliveries/${row.delivery_id}/receipt`)
    expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining(why)])
  }
})

test('an order for a destination with a time of day waits until then', async () => {
  const { db } = world.database
  const customer = await newCustomer(api, world.database)
  await addCredits(db, customer.accountId, 10)
  await add(customer, 'hubspot', { deliver: '07:30' })
  const reply = await call(customer, 'POST', '/api/crm/newlead', { entity_type: 'gst', identifier: known.gstin })
  expect(reply.json()).toMatchObject({ destinations: [] })
  const [push] = await db.query<{ at: string; ahead: boolean }>(
    `SELECT to_char(due_at AT TIME ZONE 'Asia/Kolkata', 'HH24:MI') AS at, due_at > now() AND due_at < now() + interval '1 day' AS ahead
     FROM deliver.push WHERE order_id = $1`,
    [reply.json().order_id],
  )
  expect(push).toEqual({ at: '07:30', ahead: true })
  await db.execute('UPDATE deliver.push SET due_at = now()')
  await world.until(async () => expect(await deliveries(customer, 'outcome=created')).toMatchObject({ total: 1 }))
})

test('an order that waits for its time of day follows a change of `deliver`: to the new time, or not at all, or at once', async () => {
  const { db } = world.database
  const hoursAhead = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata' }).slice(0, 5)
  const [earlier, later] = [hoursAhead(6), hoursAhead(12)]
  const waiting = async () => {
    const customer = await newCustomer(api, world.database)
    await addCredits(db, customer.accountId, 10)
    const id = await add(customer, 'hubspot', { deliver: earlier })
    await call(customer, 'POST', '/api/crm/newlead', { entity_type: 'gst', identifier: known.gstin })
    const change = async (deliver: string) => {
      expect((await call(customer, 'PATCH', `/api/crm/destinations/${id}`, { deliver })).statusCode).toBe(200)
      return db.query(
        `SELECT status, to_char(due_at AT TIME ZONE 'Asia/Kolkata', 'HH24:MI') AS at FROM deliver.push WHERE destination_id = $1`,
        [id],
      )
    }
    return { customer, change }
  }
  const [one, other] = [await waiting(), await waiting()]
  expect(await one.change(later)).toEqual([{ status: 'queued', at: later }])
  expect(await one.change('approved')).toMatchObject([{ status: 'finished' }])
  await one.change('automatic')
  await other.change('automatic')
  const created = (customer: LoggedIn) => deliveries(customer, 'outcome=created')
  await world.until(async () => expect(await created(other.customer)).toMatchObject({ total: 1 }))
  expect(await deliveries(one.customer, '')).toMatchObject({ total: 0 })
})

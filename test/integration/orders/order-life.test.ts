/** What becomes of an order after it was placed: owned records, bad contacts, refunds, expiry, traces. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { addCredits, resetLimits } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { cinOf, gstinOf, insertCompany, insertContact, insertDirector, insertGst } from './world.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn

/** 1 to 20: by e-mail; 21 to 40: by mobile; 41 to 60: not at all; 61 on: in no register. */
beforeAll(async () => {
  const { db } = database
  for (let serial = 1; serial <= 60; serial++) {
    await insertGst(db, gstinOf(serial), { state: 'Goa', status: 'Active' })
    if (serial <= 20) await insertContact(db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
    else if (serial <= 40) {
      await insertContact(db, 'gst', gstinOf(serial), { mobile: `+9198123456${serial}` })
    }
  }
})
beforeEach(async () => {
  await resetLimits(database.db)
  customer = await newCustomer(api, database)
  await addCredits(database.db, customer.accountId, 20)
})

const items = (...serials: number[]) =>
  serials.map((serial) => ({ type: 'gst', name: `Taxpayer ${serial}`, number: gstinOf(serial) }))
const balance = () => creditBalance(database.db, customer.accountId)

async function order(...serials: number[]): Promise<string> {
  const body = { orderName: 'Pilot', paymentOption: 'credits', items: items(...serials) }
  const reply = await api.post('/api/orders/normal', customer.token, body)
  expect(reply.statusCode).toBe(201)
  return reply.json()._id
}
const details = async (orderId: string) => (await api.get(`/api/orders/${orderId}`, customer.token)).json()
const proved = async () => expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])

test('a record bought within 30 days comes again without a second charge, and says so; for another account it costs', async () => {
  await order(1, 2)
  const again = await order(2, 3)
  expect(await balance()).toBe(17)
  expect(await details(again)).toMatchObject({
    total_amount: 1,
    items_count: 2,
    items: [
      { already_owned: true, refunded: false },
      { already_owned: false, refunded: false },
    ],
  })
  await buildLeads(database.db, { orderId: again, leadSource: 'Panji', refund: refundItems })
  const leads = (await api.get(`/api/crm/orders/${again}/leads`, customer.token)).json()
  expect(leads.leads.map(({ Email }: { Email: string }) => Email)).toEqual(['gst2@example.in', 'gst3@example.in'])
  // Wholly owned, it costs nothing, also without a credit left.
  await api.post(`/admin/users/${customer.accountId}/credits`, operatorToken, {
    credits: -17,
    reference: customer.accountId,
    reason: 'none',
  })
  expect(await details(await order(1, 3))).toMatchObject({ total_amount: 0, payment_status: 'paid' })

  const other = await newCustomer(api, database)
  await addCredits(database.db, other.accountId, 5)
  await api.post('/api/orders/normal', other.token, { orderName: 'x', paymentOption: 'credits', items: items(1) })
  expect(await creditBalance(database.db, other.accountId)).toBe(4)
  await proved()
})

test('after 30 days, or once its credit came back, a record costs again', async () => {
  const first = await order(4, 5)
  await database.db.execute(`UPDATE orders.purchase SET paid_at = now() - interval '31 days' WHERE order_id = $1`, [
    first,
  ])
  const second = await order(4)
  expect(await balance()).toBe(17)
  await api.post(`/admin/orders/${second}/refund`, operatorToken, { reason: 'wrong' })
  expect(await balance()).toBe(18)
  await order(4)
  expect(await balance()).toBe(17)
  await proved()
})

test('parallel orders of one record charge it once', async () => {
  await Promise.all(Array.from({ length: 12 }, () => order(6)))
  expect(await balance()).toBe(19)
  await proved()
})

test('a bad contact is reported once, an operator decides once, and an accepted report brings the credit back', async () => {
  const orderId = await order(7, 8, 43)
  const report = (index: number, reason = 'rings at a bakery') =>
    api.post(`/api/orders/${orderId}/items/${index}/dispute`, customer.token, { reason })
  const opened = await report(0)
  expect([opened.statusCode, opened.json()]).toEqual([
    201,
    expect.objectContaining({ order_id: orderId, index: 0, number: gstinOf(7), status: 'open', decided_at: null }),
  ])
  expect((await report(0)).json().error_code).toBe('CONFLICT')
  expect((await report(2)).json().error_code).toBe('CONFLICT')
  expect((await report(3)).json().error_code).toBe('NOT_FOUND')
  const second = (await report(1)).json()
  const decide = (id: string, decision: string) =>
    api.post(`/admin/disputes/${id}/decide`, operatorToken, { decision, reason: 'called them' })
  const both = await Promise.all([
    decide(opened.json().dispute_id, 'accept'),
    decide(opened.json().dispute_id, 'accept'),
  ])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect((await decide(second.dispute_id, 'reject')).json()).toMatchObject({ status: 'rejected', note: 'called them' })
  expect((await decide(second.dispute_id, 'accept')).json().error_code).toBe('CONFLICT')
  expect(await balance()).toBe(19)
  expect((await details(orderId)).items).toMatchObject([
    { refunded: true, refund_reason: 'dispute', dispute: 'accepted' },
    { refunded: false, dispute: 'rejected' },
    { refunded: true, refund_reason: 'no_contact', dispute: null },
  ])
  const stranger = await newCustomer(api, database)
  const foreign = await api.post(`/api/orders/${orderId}/items/0/dispute`, stranger.token, { reason: 'x' })
  expect(foreign.statusCode).toBe(404)
  await proved()
})

test('an operator finds an order by whatever names it, and reads why each item was charged', async () => {
  const orderId = await order(9, 44)
  const [item] = await database.db.query<{ id: string }>('SELECT item_id AS id FROM orders.item WHERE order_id = $1', [
    orderId,
  ])
  const [account] = await database.db.query<{ email: string }>(
    'SELECT email FROM access.account WHERE account_id = $1',
    [customer.accountId],
  )
  const spaced = `${gstinOf(44).slice(0, 2)} ${gstinOf(44).slice(2).toLowerCase()}`
  for (const search of [orderId, item?.id, customer.accountId, account?.email.toUpperCase(), gstinOf(44), spaced]) {
    const found = (await api.get(`/admin/orders?search=${encodeURIComponent(search ?? '')}`, operatorToken)).json()
    expect([search, found.data.map(({ _id }: { _id: string }) => _id)]).toEqual([search, [orderId]])
  }
  const shown = (await api.get(`/admin/orders/${orderId}`, operatorToken)).json()
  expect(shown.items).toMatchObject([
    { charged: true, why: 'has a usable contact: one credit', credit_type: 'granted' },
    { charged: false, why: 'no usable contact: the credit was refunded', refund_reason: 'no_contact' },
  ])
  const copy = await order(9)
  const whyCopied = async () => (await api.get(`/admin/orders/${copy}`, operatorToken)).json().items[0].why
  expect(await whyCopied()).toBe('bought before by this account: no charge')
  await api.post(`/admin/orders/${orderId}/refund`, operatorToken, { items: [0], reason: 'wrong' })
  expect(await whyCopied()).toBe('bought before by this account, and the credit for it was refunded: withdrawn')
})

test('an order that is not paid in time expires, and only such a one', async () => {
  const pending = async (hours: number) => {
    const [row] = await database.db.query<{ id: string }>(
      `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count, created_at)
       VALUES ($1, 'waits', 'online', 'pending', 'pending', 1, 1, now() - make_interval(hours => $2)) RETURNING order_id AS id`,
      [customer.accountId, hours],
    )
    return row?.id ?? ''
  }
  const [old, young, paid] = [await pending(49), await pending(47), await order(10)]
  expect((await closeLedgerDay(database.as('panji_worker'))).expiredOrders).toBe(1)
  expect((await details(old)).status).toBe('expired')
  expect((await details(young)).status).toBe('pending')
  expect((await details(paid)).status).toBe('completed')
  expect((await api.post(`/api/orders/${old}/cancel`, customer.token)).statusCode).toBe(409)
})

test('a quote counts what an order would bring and cost, and names nobody', async () => {
  await order(11)
  const quote = (body: object) => api.post('/api/orders/quote', customer.token, body)
  const asked = items(11, 12, 31, 45, 70).map(({ type, number }) => ({ type, number }))
  const told = (await quote({ items: asked })).json()
  expect(told).toEqual({
    types: [
      {
        ...{
          type: 'gst',
          asked: 5,
          exist: 4,
          inactive: 0,
          reachable: 3,
          by_email: 2,
          by_mobile: 1,
          already_owned: 1,
          suppressed: 0,
        },
        ...{ credits_needed: 2, credits_held: 3, adds: ['Email', 'Mobile', 'Phone'] },
      },
    ],
    ...{ credits_needed: 2, credits_held: 3, credit_balance: 19, online_price: null, found: null },
  })
  expect(await balance()).toBe(19)
  const searched = (await quote({ query: "state == 'Goa'", type: 'gst', limit: 20 })).json()
  expect(searched).toMatchObject({ found: 60, types: [{ asked: 20, exist: 20 }] })
  expect((await quote({})).statusCode).toBe(400)
  expect((await quote({ items: asked, query: "state == 'Goa'", type: 'gst' })).statusCode).toBe(400)
  await database.db.execute(
    `UPDATE access.daily_usage SET used = 4999 WHERE account_id = $1 AND kind = 'quoted_items'`,
    [customer.accountId],
  )
  expect((await quote({ items: asked })).json()).toMatchObject({ error_code: 'RATE_LIMITED', budget: 'quoted_items' })
})

test('a quote says how many records are inactive, and an order leaves them out where it is asked to, and only there', async () => {
  const { db } = database
  const company = { struck: cinOf(1), leaving: cinOf(2) }
  const din = { deactivated: '00000001', disqualified: '00000002', approved: '00000003' }
  await insertGst(db, gstinOf(101), { status: 'Cancelled' })
  await insertGst(db, gstinOf(102), { status: 'Suspended' })
  await insertCompany(db, company.struck, { status: 'Struck Off' })
  await insertCompany(db, company.leaving, { status: 'Under Process of Striking Off' })
  await insertDirector(db, din.deactivated, { status: 'Deactivated' })
  await insertDirector(db, din.disqualified, { status: 'Approved', disqualified: 'Yes' })
  await insertDirector(db, din.approved, { status: 'Approved', disqualified: 'No' })
  const named = (type: string, ...numbers: string[]) => numbers.map((number) => ({ type, name: number, number }))
  const asked = [
    ...named('gst', gstinOf(101), gstinOf(102), gstinOf(1)),
    ...named('company', company.struck, company.leaving),
    ...named('director', din.deactivated, din.disqualified, din.approved),
  ]
  const quote = async (more: object) =>
    (await api.post('/api/orders/quote', customer.token, { items: asked, ...more })).json()
  const counts = ({ types }: { types: Record<string, number>[] }) =>
    types.map(({ asked, inactive, credits_held }) => [asked, inactive, credits_held])
  expect(counts(await quote({}))).toEqual([
    [2, 1, 2],
    [3, 2, 3],
    [3, 1, 3],
  ])
  const without = await quote({ exclude_inactive: true })
  expect(counts(without)).toEqual([
    [2, 1, 1],
    [3, 2, 1],
    [3, 1, 2],
  ])
  const place = async (items: readonly object[], more: object = {}) => {
    const body = { orderName: 'Pilot', paymentOption: 'credits', items, ...more }
    return (await api.post('/api/orders/normal', customer.token, body)).json()
  }
  const chosen = await place(asked, { exclude_inactive: true })
  expect(chosen).toMatchObject({ items_count: 4, total_amount: without.credits_held, excluded: [0, 3, 5, 6] })
  const { items: kept } = await details(chosen._id)
  expect(kept.map(({ number }: { number: string }) => number)).toEqual([
    ...[gstinOf(102), gstinOf(1), company.leaving, din.approved],
  ])
  // What is bought already is told at its new place, and nothing is left out unasked.
  const again = await place([...named('gst', gstinOf(101), gstinOf(1), gstinOf(2))], { exclude_inactive: true })
  expect(again).toMatchObject({ items_count: 2, total_amount: 1, excluded: [0] })
  const all = await place(asked)
  expect([all.items_count, 'excluded' in all]).toEqual([8, false])
  const before = await balance()
  const none = await place(named('gst', gstinOf(101)), { exclude_inactive: true })
  expect(none).toMatchObject({ error_code: 'UNPROCESSABLE', detail: expect.stringContaining('Nothing was ordered') })
  expect(await balance()).toBe(before)
  await proved()
})

test('an address in punycode or of a disposable domain counts as none: the quote says so, and its credit comes back', async () => {
  const addresses = [
    'a@xn--p1b6ci4b4b3a.in',
    'b@mail.xn--h2brj9c',
    'c@mailinator.com',
    'd@in.yopmail.com',
    'e@notyopmail.com',
  ]
  for (const [at, email] of addresses.entries()) {
    await insertGst(database.db, gstinOf(111 + at), { status: 'Active' })
    await insertContact(database.db, 'gst', gstinOf(111 + at), { email, emails: [email] })
  }
  const asked = items(111, 112, 113, 114, 115)
  const quote = (await api.post('/api/orders/quote', customer.token, { items: asked })).json()
  expect(quote.types[0]).toMatchObject({ reachable: 1, by_email: 1, suppressed: 0, credits_needed: 1, credits_held: 5 })
  const before = await balance()
  const { items: ordered } = await details(await order(111, 112, 113, 114, 115))
  expect(ordered.map(({ has_contact: has }: { has_contact: boolean }) => has)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
  expect(await balance()).toBe(before - 1)
  await proved()
})

test('whoever cannot pay for what is left learns no more of the registers than a quote tells, from the same budget', async () => {
  const poor = await newCustomer(api, database)
  const body = { orderName: 'Pilot', paymentOption: 'credits', items: items(1, 2, 103), exclude_inactive: true }
  await insertGst(database.db, gstinOf(103), { status: 'Cancelled' })
  const reply = await api.post('/api/orders/normal', poor.token, body)
  expect(reply.json()).toMatchObject({ error_code: 'INSUFFICIENT_CREDITS', required: 2 })
  const [used] = await database.db.query<{ used: number }>(
    `SELECT used FROM access.daily_usage WHERE account_id = $1 AND kind = 'quoted_items'`,
    [poor.accountId],
  )
  expect(used?.used).toBe(3)
})

test('the trace leads from the snapshot over the lead and its entries to the CRM', async () => {
  const { db } = database
  await db.execute(
    `INSERT INTO ingest.run (run_id, source, input, mode, as_of, status, sha256) OVERRIDING SYSTEM VALUE
     VALUES (7, 'gst-taxpayers', 'https://example.in/a/gst.csv.gz?token=secret', 'snapshot', '2026-06-01', 'no_op', 'ab12')`,
  )
  await db.execute(
    `INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no) VALUES ('gst', $1, 7, 'insert', '2026-06-01', 12),
       ('gst', $2, 7, 'insert', '2026-06-01', 99), ('company', $1, 7, 'insert', '2026-06-01', 98), ('gst', $1, 8, 'update', '2026-06-02', 97)`,
    [gstinOf(13), gstinOf(14)],
  )
  await db.execute('INSERT INTO ingest.line_offset (run_id, record_no, line_offset) VALUES (7, 1, 1)')
  const orderId = await order(13, 46)
  await buildLeads(db, { orderId, leadSource: 'Panji', refund: refundItems })
  const reply = await api.get(`/api/orders/${orderId}/trace`, customer.token)
  const { data } = reply.json()
  expect(data).toMatchObject([
    {
      index: 0,
      number: gstinOf(13),
      snapshot: { source: 'gst-taxpayers', name: 'gst.csv.gz', sha256: 'ab12', day: '2026-06-01', line: 13, run_id: 7 },
      lead: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      contacts: [
        { kind: expect.stringMatching(/^(email|mobile)$/), day: '2026-06-01', do_not_contact: false, preferences: [] },
      ],
      entries: [{ kind: 'spend', reference: `order:${orderId}`, amount: -1 }],
      deliveries: [],
    },
    { index: 1, snapshot: null, lead: null, contacts: [], entries: [{ kind: 'spend' }, { kind: 'refund', amount: 1 }] },
  ])
  expect(reply.body).not.toContain('secret')
  expect(data[0].contacts[0]).not.toHaveProperty('value')
  // A record that tells of its insert itself leads to the same line.
  await db.execute(
    `WITH gone AS (DELETE FROM ingest.change WHERE entity = 'gst' AND identifier = $1 AND run_id = 7 RETURNING *)
     UPDATE registry.gst_taxpayer SET first_run_id = 7, insert_change_id = gone.change_id, insert_record_no = gone.record_no
     FROM gone WHERE gstin = gone.identifier`,
    [gstinOf(13)],
  )
  expect((await api.get(`/api/orders/${orderId}/trace`, customer.token)).json().data).toEqual(data)
  // Of two that came back each tells of its own entry.
  const twice = (await api.get(`/api/orders/${await order(46, 47)}/trace`, customer.token)).json().data
  expect(twice.map(({ entries }: { entries: object[] }) => entries)).toMatchObject([
    [{ kind: 'spend' }, { kind: 'refund' }],
    [{ kind: 'spend' }, { kind: 'refund' }],
  ])
  const stranger = await newCustomer(api, database)
  expect((await api.get(`/api/orders/${orderId}/trace`, stranger.token)).statusCode).toBe(404)
})

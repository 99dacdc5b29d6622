/** No order gives anything of the registers for nothing: neither unpaid, nor refunded, nor refused for want of credits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadColumns } from '../../config/lead-columns.ts'
import { budgets } from '../../config/plans.ts'
import { razorpay } from '../../src/orders/payments/razorpay.ts'
import { buildTestServer, type LoggedIn, newCustomer, recordJobs, useApi } from '../support/api.ts'
import { addCredits, fillRegisters, known, orderBody } from '../support/api-world.ts'
import { useTestDatabase } from '../support/database.ts'
import { type FakeProcessor, startProcessor } from '../support/payment-processor.ts'

const database = useTestDatabase()
const api = useApi(database)
let processor: FakeProcessor
let online: Awaited<ReturnType<typeof buildTestServer>>

beforeAll(async () => {
  await fillRegisters(database.db)
  processor = await startProcessor()
  const settings = { leadSource: 'Panji', onlineLabel: 'online', payments: razorpay(processor.settings) }
  online = await buildTestServer(database, recordJobs(), [], { settings })
})
afterAll(async () => {
  await online.close()
  await processor.close()
})

const callOnline = (method: 'GET' | 'POST', url: string, { token }: LoggedIn, payload?: object) =>
  online.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload ? { payload } : {}) })

describe('an order that is not paid', () => {
  const paths = (id: string) => [
    `/api/crm/orders/${id}/leads`,
    `/api/crm/orders/${id}/leads?format=nested`,
    `/api/orders/${id}/export`,
    `/api/orders/${id}/export?format=csv`,
    `/api/orders/${id}`,
  ]
  /** What the registers and contacts say of the three records and the buyer did not. */
  const secrets =
    /PETRO LIMITED|ASHA RAMESH|Fontainhas|Panaji|Harbour House|AAACR5055K"|reach@|office@|\+9198|cereals|500000|Public|2024-05-01|0902|998313|KAMAT/

  async function unpaid(customer: LoggedIn): Promise<string> {
    const reply = await callOnline('POST', '/api/orders/normal', customer, {
      ...orderBody,
      paymentOption: 'online',
      items: [...orderBody.items, { type: 'company', name: 'Mandovi', number: known.llpin }],
    })
    expect(reply.statusCode).toBe(201)
    return reply.json()._id
  }

  test.each([
    ['waits for its payment', 'pending', 'pending'],
    ['failed', 'failed', 'failed'],
    ['was cancelled', 'cancelled', 'cancelled'],
    ['was refunded', 'completed', 'refunded'],
  ])(
    'and %s shows identifiers, the names that its buyer gave, and who can be reached; nothing of the registers',
    async (_, status, payment) => {
      const customer = await newCustomer(api, database)
      const id = await unpaid(customer)
      const move = (to: readonly string[]) =>
        database.db.execute('UPDATE orders.purchase SET status = $2, payment_status = $3 WHERE order_id = $1', [
          id,
          ...to,
        ])
      // Only what was paid is refunded.
      if (payment === 'refunded') await move(['completed', 'paid'])
      await move([status, payment])
      const answers = await Promise.all(paths(id).map((path) => callOnline('GET', path, customer)))
      for (const { statusCode, body } of answers) {
        expect(statusCode).toBe(200)
        expect(body).not.toMatch(secrets)
        expect(body).toContain(known.cin)
      }
      const [flat, nested, json, , order] = answers.map((answer) =>
        answer.headers['content-type']?.includes('json') ? answer.json() : null,
      )
      expect(flat.total).toBe(4)
      for (const [index, type] of (['company', 'director', 'gst', 'company'] as const).entries()) {
        const row = flat.leads[index]
        expect(Object.keys(row)).toEqual(leadColumns[type].map(({ name }) => name))
        const filled = Object.keys(row).filter((name) => row[name] !== null)
        expect(filled.sort()).toEqual(
          {
            company: ['CIN', 'Company', 'Last_Name', 'Lead_Source'],
            director: ['DIN', 'Full_Name', 'Last_Name', 'Lead_Source'],
            gst: ['Company', 'GSTIN', 'Last_Name', 'Lead_Source'],
          }[type],
        )
      }
      expect(nested.leads[0]).toEqual({
        type: 'company',
        identifier: known.cin,
        name: 'Konkan Petro',
        lead: {
          Last_Name: 'Konkan Petro',
          Company: 'Konkan Petro',
          Email: null,
          Phone: null,
          City: null,
          State: null,
          Lead_Source: 'Panji',
          CIN: known.cin,
        },
        full_data: { company: null, directors: [], gst: [] },
      })
      expect(json.data).toEqual([
        { type: 'company', CIN: known.cin, companyName: 'Konkan Petro', reachable: true, directors: [], gst: [] },
        { type: 'director', DIN: known.din, Name: 'Asha Kamat', reachable: true, directors: [], gst: [] },
        { type: 'gst', GSTIN: known.gstin, TradeName: 'Konkan Petro', reachable: true, directors: [], gst: [] },
        { type: 'company', CIN: known.llpin, companyName: 'Mandovi', reachable: false, directors: [], gst: [] },
      ])
      expect(order.reachable).toBe(3)
      expect(order.items.map(({ has_contact }: { has_contact: boolean }) => has_contact)).toEqual([
        true,
        true,
        true,
        false,
      ])
      expect(await database.db.query('SELECT FROM orders.lead WHERE order_id = $1', [id])).toEqual([])
    },
  )

  test('reads nothing of the registers when it is shown: records that vanished since change no answer', async () => {
    const customer = await newCustomer(api, database)
    const id = await unpaid(customer)
    const before = await Promise.all(paths(id).map(async (path) => (await callOnline('GET', path, customer)).body))
    await database.db.execute('CREATE SCHEMA aside; ALTER TABLE registry.company SET SCHEMA aside')
    try {
      const after = await Promise.all(paths(id).map(async (path) => (await callOnline('GET', path, customer)).body))
      expect(after).toEqual(before)
    } finally {
      await database.db.execute('ALTER TABLE aside.company SET SCHEMA registry; DROP SCHEMA aside')
    }
  })

  test('an item whose credit came back shows no record, though the rest of its order does', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 10)
    const id = (await api.post('/api/orders/normal', customer.token, orderBody)).json()._id
    expect((await api.get(`/api/crm/orders/${id}/leads`, customer.token)).json().total).toBe(3)
    await database.db.execute(`UPDATE orders.item SET refunded_at = now() WHERE order_id = $1 AND type = 'director'`, [
      id,
    ])
    const { leads } = (await api.get(`/api/crm/orders/${id}/leads?format=nested`, customer.token)).json()
    expect(leads.map(({ type }: { type: string }) => type)).toEqual(['company', 'gst'])
    expect((await api.get(`/api/orders/${id}/export`, customer.token)).body).not.toContain('Fontainhas"')
  })
})

describe('an order', () => {
  const missing = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => ({
      type: 'company',
      name: 'X',
      number: `U85100GA2022PTC9${String(from + n).padStart(5, '0')}`,
    }))
  const order = ({ token }: LoggedIn, items: readonly object[]) =>
    api.post('/api/orders/normal', token, { orderName: 'Probe', paymentOption: 'credits', items })

  test('by an account without credits answers for the credits, whether its identifiers exist or not', async () => {
    const customer = await newCustomer(api, database)
    const real = [{ type: 'company', name: 'X', number: known.cin }]
    const [one, other] = [await order(customer, real), await order(customer, missing(1))]
    const answer = ({ statusCode, json }: typeof one) => {
      const { request_id: _, ...body } = json()
      return [statusCode, body]
    }
    expect(answer(one)).toEqual(answer(other))
    expect(one.json().error_code).toBe('INSUFFICIENT_CREDITS')
    const lead = await api.post('/api/crm/newlead', customer.token, {
      entity_type: 'gst',
      identifier: known.missing.gstin,
    })
    expect(lead.json().error_code).toBe('INSUFFICIENT_CREDITS')
  })

  test('pays for unknown items out of a daily budget, after which every order waits, also of known items', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 5_000)
    const limit = budgets.free.unknownItems ?? 0
    const named = await order(customer, missing(limit - 10))
    expect([named.statusCode, named.json().indexes.length]).toEqual([404, limit - 10])
    // More than are left: which of them are unknown is not said, and the rest of the budget is gone.
    const beyond = await order(customer, [...orderBody.items, ...missing(11, 500)])
    expect([beyond.statusCode, beyond.json().error_code, beyond.json().indexes]).toEqual([
      429,
      'RATE_LIMITED',
      undefined,
    ])
    expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(0)
    const afterwards = await order(customer, orderBody.items)
    expect([afterwards.statusCode, afterwards.json().budget]).toEqual([429, 'unknown_items'])
  })

  test('names at most the budget of unknown items, however many orders come at once', async () => {
    const customer = await newCustomer(api, database)
    await addCredits(database.db, customer.accountId, 5_000)
    const limit = budgets.free.unknownItems ?? 0
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => order(customer, missing(Math.ceil(limit / 4), n * 200))),
    )
    const named = replies.filter(({ statusCode }) => statusCode === 404)
    expect(named).toHaveLength(4)
    expect(replies.every(({ statusCode }) => statusCode === 404 || statusCode === 429)).toBe(true)
  })
})

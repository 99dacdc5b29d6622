/** How deliveries go, CRM by CRM: by day, by the reason of what is rejected, and what waits. Of one account alone. */
import { expect, test } from 'vitest'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { secretKey as apiKey, type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertOrder } from './paid-order.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)

interface Summary {
  readonly destination_id: string
  readonly days: readonly { readonly day: string; readonly delivered: number; readonly rejected: number }[]
  readonly rejected: readonly { readonly field: string | null; readonly records: number }[]
  readonly left_out: readonly { readonly field: string | null; readonly records: number }[]
  readonly waiting: number
  readonly undecided: number
  readonly next_attempt_at: string | null
}

const call = (customer: LoggedIn, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  api.app.inject({ method, url, headers: { authorization: `Bearer ${customer.token}` }, ...(payload && { payload }) })
const summaries = async (customer: LoggedIn) =>
  (await call(customer, 'GET', '/api/crm/delivery-summary')).json<{ data: Summary[] }>().data

async function connect(customer: LoggedIn, crm: string): Promise<string> {
  const body = { type: crm, name: crm, settings: world.settings(crm) }
  return (await call(customer, 'POST', '/api/crm/destinations', body)).json<{ destination_id: string }>().destination_id
}

test('what was delivered today, what is rejected by reason and what waits is told of each CRM of the account', async () => {
  const [customer, other] = [await newCustomer(api, world.database), await newCustomer(api, world.database)]
  const salesforce = await connect(customer, 'salesforce')
  const zoho = await connect(customer, 'zoho')
  const orderId = await insertOrder(world.database.db, customer.accountId, [
    gstLead(1),
    gstLead(2, { Email: 'not-an-address' }),
    gstLead(3, { Email: 'nor-this-one' }),
  ])
  await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: salesforce })
  await world.until(async () => {
    const [first] = await summaries(customer)
    expect(first?.rejected.reduce((sum, { records }) => sum + records, 0)).toBe(2)
    expect(first?.days.at(-1)?.delivered).toBe(1)
  })
  const [first, second, ...more] = await summaries(customer)
  expect(more).toEqual([])
  expect(first?.destination_id).toBe(salesforce)
  expect(first?.days.length).toBe(14)
  expect(first?.days.at(-1)).toEqual({ day: indianDayOf(new Date()), delivered: 1, rejected: 2 })
  expect(first?.days.slice(0, -1).every(({ delivered, rejected }) => delivered + rejected === 0)).toBe(true)
  expect(first?.rejected).toMatchObject([{ field: 'Email', records: 2 }])
  expect([first?.waiting, first?.next_attempt_at]).toEqual([0, null])
  expect(second).toMatchObject({ destination_id: zoho, rejected: [], waiting: 0 })
  expect(await summaries(other)).toEqual([])

  // Nothing of a CRM that was removed can be fixed; what it took stays counted.
  await call(customer, 'DELETE', `/api/crm/destinations/${salesforce}`, {})
  const [removed] = await summaries(customer)
  expect(removed).toMatchObject({ destination_id: salesforce, rejected: [], left_out: [], waiting: 0 })
  expect(removed?.days).toEqual(first?.days)
})

test('what waits for a person, since the CRM holds records like it, is told of what waits', async () => {
  const customer = await newCustomer(api, world.database)
  const salesforce = await connect(customer, 'salesforce')
  const push = async (...leads: ReturnType<typeof gstLead>[]) => {
    const orderId = await insertOrder(world.database.db, customer.accountId, leads)
    await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: salesforce })
  }
  const first = async () => (await summaries(customer))[0]
  await push(gstLead(1))
  await world.until(async () => expect((await first())?.days.at(-1)?.delivered).toBe(1))
  const box = world.box('salesforce')
  for (const { id } of box.records()) box.edit(id, { Panji_Id__c: '' })
  await push(gstLead(2, { Email: String(gstLead(1).row['Email']) }), gstLead(3))
  await world.until(async () => expect(await first()).toMatchObject({ waiting: 1, undecided: 1 }))
})

/** As an administrator does in HubSpot itself. */
async function archiveProperty(path: string): Promise<void> {
  const { access_token: token, base_url: base } = world.settings('hubspot')
  const headers = { authorization: `Bearer ${token}` }
  const { status } = await fetch(`${base}/crm/properties/2026-03/${path}`, { method: 'DELETE', headers })
  expect(status).toBe(204)
}

test('a property that somebody archived in the CRM is told of with the leads that went without it, until they go again with it', async () => {
  const customer = await newCustomer(api, world.database)
  const hubspot = await connect(customer, 'hubspot')
  const orderId = await insertOrder(world.database.db, customer.accountId, [gstLead(11), gstLead(12)])
  await call(customer, 'POST', `/api/crm/destinations/${hubspot}/test`, {})
  await archiveProperty('companies/panji_gstin')
  await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: hubspot })
  await world.until(async () => {
    const [summary] = await summaries(customer)
    expect(summary?.left_out).toMatchObject([{ field: 'panji_gstin', records: 2 }])
    expect([summary?.rejected, summary?.waiting]).toEqual([[], 0])
  })
  const { data } = (await call(customer, 'GET', '/api/crm/deliveries')).json<{ data: readonly object[] }>()
  expect(data).toHaveLength(2)
  for (const delivery of data) {
    expect(delivery).toMatchObject({
      ...{ outcome: 'created', code: 'PROPERTY_DOESNT_EXIST', field: 'panji_gstin' },
      message: expect.stringContaining('HubSpot does not have'),
    })
  }
  await call(customer, 'POST', `/api/crm/destinations/${hubspot}/test`, {})
  const later = await insertOrder(world.database.db, customer.accountId, [
    gstLead(11, { City: 'Panaji' }),
    gstLead(12, { City: 'Panaji' }),
  ])
  await call(customer, 'POST', `/api/crm/orders/${later}/push`, { destination_id: hubspot })
  await world.until(async () => {
    const [summary] = await summaries(customer)
    expect([summary?.left_out, summary?.waiting, summary?.days.at(-1)?.delivered]).toEqual([[], 0, 4])
  })
  // What was done needs no doing any more, on the deliveries of the first order neither.
  const since = (await call(customer, 'GET', '/api/crm/deliveries')).json<{ data: readonly object[] }>()
  expect(since.data).toHaveLength(4)
  for (const delivery of since.data) expect(delivery).toMatchObject({ code: null, field: null, message: null })
})

test.each([
  ['salesforce', 'City'],
  ['zoho', 'City'],
] as const)(
  'a field of %s that its user may not write is told with the leads that went without it, until they are sent again with it',
  async (crm, field) => {
    const customer = await newCustomer(api, world.database)
    const destination = await connect(customer, crm)
    await call(customer, 'POST', `/api/crm/destinations/${destination}/test`, {})
    const orderId = await insertOrder(world.database.db, customer.accountId, [gstLead(11), gstLead(12)])
    world.box(crm).changeField?.(field, { writable: false })
    await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: destination })
    const told = async (leftOut: object[], code: string | null) => {
      const [summary] = await summaries(customer)
      expect([summary?.left_out, summary?.rejected, summary?.waiting]).toMatchObject([leftOut, [], 0])
      const { data } = (await call(customer, 'GET', '/api/crm/deliveries')).json<{ data: readonly object[] }>()
      expect(data).toMatchObject([1, 2].map(() => ({ outcome: 'created', code, field: code && field })))
    }
    await world.until(() => told([{ field, records: 2 }], 'FIELD_NOT_WRITABLE'))
    world.box(crm).changeField?.(field, { writable: true })
    await call(customer, 'POST', `/api/crm/destinations/${destination}/resend`, {})
    await world.until(() => told([], null))
    const held = world
      .box(crm)
      .records()
      .map(({ properties }) => properties[field])
    expect(held).toEqual([gstLead(11).row['City'], gstLead(12).row['City']])
  },
)

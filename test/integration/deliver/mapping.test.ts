/** A destination's own mapping: checked against the CRM's fields, seen before it is kept, heeded by plan and push. */
import { expect, test } from 'vitest'
import { companyLead, gstLead } from '../../conformance/sample-leads.ts'
import { secretKey as apiKey, type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertOrder } from './paid-order.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)

const call = async (customer: LoggedIn, method: 'GET' | 'PATCH' | 'POST' | 'PUT', url: string, payload?: object) =>
  api.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${customer.token}` },
    ...(payload ? { payload } : {}),
  })
const held = (crm: string) =>
  world
    .box(crm)
    .records()
    .map(({ properties }) => properties)

async function buyer(crm: string) {
  const customer = await newCustomer(api, world.database)
  const body = { type: crm, name: crm, settings: world.settings(crm), deliver: 'manual' }
  const id = (await call(customer, 'POST', '/api/crm/destinations', body)).json().destination_id as string
  const path = `/api/crm/destinations/${id}`
  expect((await call(customer, 'POST', `${path}/test`)).json()).toMatchObject({ ok: true })
  const push = async (
    leads: Parameters<typeof insertOrder>[2],
    outcome = { acknowledged: leads.length, rejected: 0 },
  ) => {
    const orderId = await insertOrder(world.database.db, customer.accountId, leads)
    await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: id })
    await world.until(async () => expect(await world.counts(orderId)).toMatchObject(outcome))
    return orderId
  }
  return { customer, path, push, id }
}

const names = {
  salesforce: { city: 'City', street: 'Street', source: 'LeadSource', phone: 'Phone' },
  hubspot: { city: 'companies.city', street: 'companies.address', source: 'companies.state', phone: 'companies.phone' },
} as const

/** Some of the fields that no mapping of these tests names. */
const filledBesides = { salesforce: ['Company', 'LastName', 'PostalCode'], hubspot: ['name', 'zip', 'panji_gstin'] }

test.each(['salesforce', 'hubspot'] as const)(
  'in %s constants, templates, transforms and omitted fields are what the preview says, and arrive so',
  async (crm) => {
    const { customer, path, push } = await buyer(crm)
    const field = names[crm]
    await push([gstLead(1), companyLead(1)])
    const fields = [
      { field: field.city, value: { template: '{District}, {State} ({Fax})' }, for: ['company'] },
      { field: field.city, value: { column: 'City' }, transform: ['upper'], for: ['gst'] },
      { field: field.street, value: { omit: true } },
      { field: field.source, value: { constant: 'Panji leads' }, ownership: 'if_empty' },
      { field: field.phone, ownership: 'always' },
    ]
    const wrong = await call(customer, 'POST', `${path}/mapping/preview`, { fields })
    expect(wrong.json().faults).toEqual(['fields[0]: a lead has no column Fax'])
    const good = [{ ...fields[0], value: { template: '{District}, {State}' } }, ...fields.slice(1)]
    const seen = (await call(customer, 'POST', `${path}/mapping/preview`, { fields: good })).json()
    expect(seen.faults).toEqual([])
    expect(seen.sample.find(({ record }: { record: string }) => record.startsWith('gst:')).fields).toEqual([
      { field: field.city, value: 'NORTH GOA', fault: null },
      { field: field.street, value: null, fault: null },
      { field: field.source, value: 'Panji leads', fault: null },
    ])
    expect((await call(customer, 'GET', `${path}/mapping`)).json()).toMatchObject({ fields: [] })
    const saved = await call(customer, 'PUT', `${path}/mapping`, { fields: good })
    expect([saved.statusCode, saved.json().faults]).toEqual([200, []])
    expect((await call(customer, 'GET', `${path}/mapping`)).json()).toMatchObject({ fields: good })

    const fresh = gstLead(7)
    await push([fresh])
    const bare = (name: string) => name.replace(/^companies\./, '')
    const arrived = held(crm).find((values) => JSON.stringify(values).includes(fresh.externalId))
    const { sample } = (await call(customer, 'POST', `${path}/mapping/preview`)).json()
    const shown = sample.find(({ record }: { record: string }) => record === fresh.externalId)
    const filled = [...shown.fields, ...shown.unmapped].filter(({ value }) => value !== null)
    expect(filled.map(({ field: name }) => bare(name))).toEqual(expect.arrayContaining(filledBesides[crm]))
    for (const { field: name, value } of filled) expect(String(arrived?.[bare(name)]), name).toBe(value)
    expect(arrived?.[bare(field.city)]).toBe('NORTH GOA')
    expect(arrived?.[bare(field.street)] ?? null).toBeNull()
    expect(arrived?.[bare(field.source)]).toBe('Panji leads')
    // What was there before stays as it was, until it is asked for; and `if_empty` keeps what is filled.
    const before = held(crm).find((values) => JSON.stringify(values).includes(gstLead(1).externalId))
    expect(before?.[bare(field.city)]).toBe('North Goa')
    await call(customer, 'PUT', `${path}/mapping`, { fields: good, resend: true })
    await world.until(() => {
      const after = held(crm).find((values) => JSON.stringify(values).includes(gstLead(1).externalId))
      expect(after?.[bare(field.city)]).toBe('NORTH GOA')
      expect(after?.[bare(field.source)]).toBe(before?.[bare(field.source)])
    })
  },
)

test('a mapping that the CRM would refuse is refused with each fault, and one that fixes a refusal sends the row again', async () => {
  const { customer, path, push } = await buyer('salesforce')
  const put = async (fields: object[]) => {
    const reply = await call(customer, 'PUT', `${path}/mapping`, { fields })
    return [reply.statusCode, reply.json().error_code ?? 'kept', reply.json().detail ?? '']
  }
  for (const [fields, fault] of [
    [[{ field: 'Nowhere__c', value: { constant: 'x' } }], /no field Nowhere__c/],
    [[{ field: 'PostalCode', value: { constant: 'x'.repeat(21) } }], /takes 20 characters/],
    [[{ field: 'LastName', value: { omit: true } }], /LastName is required/],
    [[{ field: 'City' }], /neither a value nor an ownership/],
    [[{ field: 'City', value: { column: 'paidUpCapital' }, for: ['gst'] }], /gst leads have no column paidUpCapital/],
    [
      [
        { field: 'City', value: { constant: 'x' } },
        { field: 'City', value: { constant: 'y' }, for: ['gst'] },
      ],
      /mapped twice/,
    ],
  ] as const) {
    expect(await put([...fields])).toEqual([422, 'DESTINATION_INVALID', expect.stringMatching(fault)])
  }
  const orderId = await push([gstLead(3, { Email: 'nobody' })], { acknowledged: 0, rejected: 1 })
  expect(await put([{ field: 'Email', value: { omit: true } }])).toEqual([200, 'kept', ''])
  await world.until(async () => expect(await world.counts(orderId)).toMatchObject({ acknowledged: 1, rejected: 0 }))
})

test.each(['salesforce', 'hubspot'] as const)(
  'one test row goes into %s with the mapping, is looked up, and is gone again',
  async (crm) => {
    const { customer, path } = await buyer(crm)
    const city = names[crm].city
    await call(customer, 'PUT', `${path}/mapping`, { fields: [{ field: city, value: { constant: 'Margao' } }] })
    const reply = await call(customer, 'POST', `${path}/test-row`)
    expect(reply.json()).toMatchObject({ ok: true, outcome: 'created', removed: true, crm_id: expect.any(String) })
    expect(JSON.stringify(reply.json().fields)).toContain('Margao')
    expect(JSON.stringify(held(crm))).not.toContain('PANJI0000')
    const stranger = await newCustomer(api, world.database)
    expect((await call(stranger, 'POST', `${path}/test-row`)).statusCode).toBe(404)
  },
)

test('each mapping that is saved is a version with who and when, an earlier one is restored once the CRM allows it, and another account sees none', async () => {
  const { customer, path, push } = await buyer('salesforce')
  await push([gstLead(1)])
  const said = (text: string) => [{ field: 'City', value: { constant: text }, ownership: 'always' }]
  const versions = async () => (await call(customer, 'GET', `${path}/mapping/versions`)).json().data
  expect(await versions()).toEqual([])
  for (const city of ['Margao', 'Mapusa']) await call(customer, 'PUT', `${path}/mapping`, { fields: said(city) })
  expect((await call(customer, 'PUT', `${path}/mapping`, { fields: [{ field: 'Nowhere__c' }] })).statusCode).toBe(422)
  const listed = await versions()
  expect(listed).toEqual([
    {
      version: 2,
      fields: said('Mapusa'),
      restored_from: null,
      saved_at: expect.any(String),
      saved_by: listed[1].saved_by,
    },
    {
      version: 1,
      fields: said('Margao'),
      restored_from: null,
      saved_at: expect.any(String),
      saved_by: expect.any(String),
    },
  ])
  expect(listed[0].saved_by).toMatch(/\(panji_\w{4}\)$/)

  const restored = await call(customer, 'PUT', `${path}/mapping`, { version: 1, resend: true })
  expect([restored.statusCode, restored.json().faults]).toEqual([200, []])
  expect((await call(customer, 'GET', `${path}/mapping`)).json()).toMatchObject({ fields: said('Margao') })
  expect((await versions())[0]).toMatchObject({ version: 3, restored_from: 1, fields: said('Margao') })
  await world.until(() => expect(held('salesforce')[0]?.['City']).toBe('Margao'))

  expect((await call(customer, 'PUT', `${path}/mapping`, { version: 9 })).statusCode).toBe(404)
  expect((await call(customer, 'PUT', `${path}/mapping`, { version: 0 })).statusCode).toBe(200)
  expect((await call(customer, 'GET', `${path}/mapping`)).json()).toMatchObject({ fields: [] })
  for (const body of [{}, { fields: [], version: 1 }])
    expect((await call(customer, 'PUT', `${path}/mapping`, body)).statusCode).toBe(400)
  const stranger = await newCustomer(api, world.database)
  expect((await call(stranger, 'GET', `${path}/mapping/versions`)).statusCode).toBe(404)
  expect((await call(stranger, 'PUT', `${path}/mapping`, { version: 1 })).statusCode).toBe(404)
})

test('a resend over HTTP says first what it then does, and the rows that stay as they are are only counted', async () => {
  const { customer, path, push } = await buyer('salesforce')
  await push([gstLead(1), gstLead(2)])
  await call(customer, 'PUT', `${path}/mapping`, {
    fields: [{ field: 'City', value: { constant: 'Margao' }, for: ['gst'], ownership: 'always' }],
  })
  const [record] = world.box('salesforce').records()
  world.box('salesforce').edit(record?.id ?? '', { City: 'Margao' })
  const plan = (await call(customer, 'POST', `${path}/resend/plan`, {})).json()
  expect(plan).toMatchObject({ records: 2, order_id: null, record: null, counts: { update: 1, unchanged: 1 } })
  expect(plan.rows).toEqual([
    { record: gstLead(2).externalId, action: 'update', fields: { City: { before: 'North Goa', after: 'Margao' } } },
  ])
  expect((await call(customer, 'POST', `${path}/resend`, { hash: plan.hash })).json()).toEqual({ resent: 2 })
  await world.until(() => expect(held('salesforce').map(({ City }) => City)).toEqual(['Margao', 'Margao']))
  expect((await call(customer, 'POST', `${path}/resend`, { hash: plan.hash })).statusCode).toBe(409)
  expect((await call(customer, 'POST', `${path}/resend`, { record: gstLead(2).externalId })).json()).toEqual({
    resent: 1,
  })
  expect((await call(customer, 'POST', `${path}/resend`, { record: 'gst:NOBODY' })).statusCode).toBe(404)
})

test('a mapping of a destination that delivers approved plans only is saved without sending anything again', async () => {
  const { customer, path, push, id } = await buyer('salesforce')
  await push([gstLead(1)])
  const orderId = await push([gstLead(2, { Email: 'nobody' })], { acknowledged: 0, rejected: 1 })
  await call(customer, 'PATCH', path, { deliver: 'approved' })
  const fields = [
    { field: 'City', value: { constant: 'Ponda' }, ownership: 'always' },
    { field: 'Email', value: { omit: true } },
  ]
  const refused = await call(customer, 'PUT', `${path}/mapping`, { fields, resend: true })
  expect([refused.statusCode, refused.json().reason]).toEqual([409, 'approval_required'])
  expect((await call(customer, 'GET', `${path}/mapping`)).json()).toMatchObject({ fields: [] })
  expect((await call(customer, 'PUT', `${path}/mapping`, { fields })).statusCode).toBe(200)
  const states = () =>
    world.database.db.query<{ state: string }>(
      'SELECT state FROM deliver.record WHERE destination_id = $1 ORDER BY external_id',
      [id],
    )
  expect(await states()).toEqual([{ state: 'acknowledged' }, { state: 'rejected' }])
  const asked = { destination_id: id }
  const plan = (await call(customer, 'POST', `/api/crm/orders/${orderId}/plan`, asked)).json()
  expect(plan.counts).toMatchObject({ create: 1, reject: 0 })
  await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { ...asked, hash: plan.hash })
  await world.until(async () => expect(await world.counts(orderId)).toMatchObject({ acknowledged: 1, rejected: 0 }))
})

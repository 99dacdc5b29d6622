/** What a CRM refused goes again once its data changed: in the registers, or fixed by hand. And never before. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readFixedCsv } from '../../../src/deliver/record/rejected/read-fixed.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { secretKey as apiKey, type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { panjiProgram } from '../../support/panji-program.ts'
import { raiseVersion } from '../../support/registry-rows.ts'
import { gstinOf, insertContact, insertGst } from '../orders/world.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertOrder } from './paid-order.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)
const db = () => world.database.db

const call = async (customer: LoggedIn, method: 'GET' | 'POST', url: string, payload?: object) =>
  api.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${customer.token}` },
    ...(payload ? { payload } : {}),
  })
const deliveries = async (customer: LoggedIn, query: string) =>
  (await call(customer, 'GET', `/api/crm/deliveries?${query}`)).json()
const counted = (customer: LoggedIn, outcome: string, total: number) => async () =>
  expect(await deliveries(customer, `outcome=${outcome}`)).toMatchObject({ total })
/** So that nothing is left to compare: whatever is refused has been looked at. */
const compared = () =>
  world.until(async () =>
    expect(
      await db().query(
        `SELECT FROM deliver.record WHERE state = 'rejected'
           AND coalesce(compared_version, -1) < (SELECT coalesce(sum(version), 0) FROM registry.version)`,
      ),
    ).toEqual([]),
  )
const writes = (crm: string) =>
  world
    .box(crm)
    .calls()
    .filter(({ method }) => method === 'PATCH' || method === 'POST').length

async function buyer(crm: string) {
  const customer = await newCustomer(api, world.database)
  const body = { type: crm, name: crm, settings: world.settings(crm) }
  const made = await call(customer, 'POST', '/api/crm/destinations', body)
  return { customer, destinationId: made.json().destination_id as string }
}

async function push(customer: LoggedIn, destinationId: string, leads: Parameters<typeof insertOrder>[2]) {
  const orderId = await insertOrder(db(), customer.accountId, leads)
  await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, { destination_id: destinationId })
  return orderId
}

test('a refused row goes again once the registers say something else of it, and not before', async () => {
  const { customer, destinationId } = await buyer('salesforce')
  const gstin = gstinOf(71)
  await insertGst(db(), gstin, { legal_name: 'ZUARI TRADERS' })
  await insertContact(db(), 'gst', gstin, { email: 'not-an-address' })
  const lead = gstLead(1, { Email: 'not-an-address', GSTIN: gstin, LegalName: 'ZUARI TRADERS' })
  await push(customer, destinationId, [{ ...lead, externalId: `gst:${gstin}` }])
  await world.until(counted(customer, 'rejected', 1))
  await compared()
  // The frozen lead of this test is another row than the register has: it went again once, and is refused for good.
  await world.until(counted(customer, 'rejected', 1))
  await compared()
  const before = writes('salesforce')
  await raiseVersion(db(), 'contact')
  await compared()
  expect(await deliveries(customer, 'outcome=rejected')).toMatchObject({ total: 1 })
  expect(writes('salesforce'), 'nothing changed, so the CRM is not asked').toBe(before)

  await db().execute(`UPDATE registry.contact SET email = 'office@zuari.example.com' WHERE identifier = $1`, [gstin])
  await db().execute('UPDATE registry.gst_taxpayer SET last_run_id = 4711 WHERE gstin = $1', [gstin])
  await raiseVersion(db(), 'contact')
  await world.until(counted(customer, 'created', 1))
  expect(JSON.stringify(world.box('salesforce').records())).toContain('office@zuari.example.com')
  const [row] = (await deliveries(customer, '')).data
  const receipt = await call(customer, 'GET', `/api/crm/deliveries/${row.delivery_id}/receipt`)
  expect(receipt.json().receipt, 'the receipt names the run that was read last').toMatchObject({ run_id: 4711 })
})

test('what was delivered and is refused when it is sent again brings nothing newer of the registers, unless its destination is kept fresh', async () => {
  const { customer, destinationId } = await buyer('salesforce')
  const gstin = gstinOf(72)
  await insertGst(db(), gstin, { legal_name: 'MANDOVI TRADERS' })
  await insertContact(db(), 'gst', gstin, { email: 'newer@mandovi.example.com' })
  const externalId = `gst:${gstin}`
  await push(customer, destinationId, [{ ...gstLead(1, { GSTIN: gstin }), externalId }])
  await world.until(counted(customer, 'created', 1))
  const box = world.box('salesforce')
  const only = () => box.records()[0]
  box.edit(only()?.id ?? '', { City: 'Typed by a rep' })
  // As a mapping is saved: whoever still delivers with the one before loses the lease.
  await db().execute(
    'UPDATE deliver.destination SET mapping = $2, leased_to = NULL, leased_until = NULL WHERE destination_id = $1',
    [destinationId, JSON.stringify([{ field: 'City', ownership: 'always' }])],
  )
  const refusal = { statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message: 'Not while it is worked on', fields: [] }
  const body = [{ success: false, errors: [refusal] }]
  box.addFault({ kind: 'status', status: 200, body, match: 'composite/sobjects/Lead', times: 1 })
  await call(customer, 'POST', `/api/crm/destinations/${destinationId}/resend`, { record: externalId })
  const state = async () =>
    (await db().query<{ state: string }>('SELECT state FROM deliver.record WHERE external_id = $1', [externalId]))[0]
      ?.state
  await world.until(async () => expect(await state()).toBe('rejected'))
  await raiseVersion(db(), 'contact')
  await compared()
  expect(await state()).toBe('rejected')
  expect(JSON.stringify(only())).not.toContain('newer@mandovi')

  await db().execute(`UPDATE deliver.destination SET keep = 'fresh' WHERE destination_id = $1`, [destinationId])
  await raiseVersion(db(), 'contact')
  await world.until(async () => expect(await state()).toBe('acknowledged'))
  expect(only()?.properties).toMatchObject({ Email: 'newer@mandovi.example.com' })
})

test.each(['salesforce', 'hubspot'])(
  'the CSV of what %s refused is fixed and replayed: changed rows are delivered, others stay refused',
  async (crm) => {
    const { customer, destinationId } = await buyer(crm)
    const bad = (n: number) => gstLead(n, { Company: '=Naik & Sons', dateOfLastAGM: null })
    const faulty = crm === 'salesforce' ? { Email: 'nobody' } : { DateOfRegistration: 'long ago' }
    const fixedBy = crm === 'salesforce' ? ['nobody', 'naik@example.com'] : ['long ago', '2020-02-29']
    const rows = [1, 2].map((n) => ({ ...bad(n), row: { ...bad(n).row, ...faulty } }))
    await push(customer, destinationId, rows)
    await world.until(counted(customer, 'rejected', 2))
    const panji = panjiProgram({ DATABASE_URL: world.database.url, PANJI_SECRET_KEY: apiKey.reveal() })
    const listed = await panji.run('deliveries', 'rejects', '--csv', '--destination', destinationId)
    const { data: refused } = await deliveries(customer, 'outcome=rejected')
    const [first] = refused
    expect(listed.stdout.split('\r\n')).toHaveLength(listed.stdout.split('\n').length)
    const fixedCsv = listed.stdout
      .split('\r\n')
      .map((line) =>
        line.includes(String(first?.delivery_id)) ? line.replace(fixedBy[0] ?? '', fixedBy[1] ?? '') : line,
      )
      .join('\r\n')
    const replayed = readFixedCsv(fixedCsv).map(({ deliveryId, values }) => ({ delivery_id: deliveryId, values }))
    expect(replayed.map(({ values }) => values['Company'])).toEqual(['=Naik & Sons', '=Naik & Sons'])
    const answer = await call(customer, 'POST', '/api/crm/deliveries/fix', { rows: replayed })
    expect(answer.json()).toEqual({ fixed: 1, unchanged: 1, not_rejected: 0 })
    await world.until(counted(customer, 'created', 1))
    expect(await deliveries(customer, 'outcome=rejected')).toMatchObject({ total: 1 })
    expect(JSON.stringify(world.box(crm).records())).toContain(fixedBy[1])
    const file = join(mkdtempSync(join(tmpdir(), 'panji-fixed-')), 'fixed.csv')
    writeFileSync(file, fixedCsv)
    const again = await panji.json('deliveries', 'fix', file)
    expect(again.answer).toEqual({ fixed: 0, unchanged: 1, not_rejected: 1 })
    rmSync(dirname(file), { recursive: true })

    // A newer order says the same of it as was fixed: the fix stands, and nothing is written.
    const before = writes(crm)
    const later = await push(customer, destinationId, [
      rows[first?.record === rows[0]?.externalId ? 0 : 1] ?? gstLead(1),
    ])
    await world.until(async () =>
      expect(await deliveries(customer, `order_id=${later}`)).toMatchObject({ data: [{ outcome: 'unchanged' }] }),
    )
    expect(writes(crm)).toBe(before)
  },
)

test('what was fixed and is refused all the same goes again with the next push of its order, as its plan says', async () => {
  const { customer, destinationId } = await buyer('salesforce')
  const orderId = await push(customer, destinationId, [gstLead(1, { Email: 'nobody' })])
  await world.until(counted(customer, 'rejected', 1))
  const refusal = { statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message: 'Not in this month', fields: [] }
  const body = [{ success: false, errors: [refusal] }]
  world.box('salesforce').addFault({ kind: 'status', status: 200, body, match: 'composite/sobjects/Lead', times: 1 })
  const [row] = (await deliveries(customer, '')).data
  const rows = [{ delivery_id: row.delivery_id, values: { Email: 'naik@example.com' } }]
  expect((await call(customer, 'POST', '/api/crm/deliveries/fix', { rows })).json()).toMatchObject({ fixed: 1 })
  await world.until(async () =>
    expect((await deliveries(customer, 'outcome=rejected')).data).toMatchObject([{ code: refusal.statusCode }]),
  )
  const request = { destination_id: destinationId }
  const plan = await call(customer, 'POST', `/api/crm/orders/${orderId}/plan`, request)
  expect(plan.json()).toMatchObject({ counts: { create: 1 } })
  await call(customer, 'POST', `/api/crm/orders/${orderId}/push`, request)
  await world.until(counted(customer, 'created', 1))
  expect(JSON.stringify(world.box('salesforce').records())).toContain('naik@example.com')
})

test('what is fixed is a refused row of one’s own, in columns that its lead has', async () => {
  const { customer, destinationId } = await buyer('salesforce')
  const stranger = await newCustomer(api, world.database)
  await push(customer, destinationId, [gstLead(1, { Email: 'nobody' })])
  await world.until(counted(customer, 'rejected', 1))
  const [row] = (await deliveries(customer, '')).data
  const fix = async (who: LoggedIn, values: object, times = 1) => {
    const rows = Array.from({ length: times }, () => ({ delivery_id: row.delivery_id, values }))
    const { statusCode, body } = await call(who, 'POST', '/api/crm/deliveries/fix', { rows })
    return [statusCode, JSON.parse(body).error_code ?? JSON.parse(body)]
  }
  expect(await fix(stranger, { Email: 'a@example.com' })).toEqual([404, 'NOT_FOUND'])
  expect(await fix(customer, { Favourite: 'x' })).toEqual([422, 'UNPROCESSABLE'])
  expect(await fix(customer, { Email: 'a@example.com' }, 2)).toEqual([422, 'UNPROCESSABLE'])
  expect(await fix(customer, { GSTIN: '29AAICA3918J1ZE' }), 'what a record is, nobody fixes').toEqual([
    200,
    { fixed: 0, unchanged: 1, not_rejected: 0 },
  ])
  expect(await deliveries(customer, 'outcome=rejected')).toMatchObject({ total: 1 })
})

test('the delivery log leaves as CSV and as NDJSON with each delivery once, however many pages it takes', async () => {
  const { customer, destinationId } = await buyer('salesforce')
  const leads = Array.from({ length: 3 }, (_, n) => gstLead(n))
  await push(customer, destinationId, [...leads, gstLead(9, { Email: '=cmd' })])
  await world.until(counted(customer, 'created', 3))
  await world.until(counted(customer, 'rejected', 1))
  const ndjson = await call(customer, 'GET', '/api/crm/deliveries/export?format=ndjson')
  expect(ndjson.headers['content-type']).toContain('application/x-ndjson')
  const told = ndjson.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(told.map(({ record }) => record)).size).toBe(4)
  const csv = await call(customer, 'GET', '/api/crm/deliveries/export?outcome=rejected')
  expect(csv.headers['content-disposition']).toContain('deliveries.csv')
  expect(csv.body.split('\r\n')).toHaveLength(3)
  expect(csv.body).toContain('"INVALID_EMAIL_ADDRESS"')
  const [head = ''] = csv.body.split('\r\n')
  expect(head.replaceAll('"', '').split(',').toSorted(), 'each member of a delivery is a column').toEqual(
    Object.keys(told[0]).toSorted(),
  )
  expect(new Set(told.map(({ destination_name }) => destination_name))).toEqual(new Set(['salesforce']))
  const { deliveryPages, exportedText } = await import('../../../src/deliver/record/export-deliveries.ts')
  const pages = [
    Array.from({ length: 1_000 }, (_, n) => ({ ...told[0], delivery_id: n, at: new Date() })),
    told.slice(1),
  ]
  let text = ''
  for await (const part of exportedText(
    'ndjson',
    deliveryPages(async (after) => pages[after === null ? 0 : 1] ?? []),
  ))
    text += part
  expect(text.split('\n')).toHaveLength(1_004)
})

import pino from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { buildLeadsJob } from '../../../jobs/build-leads.ts'
import type { Db } from '../../../src/db/db.ts'
import { type BuildRequest, buildLeads } from '../../../src/leads/build-leads.ts'
import { completeLeads } from '../../../src/leads/lead-slices.ts'
import { type OrderLead, readLeads } from '../../../src/leads/read-leads.ts'
import { refundItems } from '../../../src/orders/ledger.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { useTestDatabase } from '../../support/database.ts'
import {
  cinOf,
  createAccount,
  gstinOf,
  insertCompany,
  insertContact,
  insertDirector,
  insertDirectorship,
  insertGst,
  insertRow,
  useTestQueue,
} from '../orders/world.ts'

const database = useTestDatabase()
const jobs = useTestQueue(() => database.url)
const leadSource = 'Panji'
const bookkeeping = { first_run_id: 1, last_run_id: 1, as_of: '2026-01-01' }

beforeAll(async () => {
  const { db } = database
  const hsn = (code: string, description: string) =>
    insertRow(db, 'reference.hsn', { code, description, chapter: 1, ...bookkeeping })
  await hsn('0101', 'Live horses | asses')
  await hsn('0102', 'Live bovine animals')
  await insertRow(db, 'reference.sac', { code: '998313', description: 'Consulting', ...bookkeeping })
  await insertGst(db, gstinOf(1), {
    legal_name: 'RAVI NAIK',
    trade_name: 'NAIK STORES',
    constitution: 'Proprietorship',
    status: 'Active',
    taxpayer_type: 'Regular',
    registered_on: '2024-05-06',
    address: '1 Market Road, Pune, Maharashtra, 411001',
    city: 'Hadapsar',
    district: 'Pune',
    state: 'Maharashtra',
    pincode: '411001',
    core_business: 'Trader',
    business_activities: ['Retail Business', 'Office / Sale Office'],
    hsn_codes: ['0102', '9999', '0101'],
    sac_codes: ['998313'],
    state_jurisdiction: 'PUNE-1',
    centre_jurisdiction: 'RANGE-2',
  })
  await insertContact(db, 'gst', gstinOf(1), {
    email: 'ravi@example.in',
    mobile: '+919812345678',
    phone: '020-22222222',
  })
  await insertContact(db, 'gst', gstinOf(2), { email: 'gone@example.in', closed_on: '2026-05-01' })
  await insertGst(db, gstinOf(2))
  await insertCompany(db, cinOf(1), {
    name: 'NAIK FOODS PRIVATE LIMITED',
    class: 'Private',
    status: 'Active',
    listed: 'Unlisted',
    incorporated_on: '2022-02-03',
    authorised_capital: '1300000000.50',
    paid_up_capital: '100000.00',
    registered_address: '2 Mapusa Road, Panaji',
    city: 'Panaji',
    district: 'North Goa',
    state: 'Goa',
    pincode: '403001',
    email: 'office@example.in',
    nic_code: 1110,
    nic_description: 'Growing of cereals',
    main_division: '01',
    main_division_description: 'Crop production',
  })
  await insertContact(db, 'company', cinOf(1), { website: 'https://naik.example.in' })
  await insertDirector(db, '00000001', {
    full_name: 'Asha Naik',
    first_name: 'Asha',
    last_name: 'Naik',
    address: '3 Hill Road',
    status: 'Approved',
    approved_on: '2019-01-02',
    disqualified: 'No',
    gender: 'Female',
    nationality: 'India',
  })
  await insertContact(db, 'director', '00000001', { email: 'asha@example.in' })
  await insertDirectorship(db, cinOf(1), '00000001', { designation: 'Additional Director', appointed_on: '2022-02-03' })
  await insertDirectorship(db, cinOf(1), '00000001', { designation: 'Managing Director', appointed_on: '2023-02-03' })
  await insertDirectorship(db, cinOf(2), '00000001', { designation: 'Director' })
  await insertDirectorship(db, cinOf(3), '00000001', { designation: 'Director', ceased_on: '2024-01-01' })
  await insertDirectorship(db, cinOf(4), '00000001', { designation: 'Director', closed_on: '2024-01-01' })
  await insertDirectorship(db, cinOf(1), '00000002', { designation: 'Director' })
  await insertDirectorship(db, cinOf(1), '00000003', { designation: 'Director', ceased_on: '2024-01-01' })
})

/** As a reader finds them: what the job has not built yet is built then. */
async function readPaidLeads(db: Db, { orderId, ...building }: BuildRequest): Promise<OrderLead[]> {
  await completeLeads(db, { orderId, paymentStatus: 'paid', status: 'completed' }, building)
  return readLeads(db, orderId)
}

async function ordered(...items: readonly (readonly ['company' | 'director' | 'gst', string])[]): Promise<string> {
  const accountId = await createAccount(database.db, items.length)
  const { orderId } = await placeOrder(
    database.db,
    jobs.queue,
    { onlineLabel: 'online' },
    {
      accountId,
      orderName: 'Pilot',
      paymentOption: 'credits',
      items: items.map(([type, number]) => ({ type, name: 'X', number })),
    },
  )
  return orderId
}

test('a GST row carries district as City, aligned code descriptions and the proprietor as Last_Name', async () => {
  const orderId = await ordered(['gst', gstinOf(1)])
  expect(await buildLeads(database.as('panji_worker'), { orderId, leadSource, refund: refundItems })).toEqual({
    built: 1,
  })
  const [lead] = await readLeads(database.db, orderId)
  expect(lead?.row).toEqual({
    Last_Name: 'NAIK',
    Company: 'NAIK STORES',
    Email: 'ravi@example.in',
    Mobile: '+919812345678',
    Phone: '+912022222222',
    Street: '1 Market Road',
    City: 'Pune',
    State: 'Maharashtra',
    Zip_Code: '411001',
    Country: 'India',
    Lead_Source: 'Panji',
    GSTIN: gstinOf(1),
    LegalName: 'RAVI NAIK',
    TradeName: 'NAIK STORES',
    Status: 'Active',
    TaxpayerType: 'Regular',
    ConstitutionBusiness: 'Proprietorship',
    DateOfRegistration: '2024-05-06',
    DateOfCancellation: null,
    COREBUSINESS: 'Trader',
    BusinessActivities: 'Retail Business;Office / Sale Office',
    HSNCodes: '0102;9999;0101',
    HSNDescriptions: 'Live bovine animals||Live horses / asses',
    SACCodes: '998313',
    SACDescriptions: 'Consulting',
    PAN: gstinOf(1).slice(2, 12),
    District: 'Pune',
    StateCode: '27',
    StateJurisdiction: 'PUNE-1',
    CentreJurisdiction: 'RANGE-2',
    Address: '1 Market Road, Pune, Maharashtra, 411001',
  })
})

test('a company row carries its present directors once each, and numbers as numbers', async () => {
  const orderId = await ordered(['company', cinOf(1)])
  const [lead] = await readPaidLeads(database.db, { orderId, leadSource, refund: refundItems })
  expect(lead?.row).toMatchObject({
    Last_Name: 'Naik',
    Company: 'NAIK FOODS PRIVATE LIMITED',
    Email: 'office@example.in',
    Website: 'https://naik.example.in',
    Street: '2 Mapusa Road',
    City: 'Panaji',
    District: 'North Goa',
    authorisedCapital: 1_300_000_000.5,
    paidUpCapital: 100_000,
    NICCode: 1110,
    dateOfIncorporation: '2022-02-03',
    DirectorCount: 2,
    DirectorDINs: '00000001;00000002',
    DirectorNames: 'Asha Naik;',
    GSTINs: null,
  })
  expect(lead?.fullData.directors).toEqual([
    { DIN: '00000001', Name: 'Asha Naik', Designation: 'Managing Director', dateOfAppointment: '2023-02-03' },
    { DIN: '00000002', Name: null, Designation: 'Director', dateOfAppointment: '2020-01-01' },
  ])
})

test('a director row carries the present offices only, one per company', async () => {
  const orderId = await ordered(['director', '1'])
  const [lead] = await readPaidLeads(database.db, { orderId, leadSource, refund: refundItems })
  expect(lead?.row).toMatchObject({
    Last_Name: 'Naik',
    First_Name: 'Asha',
    Full_Name: 'Asha Naik',
    Email: 'asha@example.in',
    Street: '3 Hill Road',
    Country: 'India',
    DIN: '00000001',
    DINStatus: 'Approved',
    DINApprovalDate: '2019-01-02',
    CompanyCount: 2,
    CompanyCINs: `${cinOf(1)};${cinOf(2)}`,
    CompanyNames: 'NAIK FOODS PRIVATE LIMITED;',
    Designations: 'Managing Director;Director',
  })
})

test('an item whose contact was closed yields no lead', async () => {
  const orderId = await ordered(['gst', gstinOf(1)], ['gst', gstinOf(2)])
  const leads = await readPaidLeads(database.db, { orderId, leadSource, refund: refundItems })
  expect(leads.map(({ identifier }) => identifier)).toEqual([gstinOf(1)])
})

test('however many builders meet on one order, each lead is built once', async () => {
  const { db } = database
  for (let round = 0; round < 6; round++) {
    const orderId = await ordered(['director', '1'], ['gst', gstinOf(1)])
    const results = await Promise.all(
      Array.from({ length: 10 }, () => buildLeads(db, { orderId, leadSource, refund: refundItems })),
    )
    expect(results.map(({ built }) => built).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
  }
})

test('a built lead stays as it was built, whatever the registers say later', async () => {
  const { db } = database
  const orderId = await ordered(['director', '1'], ['gst', gstinOf(1)])
  await buildLeads(db, { orderId, leadSource, refund: refundItems })
  const before = await readLeads(db, orderId)
  expect(before.map(({ type }) => type)).toEqual(['director', 'gst'])
  await db.execute(`UPDATE registry.director SET full_name = 'Someone Else' WHERE din = '00000001'`)
  expect(await buildLeads(db, { orderId, leadSource: 'Other', refund: refundItems })).toEqual({ built: 0 })
  expect(await readPaidLeads(db, { orderId, leadSource: 'Other', refund: refundItems })).toEqual(before)
  await db.execute(`UPDATE registry.director SET full_name = 'Asha Naik' WHERE din = '00000001'`)
})

test('a lead names the run that last changed its record', async () => {
  const orderId = await ordered(['gst', gstinOf(1)])
  await buildLeads(database.as('panji_worker'), { orderId, leadSource, refund: refundItems })
  expect(await database.db.query('SELECT registry_run_id FROM orders.lead WHERE order_id = $1', [orderId])).toEqual([
    { registry_run_id: 7 },
  ])
})

test('the job builds what the order enqueued, and building an order that is not paid fails for good', async () => {
  const { db } = database
  const orderId = await ordered(['gst', gstinOf(1)])
  const context = {
    db,
    queue: jobs.queue,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    attempt: 0,
  }
  const job = buildLeadsJob({ leadSource: 'Register' })
  expect(await job.handle({ orderId }, context)).toEqual({ built: 1, destinations: 0 })
  expect((await readLeads(db, orderId))[0]?.row['Lead_Source']).toBe('Register')

  await db.execute(`UPDATE orders.purchase SET payment_status = 'refunded' WHERE order_id = $1`, [orderId])
  await expect(job.handle({ orderId }, context)).rejects.toMatchObject({ code: 'CONFLICT', retry: 'never' })
  const unknown = { orderId: '00000000-0000-0000-0000-000000000000' }
  await expect(job.handle(unknown, context)).rejects.toMatchObject({ code: 'NOT_FOUND', retry: 'never' })
})

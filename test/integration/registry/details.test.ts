import { beforeAll, expect, test } from 'vitest'
import { details } from '../../../src/api/operations/details/index.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertDirector, insertDirectorship, insertGst } from '../../support/registry-rows.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
let api: BareApi
const rateLimit = { remaining: 99, limit: 100, reset: '2026-11-22T00:00:00.000Z' }

beforeAll(async () => {
  const { db } = database
  api = await bareApi({ db }, routesOf(details))
  await insertCompany(db, {
    cin: 'U85100GA2022PTC900001',
    name: 'KONKAN HERBALS PRIVATE LIMITED',
    status: 'Active',
    class: 'Private',
    category: 'Company limited by shares',
    authorised_capital: '13000000000.00',
    paid_up_capital: '500000.50',
    incorporated_on: '2022-11-23',
    registered_address: 'SHOP NO.5, SANGOLDA, BARDEZ, North Goa, Goa, 403511-India',
    city: 'Sangolda',
    state: 'Goa',
    pincode: '403511',
    nic_code: 1110,
    nic_description: 'Growing of cereals',
  })
  await insertCompany(db, {
    cin: 'AAC-3965',
    name: 'ORCHID ADVISORS LLP',
    company_type: 'LLP',
    email: 'own@example.com',
  })
  for (const identifier of ['U85100GA2022PTC900001', 'AAC-3965']) {
    await db.execute(
      `INSERT INTO registry.contact (id, entity, identifier, email, first_run_id, last_run_id, as_of)
       VALUES ('company:' || $1, 'company', $1, 'contact@example.com', 1, 1, '2025-10-01')`,
      [identifier],
    )
  }
  await insertGst(db, {
    gstin: '27AAACR5055K1Z7',
    legal_name: 'KAVERI RETAIL LIMITED',
    trade_name: 'Kaveri Mart',
    status: 'Active',
    taxpayer_type: 'Regular',
    constitution: 'Public Limited Company',
    registered_on: '2017-07-01',
    state: 'Maharashtra',
    address: '3rd Floor, Nariman Point, Mumbai',
    pincode: '400021',
    core_business: 'TRD',
    business_activities: ['Retail Business', 'Export'],
    hsn_codes: ['8471', '0902'],
    sac_codes: ['998313'],
  })
  await insertGst(db, { gstin: '29AAICA3918J1ZE' })
  await insertDirector(db, {
    din: '00012345',
    full_name: 'Asha Ramesh Kamat',
    nationality: 'Indian',
    address: '12 Church Road, Margao',
  })
  const held = { cin: 'U85100GA2022PTC900001', din: '00012345' }
  await insertDirectorship(db, { ...held, designation: 'Managing Director', appointed_on: '2023-04-01' })
  await insertDirectorship(db, {
    ...held,
    designation: 'Director',
    appointed_on: '2022-11-23',
    ceased_on: '2023-03-31',
  })
  await insertDirectorship(db, {
    cin: 'U99999MH2001PTC900002',
    din: '00012345',
    designation: 'Director',
    appointed_on: '2001-01-01',
  })
  await insertDirectorship(db, {
    ...held,
    designation: 'Nominee Director',
    appointed_on: '2020-01-01',
    closed_on: '2024-01-01',
  })
})

const get = async (url: string) => {
  const reply = await api.app.inject(url)
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
}

test('company details carry every field of the specification in its casing and type', async () => {
  expect(await get('/api/company/details?cin=U85100GA2022PTC900001')).toEqual({
    status: 200,
    body: {
      data: {
        CIN: 'U85100GA2022PTC900001',
        companyName: 'KONKAN HERBALS PRIVATE LIMITED',
        companyType: 'Company',
        classOfCompany: 'Private',
        companyCategory: 'Company limited by shares',
        llpStatus: 'Active',
        dateOfIncorporation: '2022-11-23',
        authorisedCapital: 13_000_000_000,
        paidUpCapital: 500_000.5,
        registeredAddress: 'SHOP NO.5, SANGOLDA, BARDEZ, North Goa, Goa, 403511-India',
        City: 'Sangolda',
        State: 'Goa',
        Pincode: '403511',
        email: 'contact@example.com',
        NICCode: 1110,
        NICDescription: 'Growing of cereals',
      },
      rate_limit: rateLimit,
    },
  })
})

test.each(['AAC-3965', 'aac3965', ' AAC-3965 '])(
  'the LLP is found as %s; the register e-mail wins over the contact',
  async (cin) => {
    const { status, body } = await get(`/api/company/details?cin=${encodeURIComponent(cin)}`)
    expect(status).toBe(200)
    expect(body['data']).toMatchObject({ CIN: 'AAC-3965', companyType: 'LLP', email: 'own@example.com', NICCode: null })
  },
)

test('GST details carry every field of the specification in its casing and type', async () => {
  expect((await get('/api/gst/details?gstin=27aaacr5055k1z7')).body).toEqual({
    data: {
      GSTIN: '27AAACR5055K1Z7',
      LegalName: 'KAVERI RETAIL LIMITED',
      TradeName: 'Kaveri Mart',
      Status: 'Active',
      TaxpayerType: 'Regular',
      ConstitutionBusiness: 'Public Limited Company',
      dateOfRegistration: '2017-07-01',
      state: 'Maharashtra',
      Address: '3rd Floor, Nariman Point, Mumbai',
      Pincode: '400021',
      COREBUSINESS: 'TRD',
      BusinessActivities: ['Retail Business', 'Export'],
      hsnCodes: ['8471', '0902'],
      sacCodes: ['998313'],
    },
    rate_limit: rateLimit,
  })
})

test('a GST registration of which little is known answers null and empty lists', async () => {
  const { body } = await get('/api/gst/details?gstin=29AAICA3918J1ZE')
  expect(body['data']).toMatchObject({
    LegalName: null,
    dateOfRegistration: null,
    hsnCodes: [],
    BusinessActivities: [],
  })
})

test('director details list present and past appointments, oldest first, without those that left the register', async () => {
  expect((await get('/api/company/director-details?din=12345')).body).toEqual({
    data: {
      DIN: '00012345',
      Name: 'Asha Ramesh Kamat',
      Nationality: 'Indian',
      Address: '12 Church Road, Margao',
      companies: [
        {
          CIN: 'U99999MH2001PTC900002',
          companyName: null,
          Designation: 'Director',
          dateOfAppointment: '2001-01-01',
          dateOfCessation: null,
        },
        {
          CIN: 'U85100GA2022PTC900001',
          companyName: 'KONKAN HERBALS PRIVATE LIMITED',
          Designation: 'Director',
          dateOfAppointment: '2022-11-23',
          dateOfCessation: '2023-03-31',
        },
        {
          CIN: 'U85100GA2022PTC900001',
          companyName: 'KONKAN HERBALS PRIVATE LIMITED',
          Designation: 'Managing Director',
          dateOfAppointment: '2023-04-01',
          dateOfCessation: null,
        },
      ],
    },
    rate_limit: rateLimit,
  })
})

test.each([
  ['/api/company/details', 400, 'BAD_REQUEST', /cin/],
  ['/api/company/details?cin=', 400, 'BAD_REQUEST', /cin/],
  ['/api/company/details?cin=A&cin=B', 400, 'BAD_REQUEST', /cin/],
  ['/api/company/details?cin=U63040GA2006PTCOO4531', 422, 'UNPROCESSABLE', /character 16 of a CIN is a digit, not O/],
  ['/api/company/details?cin=U63040GA2006', 422, 'UNPROCESSABLE', /21 characters, this has 12/],
  ['/api/company/details?cin=U99999GA2022PTC999999', 404, 'NOT_FOUND', /U99999GA2022PTC999999/],
  ['/api/gst/details', 400, 'BAD_REQUEST', /gstin/],
  ['/api/gst/details?gstin=27AABCU9603R1ZM', 422, 'UNPROCESSABLE', /check digit and should be N, not M/],
  ['/api/gst/details?gstin=27AABCU9603', 422, 'UNPROCESSABLE', /15 characters, this has 11/],
  ['/api/gst/details?gstin=27AABCU9603R1ZN', 404, 'NOT_FOUND', /27AABCU9603R1ZN/],
  ['/api/company/director-details', 400, 'BAD_REQUEST', /din/],
  ['/api/company/director-details?din=12x', 422, 'UNPROCESSABLE', /eight digits/],
  ['/api/company/director-details?din=0', 422, 'UNPROCESSABLE', /zeros/],
  ['/api/company/director-details?din=99999999', 404, 'NOT_FOUND', /99999999/],
])('%s is refused with %i %s', async (url, status, code, detail) => {
  const refused = await get(url)
  expect(refused).toMatchObject({ status, body: { error_code: code, detail: expect.stringMatching(detail) } })
})

test('calls that come at the same time are each answered with the record that they asked for', async () => {
  const cins = ['U85100GA2022PTC900001', 'AAC-3965', 'U85100GA2022PTC900009', 'U85100GA2022PTC900001']
  const replies = await Promise.all(
    cins.map((cin) => api.app.inject({ method: 'GET', url: `/api/company/details?cin=${cin}` })),
  )
  expect(replies.map((reply) => [reply.statusCode, reply.json().data?.CIN])).toEqual([
    [200, 'U85100GA2022PTC900001'],
    [200, 'AAC-3965'],
    [404, undefined],
    [200, 'U85100GA2022PTC900001'],
  ])
})

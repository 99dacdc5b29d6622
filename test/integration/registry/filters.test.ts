import { beforeAll, describe, expect, test } from 'vitest'
import { filters } from '../../../src/api/operations/filters/index.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertDirector, insertGst } from '../../support/registry-rows.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
let api: BareApi
const cin = (index: number) => `U85100GA2022PTC9${String(index).padStart(5, '0')}`

/** A source that writes names in lines of 40 characters put the space inside the word. */
const broken = 'DECCAN RENEWABLE ENERGY AND INFRASTRUCTU RE DEVELOPMENT PRIVATE LIMITED'

beforeAll(async () => {
  const { db } = database
  api = await bareApi({ db }, routesOf(filters))
  const companies = [
    ['SAHYADRI FOODS PRIVATE LIMITED', 'Pune', 'Maharashtra'],
    ['SAHYADRI FOODS AND BEVERAGES LIMITED', 'Pune', 'Maharashtra'],
    ['NEW SAHYADRI AGRO FOODS LIMITED', 'Panaji', 'Goa'],
    ['KAVERI INFOTECH PRIVATE LIMITED', 'Bengaluru', 'Karnataka'],
    ['KAVERI RETAIL LIMITED', 'Mysuru', 'Karnataka'],
  ] as const
  for (const [index, [name, city, state]] of companies.entries())
    await insertCompany(db, { cin: cin(index), name, city, state })
  await insertCompany(db, { cin: cin(40), name: broken, city: 'Solapur', state: 'Maharashtra' })
  await insertCompany(db, { cin: 'AAC-3965', name: 'ORCHID ADVISORS LLP', company_type: 'LLP' })
  await insertGst(db, { gstin: '27AAACR5055K1Z7', trade_name: 'Kaveri Mart', state: 'Maharashtra', status: 'Active' })
  await insertGst(db, {
    gstin: '29AAICA3918J1ZE',
    trade_name: 'Kaveri Stores',
    state: 'Karnataka',
    status: 'Cancelled',
  })
  await insertDirector(db, {
    din: '00012345',
    full_name: 'Asha Ramesh Kamat',
    first_name: 'Asha',
    middle_name: 'Ramesh',
    last_name: 'Kamat',
    gender: 'Female',
    citizen_of_india: 'Yes',
    resident_of_india: 'Yes',
    disqualified: 'No',
    nationality: 'Indian',
    born_on: '1980-05-17',
    state: 'Goa',
    district: 'North Goa',
    country: 'India',
    pincode: '403001',
  })
  await insertDirector(db, {
    din: '00099999',
    full_name: "Ashok D'Cruz",
    first_name: 'Ashok',
    last_name: "D'Cruz",
    gender: 'Male',
    citizen_of_india: 'No',
    born_on: '1955-01-01',
    state: 'Kerala',
  })
})

const get = async (path: string, query: Record<string, string> = {}) => {
  const reply = await api.app.inject({ url: path, query })
  return { status: reply.statusCode, body: reply.json() }
}
const companies = async (query: Record<string, string>) =>
  (await get('/api/company/company-filter', query)).body.map((hit: { companyName: string }) => hit.companyName)

describe('company filter', () => {
  test('answers a list of companies with the fields of a search result', async () => {
    expect((await get('/api/company/company-filter', { CIN: cin(3).toLowerCase() })).body).toEqual([
      {
        CIN: cin(3),
        companyName: 'KAVERI INFOTECH PRIVATE LIMITED',
        State: 'Karnataka',
        City: 'Bengaluru',
        paidUpCapital: null,
        llpStatus: null,
      },
    ])
  })

  test('an LLP is found with and without hyphen', async () => {
    expect(await companies({ CIN: 'aac3965' })).toEqual(['ORCHID ADVISORS LLP'])
  })

  test('names come in stages: the name itself, names that begin so, names that hold the words', async () => {
    expect(await companies({ company: 'Sahyadri Foods' })).toEqual([
      'SAHYADRI FOODS PRIVATE LIMITED',
      'SAHYADRI FOODS AND BEVERAGES LIMITED',
      'NEW SAHYADRI AGRO FOODS LIMITED',
    ])
  })

  test.each(['sahyadri foods', 'SAHYADRI  FOODS.', 'Sahyadri Foods Ltd', '(Sahyadri) Foods, Limited'])(
    'case, punctuation and legal form do not matter: %s',
    async (company) => {
      expect((await companies({ company }))[0]).toBe('SAHYADRI FOODS PRIVATE LIMITED')
    },
  )

  test.each([
    'Deccan Renewable Energy and Infrastructure Development',
    'deccan renewable energy & infrastructure development pvt ltd',
    'DECCAN RENEWABLE ENERGY AND INFRASTRUCTU RE DEVELOPMENT PRIVATE LIMITED',
    'deccan infrastructure',
    'deccan renewable energy infrastrcture development',
  ])('a name that its source broke at 40 characters is found: %s', async (company) => {
    expect((await companies({ company }))[0]).toBe(broken)
  })

  test('words match in any order and the last one by its beginning', async () => {
    expect(await companies({ company: 'foods sahy' })).toHaveLength(3)
  })

  test('a misspelt name finds the names alike', async () => {
    expect((await companies({ company: 'kaveri infotehc' }))[0]).toBe('KAVERI INFOTECH PRIVATE LIMITED')
  })

  test('name, state and city narrow together, in any case', async () => {
    expect(await companies({ company: 'sahyadri', state: 'goa' })).toEqual(['NEW SAHYADRI AGRO FOODS LIMITED'])
    expect(await companies({ state: 'KARNATAKA', city: 'mysuru' })).toEqual(['KAVERI RETAIL LIMITED'])
    expect(await companies({ company: 'sahyadri', city: 'Mysuru' })).toEqual([])
  })

  test('pages of a name search do not overlap', async () => {
    const pages = await Promise.all(['1', '2', '3'].map((page) => companies({ company: 'sahyadri', limit: '2', page })))
    expect(pages.map((page) => page.length)).toEqual([2, 1, 0])
    expect(new Set(pages.flat()).size).toBe(3)
  })

  test.each(["'; DROP TABLE x; --", '!!!', '&|!():*<->', '\\', "q'", 'pvt ltd', '%', 'zz', 'ग'])(
    'a name of odd characters is searched, not executed: %s',
    async (company) => {
      expect(await companies({ company })).toEqual([])
    },
  )

  test.each([
    [{ CIN: 'U85100' }, 422],
    [{ limit: '101' }, 400],
    [{ page: '0' }, 400],
    [{ company: '' }, 400],
    [{ company: 'a\0b' }, 400],
    [{ company: 'x'.repeat(300) }, 400],
  ])('%j is answered %i', async (query, status) => {
    expect((await get('/api/company/company-filter', query)).status).toBe(status)
  })
})

test('the GST filter narrows by GSTIN, trade name, state and status', async () => {
  const find = async (query: Record<string, string>) =>
    (await get('/api/gst/gst-filter', query)).body.map((hit: { GSTIN: string }) => hit.GSTIN)
  expect(await find({ TradeName: 'kaveri' })).toEqual(['27AAACR5055K1Z7', '29AAICA3918J1ZE'])
  expect(await find({ TradeName: 'kaveri', Status: 'cancelled' })).toEqual(['29AAICA3918J1ZE'])
  expect(await find({ State: 'Maharashtra' })).toEqual(['27AAACR5055K1Z7'])
  expect(await find({ GSTIN: '29aaica3918j1ze' })).toEqual(['29AAICA3918J1ZE'])
  expect((await get('/api/gst/gst-filter', { GSTIN: '29AAICA3918J1ZX' })).status).toBe(422)
})

describe('director filter', () => {
  const find = (query: Record<string, string>) => get('/api/company/director-filter', query)

  test('answers the specified fields with the total and the paging', async () => {
    expect((await find({ din: '12345' })).body).toEqual({
      results: [
        {
          DIN: '00012345',
          firstName: 'Asha',
          lastName: 'Kamat',
          gender: 'Female',
          citizenOfIndia: 'Yes',
          state: 'Goa',
        },
      ],
      total_results: 1,
      page: 1,
      limit: 10,
    })
  })

  test.each([
    { DIN: '00012345' },
    { firstName: 'ASHA', lastName: 'kam' },
    { middleName: 'Ramesh' },
    { gender: 'female' },
    { directorDisqualified: 'false' },
    { residentOfIndia: 'yes' },
    { citizenOfIndia: 'Yes' },
    { nationality: 'indian' },
    { dateOfBirthFrom: '1980-05-17', dateOfBirthTo: '1980-05-17' },
    { state: 'goa' },
    { district: 'North Goa' },
    { country: 'india' },
    { postalCode: '403001' },
  ])('%j finds exactly the director of whom it is true', async (query) => {
    const { body } = await find(query)
    expect(body).toMatchObject({ results: [{ DIN: '00012345' }], total_results: 1 })
  })

  test('without filters all directors are listed, by DIN, page by page', async () => {
    expect((await find({ limit: '1', page: '2' })).body).toMatchObject({
      results: [{ DIN: '00099999' }],
      total_results: 2,
    })
    expect((await find({ page: '3' })).body).toMatchObject({ results: [], total_results: 2 })
  })

  test.each(["D'Cruz", 'D’CRUZ', 'dcruz', 'D`cru.'])(
    'a name with an apostrophe is found by its parts, written %s',
    async (lastName) => {
      expect((await find({ firstName: 'ashok', lastName })).body.results).toMatchObject([{ DIN: '00099999' }])
    },
  )

  test.each([
    [{ din: 'x' }, 422],
    [{ dateOfBirthFrom: '17-05-1980' }, 400],
    [{ dateOfBirthFrom: '1980-02-30' }, 422],
    [{ dateOfBirthFrom: '1990-01-01', dateOfBirthTo: '1980-01-01' }, 422],
    [{ citizenOfIndia: 'maybe' }, 400],
    [{ limit: '101' }, 400],
  ])('%j is answered %i', async (query, status) => {
    expect((await find(query)).status).toBe(status)
  })
})

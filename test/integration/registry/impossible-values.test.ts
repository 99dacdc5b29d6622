/**
 * A value that no record can have is a fault that names its field, and never an empty page without a word: asked of every
 * field of the screener, the feeds, the filters and the code lists. A field that is new is in none of the lists below, and
 * fails here until somebody says which values it takes.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { grantEntitlement } from '../../../src/access/grants.ts'
import { entityTypes } from '../../../src/domain/identity.ts'
import { type Field, screenerFields, screenerTypes } from '../../../src/registry/screener/fields.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { operationsOf } from '../../support/openapi.ts'
import { insertCompany, insertDirector, insertGst, raiseVersion } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn

beforeAll(async () => {
  const { db } = database
  const place = { state: 'Goa', district: 'North Goa', pincode: '403001' }
  await insertCompany(db, {
    ...{ cin: 'U85100GA2022PTC900001', name: 'SAHYADRI FOODS', ...place },
    ...{ status: 'Oddly closed', class: 'Private', category: 'Unlimited company', listed: 'Unlisted' },
    ...{ company_type: 'Company', roc_code: 'ROC Goa', incorporated_on: '2025-11-01' },
  })
  await insertGst(db, {
    ...{ gstin: '27AAACR5055K1Z7', trade_name: 'Kaveri Mart', ...place },
    ...{ status: 'Active', taxpayer_type: 'Regular', constitution: 'Odd Body', business_activities: ['Export'] },
    ...{ registered_on: '2025-11-01', hsn_codes: ['090121', '230700'], sac_codes: ['998313'] },
  })
  await insertDirector(db, {
    ...{ din: '00012345', full_name: 'Asha Kamat', first_name: 'Asha', last_name: 'Kamat', ...place },
    ...{ gender: 'Female', status: 'Approved', approved_on: '2025-11-01' },
  })
  for (const entity of entityTypes) await raiseVersion(db, entity)
  customer = await newCustomer(api, database, { plan: 'premium' })
  for (const dataset of entityTypes) {
    await grantEntitlement(db, { accountId: customer.accountId, dataset, grantedBy: 'subscription' })
  }
})

describe('the screener', () => {
  /** Their values are as the register's sources write them: nothing tells one that cannot be. */
  const open = ['company', 'City', 'District', 'NICDesc', 'TradeName', 'LegalName', 'hsncd', 'saccd']
  const impossible = ({ kind, vocabulary }: Field): string[] => {
    if (kind === 'number' || kind === 'integer' || kind === 'date') return ["'many'"]
    if (vocabulary === 'state') return ["'Atlantis'", "'QQ'"]
    if (vocabulary !== undefined) return ["'Live'", "'Q'"]
    if (kind === 'identifier') return ["'U123'", "'27AAACR5055K1Z8'"]
    return ["'40300'", "'040300'", "'abc'", '1234567']
  }
  const fields = screenerTypes.flatMap((type) =>
    screenerFields[type].map((field) => ({ type, field, name: field.name })),
  )

  test.each(fields.filter(({ name }) => !open.includes(name)))(
    'refuses a value that no $type can have as its $name',
    async ({ type, field }) => {
      for (const value of impossible(field)) {
        const lists = field.kind === 'flag' ? [] : [`IN [${value}]`, `NOT IN [${value}]`]
        for (const condition of [`== ${value}`, `!= ${value}`, ...lists]) {
          const query = `${field.name} ${condition}`
          const reply = await api.post('/api/screener/search', customer.token, { type, query })
          expect([query, reply.statusCode, reply.json()]).toMatchObject([
            query,
            422,
            { error_code: 'QUERY_SYNTAX', found: value, expected: expect.arrayContaining([expect.any(String)]) },
          ])
          expect(reply.json().detail).toContain(`${field.name} `)
        }
      }
    },
  )

  test.each([
    ['company', "llpStatus == 'ODDLY CLOSED'"],
    ['gst', "ConstitutionBusiness == 'odd body'"],
    ['company', "Pincode == '403001' AND Pincode > '40' AND Pincode STARTS_WITH '40300'"],
    ['company', "CIN STARTS_WITH 'U851' AND CIN == 'u85100ga2022ptc900001'"],
    ['company', "ROCCode == 'Goa'"],
    ['gst', "hsncd == '90121' AND hsncd == 90121 AND hsncd IN ['2307 00']"],
    ['gst', "saccd == '9983 13' AND saccd == '९९८३१३' AND saccd NOT IN ['9983 14']"],
    ['gst', "hsncd STARTS_WITH '0901' AND NOT hsncd STARTS_WITH '901'"],
  ])('finds in the %s register what stands there, and parts of it: %s', async (type, query) => {
    expect((await api.post('/api/screener/search', customer.token, { type, query })).json().total).toBe(1)
  })
})

describe('feeds, filters and code lists', () => {
  const impossible: Readonly<Record<string, readonly string[]>> = {
    ...{ cin: ['U123'], gstin: ['27AAACR5055K1Z8'], din: ['x1', '0'] },
    ...{ state: ['Atlantis'], district: ['Zzyzx'], pincode: ['abc', '40300', '040300', '403001,abc'] },
    ...{ postalcode: ['abc', '40300'], status: ['Live'], business_type: ['Bakery'], gender: ['Q'], code: ['abc'] },
    ...{ from_date: ['2025-02-30'], to_date: ['soon'], dateofbirthfrom: ['2025-02-30'], dateofbirthto: ['soon'] },
    ...{ directordisqualified: ['Q'], residentofindia: ['Q'], citizenofindia: ['Q'] },
    ...{ hasemail: ['Q'], hasmobile: ['Q'], vintage: ['1991'] },
  }
  /** Names, words of descriptions, and places and peoples that no list of ours is complete of. */
  const open = [
    'search',
    'company',
    'city',
    'tradename',
    'firstname',
    'middlename',
    'lastname',
    'nationality',
    'country',
  ]
  /** The specification gives it to directors, who have none: it finds nothing. Districts of other countries are not listed. */
  const openHere = [
    'POST /api/recently-registered/directors business_type',
    'GET /api/company/director-filter district',
  ]
  const paging = ['page', 'limit', 'cursor']

  test('refuse in every parameter a value that no record can have, and name the parameter', async () => {
    const operations = (await operationsOf(api)).filter(({ path }) =>
      /^\/api\/(recently-registered|company\/.*-filter|gst\/gst-filter|reference)/.test(path),
    )
    const asked: string[] = []
    for (const { name, method, path, parameters, requestBody } of operations) {
      const body = requestBody?.content['application/json']?.schema['properties']
      const names = method === 'GET' ? parameters.filter((each) => each.in === 'query').map((each) => each.name) : []
      for (const parameter of [...names, ...Object.keys(body ?? {})]) {
        const key = parameter.toLowerCase()
        if (open.includes(key) || paging.includes(key) || openHere.includes(`${name} ${parameter}`)) continue
        expect([name, parameter, impossible[key]]).toEqual([name, parameter, expect.any(Array)])
        for (const value of impossible[key] ?? []) {
          const other = key === 'vintage' ? '&code=01' : ''
          const reply =
            method === 'POST'
              ? await api.post(path, customer.token, { [parameter]: value })
              : await api.get(`${path}?${parameter}=${encodeURIComponent(value)}${other}`, customer.token)
          expect([name, parameter, value, reply.statusCode]).toEqual([
            name,
            parameter,
            value,
            expect.toBeOneOf([400, 422]),
          ])
          expect([name, JSON.stringify(reply.json())]).toEqual([name, expect.stringContaining(parameter)])
          asked.push(`${name} ${parameter}`)
        }
      }
    }
    expect(operations).toHaveLength(12)
    expect(new Set(asked).size).toBeGreaterThan(40)
  })

  test('find what stands in the register, in any spelling of it', async () => {
    const total = async (url: string) => (await api.get(url, customer.token)).json().total_results
    for (const gender of ['F', 'female', 'Female']) {
      expect([gender, await total(`/api/company/director-filter?gender=${gender}`)]).toEqual([gender, 1])
    }
    expect(await total('/api/company/director-filter?gender=M')).toBe(0)
    expect(await total('/api/company/director-filter?postalCode=403%20001')).toBe(1)
    const feed = async (dataset: string, body: object) =>
      (await api.post(`/api/recently-registered/${dataset}`, customer.token, body)).json().total
    expect(await feed('companies', { pincode: '403001, 403002', business_type: 'company' })).toBe(1)
    expect(await feed('gst', { business_type: 'ODD BODY' })).toBe(1)
  })
})

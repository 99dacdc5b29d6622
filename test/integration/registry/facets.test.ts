/** Counts of a query by value: each is what the search finds when the value is asked for, too. */
import { beforeAll, expect, test } from 'vitest'
import type { ScreenerType } from '../../../src/registry/screener/fields.ts'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { fillRegisters } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertCompany, insertDirectorship, insertGst } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
beforeAll(async () => {
  await fillRegisters(database.db)
  customer = await newCustomer(api, database, { plan: 'premium' })
})

interface Facets {
  readonly facets: readonly {
    field: string
    values: readonly { value: string | null; records: number; condition: string }[]
  }[]
  readonly notice?: string
}

const ask = async <T>(path: string, body: object): Promise<T> => {
  const reply = await api.post(path, customer.token, body)
  expect(reply.statusCode).toBe(200)
  return reply.json<T>()
}
const totalOf = async (type: ScreenerType, query: string) =>
  (await ask<{ total: number }>('/api/screener/search', { type, query })).total

const facetsOf = async (type: ScreenerType, query: string) =>
  (await ask<Facets>('/api/screener/facets', { type, query })).facets

/** The last ones are asked of days that are sold, by somebody who has not bought them. */
const asked: readonly (readonly [ScreenerType, string])[] = [
  ['company', ''],
  ['gst', ''],
  ['company', 'paidUpCapital >= 0'],
  ['company', "State == 'Goa' AND llpStatus == 'Active'"],
  ['company', "company CONTAINS 'petro'"],
  ['gst', "GSTIN STARTS_WITH '2'"],
  ['gst', "state IN ['Goa', 'Kerala']"],
  ['company', "CIN != 'U85100GA2022PTC999999' AND dateOfIncorporation > '2000-01-01'"],
  ['gst', "DateOfRegistration > '2000-01-01'"],
]
/** The parts of these queries that narrow a field of which values are counted. */
const narrowing = /(?:llpStatus|[sS]tate) (?:==|IN) (?:'\w+'|\[.*\])|\w+ > '2000-01-01'/g

test.each(asked)(
  'of %s, “%s”: each value and each bound has as many records as a search for it finds, and the values together are all',
  async (type, query) => {
    const facets = await facetsOf(type, query)
    expect(facets.map(({ field }) => field)).toEqual(fieldsCounted[type])
    for (const { field, values } of facets) {
      const others = query
        .split(' AND ')
        .filter((term) => !(term.startsWith(`${field} `) && term.search(narrowing) === 0))
        .filter((term) => term !== '')
      for (const { records, condition } of values) {
        expect(await totalOf(type, [...others, condition].join(' AND ')), condition).toBe(records)
      }
      if (!valued.has(field) || others.length === 0) continue
      const together = values.reduce((sum, { records }) => sum + records, 0)
      expect(together, field).toBe(await totalOf(type, others.join(' AND ')))
    }
  },
)

const reach = ['has_mobile', 'has_email', 'has_website', 'owned']
const values = {
  company: ['State', 'District', 'llpStatus', 'companyType', 'classOfCompany', 'NICDesc'],
  gst: ['state', 'District', 'Status', 'TaxpayerType', 'ConstitutionBusiness'],
}
/** Of codes of which a record has several: no sum of them is the whole. */
const headings = ['hsncd']
const valued = new Set([...values.company, ...values.gst])
const fieldsCounted = {
  company: [...values.company, 'dateOfIncorporation', 'paidUpCapital', 'boardSize', ...reach],
  gst: [...values.gst, ...headings, 'DateOfRegistration', ...reach],
}

test('a company counts as on a board of so many as hold office in it', async () => {
  const cin = 'U85100GA2022PTC123456'
  const seat = { cin, designation: 'Director', appointed_on: '2022-04-01' }
  await insertCompany(database.db, { cin, name: 'BOARD OF TWO', state: 'Goa', incorporated_on: '2022-04-01' })
  await insertDirectorship(database.db, { ...seat, din: '00000011' })
  await insertDirectorship(database.db, { ...seat, din: '00000011', designation: 'Managing Director' })
  await insertDirectorship(database.db, { ...seat, din: '00000012' })
  await insertDirectorship(database.db, { ...seat, din: '00000013', ceased_on: '2023-04-01' })
  await insertDirectorship(database.db, { ...seat, din: '00000014', closed_on: '2023-04-01' })
  const named = `CIN == '${cin}' AND boardSize`
  expect([await totalOf('company', `${named} == 2`), await totalOf('company', `${named} > 2`)]).toEqual([1, 0])
})

test('of a heading of HSN codes the records that have any of it are counted, each once, with the words of the heading', async () => {
  const gstin = '30AAACH8471F1Z5'
  await insertGst(database.db, { gstin, state: 'Goa', hsn_codes: ['847130', '847141', '0902', '12'] })
  const query = "GSTIN STARTS_WITH '30AAACH8471'"
  const found = (await facetsOf('gst', query)).find(({ field }) => field === 'hsncd')
  expect(found?.values).toEqual([
    { value: '0902', records: 1, words: 'Tea, whether or not flavoured', condition: "hsncd STARTS_WITH '0902'" },
    { value: '8471', records: 1, words: 'Data processing machines', condition: "hsncd STARTS_WITH '8471'" },
  ])
  expect(await totalOf('gst', `${query} AND hsncd STARTS_WITH '8471'`)).toBe(1)
  // What else the query says of the codes does not narrow their own counts.
  const narrowed = (await facetsOf('gst', `${query} AND hsncd STARTS_WITH '8471'`)).find(
    ({ field }) => field === 'hsncd',
  )
  expect(narrowed).toEqual(found)
})

test('who can be reached is counted anew when only contacts have changed', async () => {
  const before = await totalOf('company', 'has_website')
  await database.db.execute(
    `INSERT INTO registry.contact (id, entity, identifier, website, first_run_id, last_run_id, as_of)
     SELECT 'company:' || cin, 'company', cin, 'https://example.in', 1, 1, '2026-01-01' FROM registry.company ORDER BY cin LIMIT 1`,
  )
  expect(await totalOf('company', 'has_website')).toBe(before + 1)
})

/** Fields that the kept counts tell; days are in none of them for somebody who has not bought those that are sold. */
const large: readonly (readonly [ScreenerType, string, readonly string[]])[] = [
  ['company', "State == 'Goa'", ['State', 'llpStatus', 'companyType', 'classOfCompany', 'NICDesc']],
  ['company', "State == 'Goa' AND classOfCompany == 'Public'", ['State', 'llpStatus', 'companyType', 'classOfCompany']],
  ['gst', "state == 'Goa' AND Status == 'Active'", ['state', 'Status', 'ConstitutionBusiness', 'hsncd']],
  ['gst', "ConstitutionBusiness == 'Proprietorship'", ['state', 'Status', 'ConstitutionBusiness']],
]
const looksLarge = (many: number) =>
  database.db.execute('UPDATE pg_class SET reltuples = $1 WHERE oid = ANY ($2::text[]::regclass[])', [
    ...[many, ['registry.company', 'registry.gst_taxpayer']],
  ])

test.each(large)(
  'of a register of %s that is too large to be looked through, “%s” is counted by what the kept counts tell: %j',
  async (type, query, kept) => {
    const before = await facetsOf(type, query)
    await looksLarge(3_000_000)
    const after = await facetsOf(type, query)
    await looksLarge(-1)
    expect(after).toEqual(before.filter(({ field }) => kept.includes(field)))
  },
)

test('of a large register the other states and statuses are counted beside an industry, too', async () => {
  const query = "State == 'Goa' AND llpStatus == 'Active' AND NICDesc == 'Growing of cereals'"
  const before = await facetsOf('company', query)
  await looksLarge(3_000_000)
  const after = await facetsOf('company', query)
  await looksLarge(-1)
  const narrowed = ['State', 'llpStatus', 'NICDesc']
  const of = (facets: typeof before) => facets.filter(({ field }) => narrowed.includes(field))
  expect(of(after)).toEqual(of(before))
  expect(of(after).map(({ field }) => field)).toEqual(narrowed)
})

test('a mistake in the query is reported as in the search', async () => {
  const reply = await api.post('/api/screener/facets', customer.token, { type: 'company', query: "State = 'Goa'" })
  expect([reply.statusCode, reply.json<{ error_code: string }>().error_code]).toEqual([422, 'QUERY_SYNTAX'])
})

/** One test per field of the specification, over answers of the real server; the tables stand in fields.ts. */
import { beforeAll, describe, expect, test } from 'vitest'
import { newCustomer, useApi } from '../../support/api.ts'
import { addCredits, fillRegisters, known, openFeeds, orderBody, paidOrder } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { exactTitle, type FieldSection, type FieldTable, fieldTables, fieldTitle, fieldTypes } from './fields.ts'

const database = useTestDatabase()
const api = useApi(database)
type Json = Record<string, unknown>
const answers = new Map<FieldSection, unknown>()

const member = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, name) => (at === null || at === undefined ? undefined : (at as Json)[name]), value)

/** The first element of the array at the path. */
const first = (value: unknown, path: string): unknown => (member(value, path) as unknown[])[0]

beforeAll(async () => {
  const { db } = database
  await fillRegisters(db)
  const customer = await newCustomer(api, database, { plan: 'premium' })
  const { token, accountId } = customer
  await openFeeds(db, accountId)
  await addCredits(db, accountId, 100)
  const get = async (url: string) => (await api.get(url, token)).json<Json>()
  const post = async (url: string, body: object) => (await api.post(url, token, body)).json<Json>()
  const set = (section: FieldSection, value: unknown) => answers.set(section, value)

  const login = await post('/api/auth/login', { api_key: customer.apiKey })
  set('Login result', login)
  set('Refresh result', await post('/api/auth/refresh-token', { refresh_token: customer.refreshToken }))
  set('User profile', await get('/api/users/me'))
  set('Offer', first(await get('/api/offers/available'), 'available_offers'))

  const search = await post('/api/screener/search', { type: 'company', query: `CIN == '${known.cin}'` })
  set('Screener search', search)
  set('Company search result', first(search, 'results'))
  const gst = await post('/api/screener/search', { type: 'gst', query: `GSTIN == '${known.gstin}'` })
  set('GST search result', first(gst, 'results'))
  const draft = { name: 'One', type: 'company', query: `CIN == '${known.cin}'` }
  const saved = await post('/api/screener/screeners', draft)
  set('Saved screener', saved['data'])
  const run = await post(`/api/screener/screeners/${String(member(saved, 'data.id'))}/run`, {})
  set('Run screener', run)
  set('Run screener, screener', run['screener'])
  set('Run-screener company record', first(run, 'data'))

  const company = await get(`/api/company/details?cin=${known.cin}`)
  set('Company details', company['data'])
  set('Details, rate_limit', company['rate_limit'])
  set('GST details', (await get(`/api/gst/details?gstin=${known.gstin}`))['data'])
  const director = await get(`/api/company/director-details?din=${known.din}`)
  set('Director details', director['data'])
  set('Director details, company', first(director, 'data.companies'))
  const directors = await get(`/api/company/director-filter?din=${known.din}`)
  set('Director filter', directors)
  set('Director filter result', first(directors, 'results'))

  const feed = await post('/api/recently-registered/companies', {})
  set('Feed response', feed)
  set('Feed response, access', feed['access'])
  set('Recently registered company record', first(feed, 'data'))
  set('Recently registered director record', first(await post('/api/recently-registered/directors', {}), 'data'))

  set('Order (create result)', await post('/api/orders/normal', orderBody))
  const orderId = await paidOrder(db, api, customer)
  set('Order export', await get(`/api/orders/${orderId}/export`))
  const nested = await get(`/api/crm/orders/${orderId}/leads?format=nested`)
  set('Order leads, nested', nested)
  set('Order leads, nested lead', first(nested, 'leads'))

  set('Reference, HSN', first(await get('/api/reference/hsn?code=0902'), 'data'))
  set('Reference, NIC', first(await get('/api/reference/nic?search=cereals'), 'data'))

  const access = await get('/api/access')
  set('Access statement', access)
  set('Access statement, credits', first(access, 'credits'))
  set('Access statement, detail endpoints', member(access, 'rate_limits.detail_endpoints'))
  const dataset = member(access, 'datasets.recently_registered.gst')
  set('Access statement, dataset', dataset)
  set('Access statement, plan', first(dataset, 'plans'))
})

describe.each(Object.entries(fieldTables) as [FieldSection, FieldTable][])('%s', (section, { fields, exact }) => {
  for (const [field, type] of Object.entries(fields)) {
    test(fieldTitle(section, field, type), () => {
      const value = member(answers.get(section), field)
      expect([value, fieldTypes[type](value)]).toEqual([value, true])
      expect(value).not.toBeUndefined()
    })
  }
  if (!exact) return
  test(exactTitle(section), () => {
    expect(Object.keys(answers.get(section) as Json).sort()).toEqual(Object.keys(fields).sort())
  })
})

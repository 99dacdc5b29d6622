import { beforeAll, expect, test } from 'vitest'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { cinOf, gstinOf, insertCompany, insertDirector, insertGst } from '../orders/world.ts'

const database = useTestDatabase()
const api = useApi(database)
const paths = {
  company: `/api/company/details?cin=${cinOf(1)}`,
  gst: `/api/gst/details?gstin=${gstinOf(1)}`,
  director: '/api/company/director-details?din=00012345',
  hsn: '/api/reference/hsn?code=01',
  sac: '/api/reference/sac?code=99',
  nic: '/api/reference/nic?code=01',
}

beforeAll(async () => {
  await insertCompany(database.db, cinOf(1))
  await insertGst(database.db, gstinOf(1))
  await insertDirector(database.db, '00012345')
})

const ask = (url: string, token: string, tag?: string) =>
  api.app.inject({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, ...(tag === undefined ? {} : { 'if-none-match': tag }) },
  })

test.each(Object.entries(paths))('%s: an answer that the caller has is a 304 without a body', async (_, url) => {
  const { token } = await newCustomer(api, database)
  const first = await ask(url, token)
  expect(first.statusCode).toBe(200)
  const tag = String(first.headers['etag'])
  expect(tag).toMatch(/^W\/"[\w-]{27}"$/)
  for (const given of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
    const again = await ask(url, token, given)
    expect([given, again.statusCode, again.body, again.headers['etag']]).toEqual([given, 304, '', tag])
    expect(again.headers['content-type']).toBeUndefined()
    expect(again.headers['x-ratelimit-remaining']).toBeDefined()
    expect(again.headers['cache-control']).toBe('no-store, private')
  }
  const other = await ask(url, token, '"other"')
  expect([other.statusCode, other.headers['etag']]).toEqual([200, tag])
  expect(other.json().data).toEqual(first.json().data)
})

test('the tag changes with the record', async () => {
  const { token } = await newCustomer(api, database)
  const before = String((await ask(paths.company, token)).headers['etag'])
  await database.db.execute(`UPDATE registry.company SET status = 'Struck Off' WHERE cin = $1`, [cinOf(1)])
  const after = await ask(paths.company, token, before)
  expect([after.statusCode, after.json().data.llpStatus]).toEqual([200, 'Struck Off'])
  expect(after.headers['etag']).not.toBe(before)
})

test('a 304 is a lookup like any other and uses its unit', async () => {
  const { token } = await newCustomer(api, database)
  const first = await ask(paths.gst, token)
  const again = await ask(paths.gst, token, String(first.headers['etag']))
  expect(Number(first.headers['x-ratelimit-remaining']) - Number(again.headers['x-ratelimit-remaining'])).toBe(1)
})

test('errors carry no tag, and lists that are not tagged ignore If-None-Match', async () => {
  const { token } = await newCustomer(api, database)
  const missing = await ask(`/api/company/details?cin=${cinOf(99)}`, token, '*')
  expect([missing.statusCode, missing.headers['etag']]).toEqual([404, undefined])
  const list = await ask('/api/orders', token, '*')
  expect([list.statusCode, list.headers['etag']]).toEqual([200, undefined])
})

test('the document says which answers may be a 304', async () => {
  const document = await api.get('/openapi.json')
  expect(document.statusCode).toBe(200)
  const tagged = Object.entries<{ get?: { responses: object } }>(document.json().paths)
    .filter(([, { get }]) => get && '304' in get.responses)
    .map(([path]) => path)
  expect(tagged.sort()).toEqual(
    Object.values(paths)
      .map((path) => path.split('?')[0])
      .sort(),
  )
})

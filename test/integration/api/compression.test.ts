import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { type LoggedIn, newCustomer, useApi } from '../../support/api.ts'
import { fillRegisters } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
beforeAll(async () => {
  await fillRegisters(database.db)
  customer = await newCustomer(api, database)
})

const large = '/api/reference/hsn?code=09&limit=50'
const ask = (url: string, headers: Record<string, string>) =>
  api.app.inject({ url, headers: { authorization: `Bearer ${customer.token}`, ...headers } })

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('a large answer comes as %s where that is accepted, and holds the same', async (encoding, decompress) => {
  const plain = await ask(large, {})
  const packed = await ask(large, { 'accept-encoding': encoding })
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, encoding])
  expect(decompress(packed.rawPayload).toString()).toBe(plain.body)
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length)
  expect(packed.headers['vary']).toContain('accept-encoding')
  expect(packed.headers['cache-control']).toBe('no-store, private')
})

test('a small answer and an error stay as they are, and so does what asks for nothing we have', async () => {
  const small = await ask('/api/users/me', { 'accept-encoding': 'gzip, br' })
  const refused = await ask('/api/company/details?cin=x', { 'accept-encoding': 'gzip, br' })
  const other = await ask(large, { 'accept-encoding': 'compress' })
  expect([small, refused, other].map(({ headers }) => headers['content-encoding'])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('the ETag is of the content, not of its packing: the tag of a packed answer spares the plain one', async () => {
  const packed = await ask(large, { 'accept-encoding': 'br' })
  const plain = await ask(large, {})
  expect(packed.headers['etag']).toMatch(/^W\/"/)
  expect(packed.headers['etag']).toBe(plain.headers['etag'])
  const again = await ask(large, { 'accept-encoding': 'gzip', 'if-none-match': String(packed.headers['etag']) })
  expect([again.statusCode, again.body, again.headers['content-encoding']]).toEqual([304, '', undefined])
  expect(again.headers['etag']).toBe(packed.headers['etag'])
})

test('a compressed body is a 415, so that no small body unpacks into a huge one', async () => {
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip']) {
    const reply = await api.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      payload: gzipSync(JSON.stringify({ api_key: 'x' })),
    })
    expect([reply.statusCode, reply.json().error_code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  }
})

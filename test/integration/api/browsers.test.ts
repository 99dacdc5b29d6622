/** Pages of other origins: refused unless the operator has named their origin, and then on the developer API alone. */
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const closed = useApi(database)
const open = useApi(database, [], { corsOrigins: ['https://app.example.in', 'http://localhost:3000'] })
const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))
const preflight = (origin: string, url = '/api/screener/search'): InjectOptions => ({
  method: 'OPTIONS',
  url,
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
})

test('without configured origins no answer allows any, and a preflight is a 405 like any other method', async () => {
  const { token } = await newCustomer(closed, database)
  const headers = { origin: 'https://app.example.in', authorization: `Bearer ${token}` }
  const read = await closed.app.inject({ url: '/api/users/me', headers })
  expect([read.statusCode, corsHeaders(read.headers)]).toEqual([200, []])
  const asked = await closed.app.inject(preflight('https://app.example.in'))
  expect([asked.statusCode, asked.json().error_code, corsHeaders(asked.headers)]).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
    [],
  ])
})

test('a configured origin may call, read the headers of the API, and sees errors as well', async () => {
  const { token } = await newCustomer(open, database)
  for (const origin of ['https://app.example.in', 'http://localhost:3000']) {
    const asked = await open.app.inject(preflight(origin))
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([204, origin])
    const methods = String(asked.headers['access-control-allow-methods']).split(', ')
    expect(methods.toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])
    expect(asked.headers['access-control-allow-headers']).toContain('Authorization')
    expect(asked.headers['cache-control']).toBe('no-store, private')
    for (const bearer of [token, 'wrong']) {
      const headers = { origin, authorization: `Bearer ${bearer}` }
      const read = await open.app.inject({ url: '/api/users/me', headers })
      expect([read.statusCode, read.headers['access-control-allow-origin']]).toEqual([
        bearer === token ? 200 : 401,
        origin,
      ])
      const readable = String(read.headers['access-control-expose-headers']).split(', ')
      expect(readable).toEqual(expect.arrayContaining(['X-RateLimit-Remaining', 'Retry-After', 'Content-Disposition']))
      expect(read.headers['access-control-allow-credentials']).toBeUndefined()
      expect(String(read.headers['vary']).toLowerCase()).toContain('origin')
    }
  }
})

test.each(['https://app.example.in.evil.example', 'https://evil.example', 'null', 'http://app.example.in'])(
  'the origin %s is not one of them',
  async (origin) => {
    const { token } = await newCustomer(open, database)
    expect((await open.app.inject(preflight(origin))).statusCode).toBe(405)
    const read = await open.app.inject({ url: '/api/users/me', headers: { origin, authorization: `Bearer ${token}` } })
    expect([read.statusCode, corsHeaders(read.headers)]).toEqual([200, []])
  },
)

test('the operator endpoints and metrics allow no origin at all', async () => {
  for (const url of ['/admin/users', '/metrics']) {
    const headers = { origin: 'https://app.example.in', authorization: `Bearer ${operatorToken}` }
    const read = await open.app.inject({ url, headers })
    expect([url, read.statusCode, corsHeaders(read.headers)]).toEqual([url, 200, []])
    expect((await open.app.inject(preflight('https://app.example.in', url))).statusCode).toBe(405)
  }
})

test('with origins configured an unknown path stays a 404 and a wrong method a 405 with its own list', async () => {
  expect((await open.get('/api/nothing')).statusCode).toBe(404)
  const wrong = await open.app.inject({ method: 'OPTIONS', url: '/api/auth/login' })
  expect([wrong.statusCode, wrong.headers['allow']]).toEqual([405, 'POST'])
})

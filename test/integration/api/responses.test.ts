import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { referenceStyles } from '../../../src/api/reference-page.ts'
import type { Routes } from '../../../src/api/route-context.ts'
import { newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const failing: Routes = async (app, { db }) => {
  app.get('/api/test/fault', async () => {
    throw new TypeError('secret inside: password=hunter2')
  })
  app.get('/api/test/nul', async () => db.query('SELECT $1::text AS text', ['a\0b']))
  app.get('/api/test/away', async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  })
  app.get('/api/test/wrong-reply', { schema: { response: { 200: z.object({ count: z.number() }) } } }, async () => {
    return JSON.parse('{"count": "many"}')
  })
}

const database = useTestDatabase()
const api = useApi(database, [failing])

describe('headers', () => {
  test('every response carries the security headers and a request id, errors and unknown paths included', async () => {
    const { token } = await newCustomer(api, database)
    const replies = await Promise.all([
      api.get('/api/users/me', token),
      api.get('/api/users/me'),
      api.get('/api/nothing'),
      api.get('/nothing'),
      api.get('/%zz'),
      api.get('/healthz'),
      api.get('/docs/'),
      api.get('/openapi.json'),
      api.get('/admin/security/blocked-ips'),
      api.get('/api/test/fault', token),
      api.post('/api/auth/login', undefined, {}),
      api.app.inject({ method: 'DELETE', url: '/api/users/me' }),
    ])
    for (const { headers } of replies) {
      expect(headers).toMatchObject({
        'strict-transport-security': expect.stringContaining('max-age='),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store, private',
        'x-request-id': expect.any(String),
        'referrer-policy': 'no-referrer',
      })
      const policy = String(headers['content-security-policy'])
      for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(directive)
    }
  })

  test('a sane X-Request-Id comes back, in header and error body; another is replaced', async () => {
    const ask = (id: string) => api.app.inject({ method: 'GET', url: '/api/users/me', headers: { 'x-request-id': id } })
    const kept = await ask('job-42:7')
    expect([kept.headers['x-request-id'], kept.json().request_id]).toEqual(['job-42:7', 'job-42:7'])
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>']) {
      expect((await ask(id)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('every developer response carries the X-RateLimit headers; without a daily limit those of the burst', async () => {
    const { token } = await newCustomer(api, database)
    const reply = await api.get('/api/users/me', token)
    expect(reply.headers).toMatchObject({ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599' })
    expect(Date.parse(String(reply.headers['x-ratelimit-reset'])) - Date.now()).toBeLessThanOrEqual(60_000)
    for (const other of [await api.get('/api/users/me'), await api.get('/api/nothing')]) {
      expect(other.headers).toMatchObject({ 'x-ratelimit-limit': '600', 'x-ratelimit-reset': expect.any(String) })
    }
  })
})

describe('errors', () => {
  const shape = {
    detail: expect.stringMatching(/./),
    error_code: expect.any(String),
    request_id: expect.any(String),
    doc_url: expect.stringMatching(/^\/docs\/errors#[A-Z_]+$/),
  }

  test('names the page and the place where its code is explained', async () => {
    const { error_code: code, doc_url: page } = (await api.get('/api/access')).json<Record<string, string>>()
    const reply = await api.get(String(page))
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(reply.body).toContain(`<section id="${code}">`)
  })

  test('a broken body is a 400', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const payload of ['{', '[1,', '{"__proto__": {"a": 1}}', 'null', '"text"', '[]', '7']) {
      const reply = await api.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload })
      expect([payload, reply.statusCode, reply.json()]).toEqual([payload, 400, expect.objectContaining(shape)])
    }
  })

  test('a body of null is a 400 also where the body may be left out, and does nothing', async () => {
    const { token } = await newCustomer(api, database)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const keys = async () => (await api.get('/api/keys', token)).json().data.length
    const before = await keys()
    for (const payload of ['null', ' null\n']) {
      const reply = await api.app.inject({ method: 'POST', url: '/api/keys', headers, payload })
      expect([reply.statusCode, reply.json()]).toEqual([
        400,
        expect.objectContaining({ ...shape, detail: expect.stringContaining('null') }),
      ])
    }
    expect(await keys()).toBe(before)
    expect((await api.app.inject({ method: 'POST', url: '/api/keys', headers, payload: '{}' })).statusCode).toBe(201)
  })

  test('a mistyped parameter is a 400 that names it', async () => {
    const { token } = await newCustomer(api, database, { isEnterprise: true })
    const bodies = [
      [{ limit: 101 }, 'limit must be'],
      [{ page: 0 }, 'page must be'],
      [{ page: '1' }, 'page must be'],
      [{ from_date: '30-02-2024' }, 'from_date must be'],
      [{ state: ['Goa'] }, 'state must be'],
      [{ credits: 5 }, 'credits'],
    ] as const
    for (const [body, name] of bodies) {
      const reply = await api.post('/api/recently-registered/gst', token, body)
      expect([reply.statusCode, reply.json()]).toEqual([400, expect.objectContaining(shape)])
      expect(reply.json().detail).toContain(name)
    }
  })

  test('a text with a NUL character is a 400, not a fault', async () => {
    const { token } = await newCustomer(api, database, { isEnterprise: true })
    expect((await api.get('/api/test/nul', token)).statusCode).toBe(400)
    expect((await api.post('/api/recently-registered/gst', token, { search: 'a\0b' })).statusCode).toBe(400)
  })

  test('an unknown path is a 404 in the same shape, whoever asks', async () => {
    for (const path of ['/api/nothing', '/nothing', '/api/company/detailsx', '/..%2f..%2fetc/passwd', '//']) {
      const reply = await api.get(path)
      expect([path, reply.statusCode, reply.json()]).toEqual([path, 404, { ...shape, error_code: 'NOT_FOUND' }])
    }
  })

  test('a wrong method is a 405 that lists the right ones', async () => {
    const calls = [
      ['DELETE', '/api/users/me', 'GET, HEAD'],
      ['GET', '/api/auth/login', 'POST'],
      ['OPTIONS', '/api/auth/login', 'POST'],
      ['PUT', '/admin/users/7/suspend', 'POST'],
    ] as const
    for (const [method, url, allow] of calls) {
      const reply = await api.app.inject({ method, url })
      expect([reply.statusCode, reply.headers['allow'], reply.json()]).toEqual([
        405,
        allow,
        { ...shape, error_code: 'METHOD_NOT_ALLOWED' },
      ])
    }
  })

  test('a body over 1 MiB is a 413, also without a length', async () => {
    const payload = JSON.stringify({ api_key: 'x'.repeat(1_048_577) })
    const headers = { 'content-type': 'application/json' }
    for (const body of [payload, Readable.from([payload.slice(0, 1000), payload.slice(1000)])]) {
      const reply = await api.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: body })
      expect([reply.statusCode, reply.json()]).toEqual([413, { ...shape, error_code: 'PAYLOAD_TOO_LARGE' }])
    }
  })

  test('another content type than JSON is a 415', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json\ta']) {
      const headers = { 'content-type': type }
      const reply = await api.app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: 'api_key=1' })
      expect([type, reply.statusCode, reply.json()]).toEqual([
        type,
        415,
        { ...shape, error_code: 'UNSUPPORTED_MEDIA_TYPE' },
      ])
    }
  })

  test('an internal error is a 500 that reveals nothing internal', async () => {
    const { token } = await newCustomer(api, database)
    for (const path of ['/api/test/fault', '/api/test/wrong-reply']) {
      const reply = await api.get(path, token)
      expect([reply.statusCode, reply.json()]).toEqual([500, { ...shape, error_code: 'INTERNAL' }])
      expect(reply.body).not.toMatch(/hunter2|TypeError|schema|at /)
    }
  })

  test('a database that is away is a 503 with Retry-After', async () => {
    const { token } = await newCustomer(api, database)
    const reply = await api.get('/api/test/away', token)
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
    expect(reply.json()).toMatchObject({ error_code: 'UNAVAILABLE', detail: expect.not.stringContaining('127.0.0.1') })
  })

  let listening: Promise<string> | undefined
  test.each([
    ['what is not HTTP', 'NONSENSE\r\n\r\n'],
    ['a request without a Host', 'GET /api/users/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s gets an answer in the same shape', async (_what, sent) => {
    listening ??= api.app.listen({ port: 0 })
    const port = Number(new URL(await listening).port)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(sent))
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*/)
    expect(answer).toMatch(/cache-control: no-store, private/i)
    expect(answer).toMatch(/strict-transport-security: /i)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ ...shape, error_code: 'BAD_REQUEST' })
  })
})

describe('public pages', () => {
  test('health needs no token', async () => {
    expect((await api.get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await api.get('/readyz')).json()).toEqual({ status: 'ok' })
  })

  test('the OpenAPI document describes every route of the developer API with its errors', async () => {
    const document = (await api.get('/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/api/auth/login',
        '/api/access',
        '/api/recently-registered/gst',
        '/admin/users/{id}/suspend',
      ]),
    )
    expect(document.paths['/api/auth/login'].post.security).toEqual([])
    expect(Object.keys(document.paths['/api/access'].get.responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '429',
      '500',
      '503',
    ])
  })

  test('the OpenAPI document repeats no name that a caller gives the server, and says whether a body may be left out', async () => {
    const headers = { host: 'panji.example:8443' }
    const document = (await api.app.inject({ url: '/openapi.json', headers })).json()
    expect(document.servers).toEqual([{ url: 'https://panji.example.in' }])
    expect(document.paths['/api/recently-registered/gst'].post.requestBody.required).toBe(false)
    expect(document.paths['/api/auth/login'].post.requestBody.required).toBe(true)
    expect(JSON.stringify(document)).not.toContain('Default Response')
    for (const host of ['a b<c', 'a/b', 'a@b', 'a?b', '%%%', 'a#b']) {
      const odd = await api.app.inject({ url: '/openapi.json', headers: { host } })
      expect([host, odd.statusCode, odd.json().error_code]).toEqual([host, 400, 'BAD_REQUEST'])
    }
    for (const host of ['[::1]:8080', 'पंजी.example', 'panji_api:80']) {
      expect(
        (
          await api.app.inject({
            url: '/healthz',
            headers: { host: encodeURI(host).replaceAll('%5B', '[').replaceAll('%5D', ']') },
          })
        ).statusCode,
      ).toBe(200)
    }
    expect((await api.get('/favicon.ico')).headers['content-type']).toContain('image/svg+xml')
  })

  test('the reference page loads nothing from elsewhere and its policy forbids it', async () => {
    const page = await api.get('/docs/')
    expect(page.statusCode).toBe(200)
    const loaded = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1])
    expect(loaded).toEqual([expect.stringMatching(/^js\/scalar-[0-9a-f]{16}\.js$/), 'js/start.js'])
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'self'")
    expect(policy).toContain("script-src 'self';")
    for (const path of loaded) expect((await api.get(`/docs/${path}`)).statusCode).toBe(200)
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(manifest.dependencies['@scalar/fastify-api-reference']).toBe(referenceStyles.version)
  })

  test('no answer has a policy that lets text of a page run or style it', async () => {
    for (const path of ['/', '/docs/', '/docs/errors', '/console', '/app', '/openapi.json', '/healthz', '/nowhere']) {
      const { headers } = await api.get(path)
      expect([path, headers['content-security-policy']]).toEqual([path, expect.not.stringContaining('unsafe')])
    }
  })
})

describe('admin', () => {
  test('without the operator token, or with an account token, everything is a 401', async () => {
    const { token } = await newCustomer(api, database)
    for (const bearer of [undefined, token, 'x', `${operatorToken}x`]) {
      for (const path of ['/admin/users/1/suspend', '/admin/users/1/unsuspend', '/admin/security/block-ip']) {
        const reply = await api.post(path, bearer, {})
        expect([reply.statusCode, reply.json().error_code]).toEqual([401, 'OPERATOR_TOKEN_REQUIRED'])
      }
    }
    expect((await api.get('/api/users/me', operatorToken)).statusCode).toBe(401)
  })

  test('suspending and unsuspending answers with the account and leaves audit rows', async () => {
    const customer = await newCustomer(api, database)
    const path = `/admin/users/${customer.accountId}`
    const suspended = await api.post(`${path}/suspend`, operatorToken, { reason: 'unpaid' })
    expect(suspended.json()).toMatchObject({ user_id: customer.accountId, suspended: true, reason: 'unpaid' })
    expect((await api.get('/api/users/me', customer.token)).statusCode).toBe(403)
    const freed = await api.post(`${path}/unsuspend`, operatorToken)
    expect(freed.json()).toMatchObject({ suspended: false, suspended_at: null, reason: null })
    const auditLog = await database.db.query(
      `SELECT actor, action FROM access.audit WHERE subject = $1 ORDER BY audit_id`,
      [customer.accountId],
    )
    expect(auditLog.slice(-2)).toEqual([
      { actor: 'operator:default', action: 'suspend account' },
      { actor: 'operator:default', action: 'unsuspend account' },
    ])
  })

  test('an unknown or malformed user id is a 404', async () => {
    for (const id of ['7', '00000000-0000-4000-8000-000000000000', "'; --"]) {
      const reply = await api.post(`/admin/users/${encodeURIComponent(id)}/suspend`, operatorToken)
      expect(reply.statusCode).toBe(404)
    }
  })

  test('a blocked address is refused on every developer call until it is unblocked', async () => {
    const { token } = await newCustomer(api, database)
    const remoteAddress = '::ffff:10.9.9.9'
    const me = {
      method: 'GET',
      url: '/api/users/me',
      headers: { authorization: `Bearer ${token}` },
      remoteAddress,
    } as const
    const blocked = await api.post('/admin/security/block-ip', operatorToken, { ip: '10.9.9.9', reason: 'scraping' })
    expect(blocked.json()).toMatchObject({ ip: '10.9.9.9', reason: 'scraping', blocked_by: 'operator:default' })
    expect((await api.app.inject(me)).json()).toMatchObject({ error_code: 'ADDRESS_BLOCKED' })
    const list = await api.get('/admin/security/blocked-ips', operatorToken)
    expect(list.json().data).toContainEqual(blocked.json())
    expect((await api.post('/admin/security/unblock-ip', operatorToken, { ip: '10.9.9.9' })).statusCode).toBe(200)
    expect((await api.post('/admin/security/unblock-ip', operatorToken, { ip: '10.9.9.9' })).statusCode).toBe(404)
    expect((await api.app.inject(me)).statusCode).toBe(200)
    expect((await api.post('/admin/security/block-ip', operatorToken, { ip: 'not an ip' })).statusCode).toBe(400)
  })

  test('X-Forwarded-For is not believed from an address that is no trusted proxy', async () => {
    const { token } = await newCustomer(api, database)
    await api.post('/admin/security/block-ip', operatorToken, { ip: '10.8.8.8' })
    const reply = await api.app.inject({
      method: 'GET',
      url: '/api/users/me',
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '10.7.7.7' },
      remoteAddress: '10.8.8.8',
    })
    expect(reply.statusCode).toBe(403)
  })
})

/** The pages of console and app as the server hands them out. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const webDist = mkdtempSync(join(tmpdir(), 'panji-web-'))
const script = `console.log('${'x'.repeat(5_000)}')`
mkdirSync(join(webDist, 'assets'))
writeFileSync(join(webDist, 'console.html'), '<!doctype html><title>Console</title>')
writeFileSync(join(webDist, 'app.html'), '<!doctype html><title>App</title>')
writeFileSync(join(webDist, 'assets', 'a1b2c3.js'), script)
afterAll(() => rmSync(webDist, { recursive: true }))

const database = useTestDatabase()
const built = useApi(database, [], { webDist })
const bare = useApi(database, [], { webDist: join(webDist, 'nothing-here') })

test.each(['/console', '/console/runs/17?tab=rejects', '/console/accounts/a%20b', '/app', '/app/search/U74999MH'])(
  'a browser that opens %s gets the page, under a policy that allows nothing inline and nothing from elsewhere',
  async (url) => {
    const reply = await built.get(url)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(reply.body).toContain(url.startsWith('/app') ? '<title>App' : '<title>Console')
    const policy = String(reply.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("form-action 'none'; base-uri 'none'; frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(reply.headers['cache-control']).toBe('private, no-cache')
    const again = await built.app.inject({ url, headers: { 'if-none-match': String(reply.headers['etag']) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  },
)

test('an asset is packed, kept for ever, and one that is not there is a 404', async () => {
  const reply = await built.app.inject({ url: '/assets/a1b2c3.js', headers: { 'accept-encoding': 'br' } })
  expect(reply.headers).toMatchObject({
    'content-type': 'application/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(script)
  expect(reply.rawPayload.length).toBeLessThan(200)
  for (const url of [
    '/assets/other.js',
    '/assets/..%2fconsole.html',
    '/assets/%2e%2e%2fconsole.html',
    '/assets/',
    '/console/x.js',
    '/app/assets/a1b2c3.js',
  ]) {
    const missing = await built.get(url)
    expect([url, missing.statusCode, missing.json().error_code]).toEqual([url, 404, 'NOT_FOUND'])
  }
})

test('an operation below the pages stays one: another method is a 405, and no page', async () => {
  const reply = await built.get('/console/sessions/7b0c0a3e-0f6e-4a3e-9d7a-0a4f0e6a7f11')
  expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'DELETE'])
  expect((await built.get('/console/session')).statusCode).toBe(401)
  expect((await built.post('/console/runs', undefined, {})).statusCode).toBe(404)
})

test('the address without a path leads to the console, and to the reference where no page was built', async () => {
  expect((await built.get('/')).headers['location']).toBe('/console')
  expect((await bare.get('/')).headers['location']).toBe('/docs/')
})

test('a checkout without built pages says which command builds them', async () => {
  for (const url of ['/console', '/app/orders']) {
    const reply = await bare.get(url)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(reply.body).toContain('npm run build:web')
  }
})

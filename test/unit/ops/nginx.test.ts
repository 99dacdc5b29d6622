/** The file of nginx: whole as it is, shown by the page as it is, and within the bounds of what stands behind it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bodyBytesMax } from '../../../config/http-bounds.ts'

const text = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
const file = text('ops/nginx/panji.conf')
const locations = [...file.matchAll(/location (\S+) \{([^}]*)\}/g)].map(([, path = '', body = '']) => ({ path, body }))

test('the page shows the file as it is shipped', () => {
  expect(text('docs/deployment.md')).toContain(file.trim())
})

test('every location hands on to Panji, with the headers of the server', () => {
  expect(locations.map(({ path }) => path)).toEqual(['/', '/admin/ingest/'])
  for (const { path, body } of locations) {
    expect([path, body]).toEqual([path, expect.stringContaining('proxy_pass http://panji;')])
    // A location with a header of its own would inherit none of the server's.
    expect([path, body]).toEqual([path, expect.not.stringContaining('proxy_set_header')])
  }
  for (const header of ['Host $http_host', 'X-Forwarded-For $remote_addr', 'X-Forwarded-Proto $scheme'])
    expect(file).toContain(`proxy_set_header ${header};`)
})

test('no API counts as failed, since the other could be restarting while this one is thought to', () => {
  const servers = file.match(/^ +server .+;/gm)?.map((line) => line.trim().split(';')[0])
  expect(servers).toEqual(['server 127.0.0.1:8080 max_fails=0', 'server 127.0.0.1:8081 max_fails=0'])
})

describe('bodies', () => {
  test('are refused by Panji and not by the proxy', () => {
    const megabytes = Number(/client_max_body_size (\d+)m;/.exec(file)?.[1])
    expect(megabytes * 2 ** 20).toBeGreaterThan(bodyBytesMax)
  })

  test('of a snapshot are as long as Panji takes them, and are kept nowhere on the way', () => {
    const snapshots = locations.find(({ path }) => path === '/admin/ingest/')?.body
    expect(snapshots).toContain('client_max_body_size 0;')
    expect(snapshots).toContain('proxy_request_buffering off;')
    expect(snapshots).toContain('proxy_buffering off;')
  })
})

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { details } from '../../../src/api/operations/details/index.ts'
import { history } from '../../../src/api/operations/history/index.ts'
import type { RunRecord } from '../../../src/ingest/run/runs.ts'
import { type BareApi, bareApi } from '../../support/bare-api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'
import { routesOf } from '../../support/routes-of.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const rateLimit = { remaining: 99, limit: 100, reset: '2026-11-22T00:00:00.000Z' }
const fixture = readFileSync(registryFixture('gst-taxpayers.csv'), 'utf8')
const cancelled = fixture
  .replace('KONKAN PETRO,Public', 'PETRO MART,Public')
  .replace('2710;2711', '2711')
  .replace('Regular,Active,01/07/2017,,', 'Regular,Cancelled,01/07/2017,31/01/2025,')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
let api: BareApi
let runs: RunRecord[]

beforeAll(async () => {
  api = await bareApi({ db: database.db }, routesOf(details), routesOf(history))
  runs = [
    await ingest('gst-taxpayers', file('first.csv', fixture), { asOf: '2025-01-10' }),
    await ingest('gst-taxpayers', file('second.csv', cancelled), { asOf: '2025-02-10' }),
  ]
})

const get = async (url: string) => {
  const reply = await api.app.inject(url)
  return { status: reply.statusCode, body: reply.json() }
}
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('history', () => {
  test('the history of a GST registration is sorted like that of a company, and has no appointments', async () => {
    const days = async (query: string) =>
      (await get(`/api/gst/history?gstin=27AAACR5055K1Z7${query}`)).body.data.map(
        (each: { as_of: string }) => each.as_of,
      )
    expect(await days('&sort=as_of')).toEqual(['2025-01-10', '2025-02-10'])
    expect(await days('&sort=as_of-')).toEqual(await days(''))
  })

  test('each entry names kind, day, run, snapshot and the fields before and after, newest first', async () => {
    const { status, body } = await get('/api/gst/history?gstin=27aaacr5055k1z7')
    expect([status, body.total, body.page, body.limit, body.rate_limit]).toEqual([200, 2, 1, 10, rateLimit])
    expect(body.data[0]).toEqual({
      entity: 'gst',
      identifier: '27AAACR5055K1Z7',
      kind: 'update',
      as_of: '2025-02-10',
      run_id: runs[1]?.run_id,
      undone_by: null,
      source: 'gst-taxpayers',
      file: expect.stringMatching(/^[^/]+$/),
      sha256: sha256(cancelled),
      line: 2,
      changed_at: instant,
      changes: [
        { field: 'TradeName', before: 'KONKAN PETRO', after: 'PETRO MART' },
        { field: 'Status', before: 'Active', after: 'Cancelled' },
        { field: 'StatusSource', before: 'Active', after: 'Cancelled' },
        { field: 'dateOfCancellation', before: null, after: '2025-01-31' },
        { field: 'hsnCodes', before: ['2710', '2711'], after: ['2711'] },
      ],
    })
    expect(body.data[1]).toMatchObject({ kind: 'insert', as_of: '2025-01-10', sha256: sha256(fixture) })
    expect(body.data[1].changes).toContainEqual({ field: 'TradeName', before: null, after: 'KONKAN PETRO' })
    expect(body.data[1].changes).toContainEqual({ field: 'hsnCodes', before: null, after: ['2710', '2711'] })
  })

  test('pages are cut from one list, and a page behind its end is empty', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => get(`/api/gst/history?gstin=27AAACR5055K1Z7&limit=1&page=${page}`)),
    )
    expect(pages.map(({ body }) => [body.total, body.data.map(({ kind }: { kind: string }) => kind)])).toEqual([
      [2, ['update']],
      [2, ['insert']],
      [2, []],
    ])
  })

  test.each([
    ['/api/company/history', 400, 'BAD_REQUEST'],
    ['/api/company/history?cin=U63040GA2006PTCOO4531', 422, 'UNPROCESSABLE'],
    ['/api/company/history?cin=U99999GA2022PTC999999', 404, 'NOT_FOUND'],
    ['/api/gst/history?gstin=27AAACR5055K1Z7&limit=101', 400, 'BAD_REQUEST'],
    ['/api/gst/history?gstin=27AAACR5055K1Z7&page=0', 400, 'BAD_REQUEST'],
    ['/api/gst/history?gstin=27AABCU9603R1ZM', 422, 'UNPROCESSABLE'],
    ['/api/company/director-history?din=12x', 422, 'UNPROCESSABLE'],
    ['/api/company/director-history?din=99999999', 404, 'NOT_FOUND'],
    ['/api/company/director-history?din=1&include=companies', 400, 'BAD_REQUEST'],
  ])('%s is refused with %i %s', async (url, status, code) => {
    expect(await get(url)).toMatchObject({ status, body: { error_code: code, detail: expect.any(String) } })
  })

  test.each(['/api/gst/details?', '/api/gst/details?as_of=2025-02-10&', '/api/gst/history?', '/api/gst/trace?'])(
    '%s says of a GSTIN that it does not know that it is no registration of the register',
    async (path) => {
      const { status, body } = await get(`${path}gstin=27AAACH2702H1Z0`)
      expect([status, body.detail]).toEqual([404, 'The register holds no GST registration 27AAACH2702H1Z0.'])
    },
  )
})

describe('details as of a day', () => {
  const details = '/api/gst/details?gstin=27AAACR5055K1Z7'

  test.each([
    ['2025-01-10', 0, { TradeName: 'KONKAN PETRO', Status: 'Active', hsnCodes: ['2710', '2711'] }],
    ['2025-02-09', 0, { TradeName: 'KONKAN PETRO', Status: 'Active', hsnCodes: ['2710', '2711'] }],
    ['2025-02-10', 1, { TradeName: 'PETRO MART', Status: 'Cancelled', hsnCodes: ['2711'] }],
    ['2999-01-01', 1, { TradeName: 'PETRO MART', Status: 'Cancelled', hsnCodes: ['2711'] }],
  ])('%s answers the newest snapshot up to it, and names run and snapshot', async (day, run, fields) => {
    const { status, body } = await get(`${details}&as_of=${day}`)
    expect([status, body.rate_limit]).toEqual([200, rateLimit])
    expect(body.data).toMatchObject({ GSTIN: '27AAACR5055K1Z7', COREBUSINESS: 'MFT', ...fields })
    expect(body.version).toEqual({
      as_of: ['2025-01-10', '2025-02-10'][run],
      closed_on: null,
      run_id: runs[run]?.run_id,
      source: 'gst-taxpayers',
      sha256: sha256(run === 0 ? fixture : cancelled),
      changed_at: instant,
    })
  })

  test('before its first snapshot a record is a 404 that says since when it is known', async () => {
    expect(await get(`${details}&as_of=2025-01-09`)).toMatchObject({
      status: 404,
      body: { error_code: 'NOT_FOUND', detail: expect.stringMatching(/on 2025-01-09/), known_since: '2025-01-10' },
    })
  })

  test.each([
    ['', 400],
    ['10-02-2025', 400],
    ['2025-2-1', 400],
    ['today', 400],
    ['2025-01-10T00:00:00Z', 400],
    ['2025-02-30', 422],
    ['0000-01-01', 422],
  ])('as_of=%s is a %i', async (day, status) => {
    for (const url of [details, '/api/company/details?cin=AAC-3965', '/api/company/director-details?din=1']) {
      expect(await get(`${url}&as_of=${encodeURIComponent(day)}`)).toMatchObject({
        status,
        body: { error_code: status === 400 ? 'BAD_REQUEST' : 'UNPROCESSABLE', parameter: 'as_of' },
      })
    }
  })

  test.each([
    '/api/company/details?cin=AAC-3965',
    '/api/gst/details?gstin=27AABCU9603R1ZN',
    '/api/company/director-details?din=1',
  ])('%s of a record that was never known is a 404', async (url) => {
    expect(await get(`${url}&as_of=2025-02-10`)).toMatchObject({ status: 404, body: { error_code: 'NOT_FOUND' } })
  })
})

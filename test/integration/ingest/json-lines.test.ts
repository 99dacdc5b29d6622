import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'
import { zipOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const fixture = registryFixture('gst-taxpayers.jsonl')

beforeEach(() => emptyRegisters(database.db))

test('answers of the portal, one per line, give the rows of the CSV and empty no column that they do not carry', async () => {
  await ingest('gst-taxpayers', registryFixture('gst-taxpayers.csv'))
  const run = await ingest('gst-taxpayers', fixture)
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 6, inserted: 1, updated: 0, unchanged: 3, rejected: 2 })
  expect(run.report).toMatchObject({
    header: { extra: [], unknown: 6 },
    healings: { cell_line_break: 1 },
  })
  const rejects = await listRejects(database.db, run.run_id)
  expect(rejects.map(({ line, code }) => [line, code])).toEqual([
    [3, 'gstin_malformed'],
    [6, 'json_unreadable'],
  ])
  expect(rejects[1]?.raw).toBe('{"gstin":"29AABCF8078M2ZW","lgnm":"CUT OFF')
  const rows = await database.db.query(
    `SELECT gstin, legal_name, hsn_codes FROM registry.gst_taxpayer WHERE state_code IN ('27', '29') ORDER BY gstin`,
  )
  expect(rows).toEqual([
    { gstin: '27AAACR5055K1Z7', legal_name: 'KONKAN PETRO LIMITED', hsn_codes: ['2710', '2711'] },
    { gstin: '29AABCF8078M1C8', legal_name: 'A "QUOTED", LISTED COLLECTOR', hsn_codes: [] },
    { gstin: '29AAICA3918J1ZE', legal_name: 'BENGALURU SELLER SERVICES PRIVATE LIMITED', hsn_codes: [] },
  ])
})

test('JSON Lines are told by their content, packed or not, with a byte order mark or not', async () => {
  const bytes = readFileSync(fixture)
  await ingest('gst-taxpayers', fixture)
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])
  const same = { status: 'succeeded', rows_read: 6, unchanged: 4, rejected: 2 }
  expect(await ingest('gst-taxpayers', file('answers.txt', marked))).toMatchObject(same)
  expect(await ingest('gst-taxpayers', file('answers.gz', gzipSync(bytes)))).toMatchObject(same)
  const zipped = zipOf([{ name: 'answers.json', content: bytes }])
  expect(await ingest('gst-taxpayers', file('answers.zip', zipped))).toMatchObject(same)
})

test('a key that first comes after the columns were decided is counted, not lost in silence', async () => {
  const line = (extra: object) =>
    JSON.stringify({
      gstin: '27AAACR5055K1Z7',
      lgnm: 'KONKAN PETRO LIMITED',
      dty: 'Regular',
      sts: 'Active',
      rgdt: '01/07/2017',
      ...extra,
    })
  const lines = [...Array.from({ length: 1000 }, () => line({})), line({ ctb: 'Others' })]
  const run = await ingest('gst-taxpayers', file('late.jsonl', lines.join('\n')), { mode: 'delta' })
  expect(run.report).toMatchObject({ healings: { late_json_key: 1 } })
})

test('an object over several lines is refused with what is expected', async () => {
  const pretty = JSON.stringify({ gstin: '27AAACR5055K1Z7' }, null, 2)
  await expect(ingest('gst-taxpayers', file('pretty.json', pretty))).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    message: expect.stringContaining('one per line'),
  })
})

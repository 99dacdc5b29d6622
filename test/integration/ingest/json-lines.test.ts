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
    repaired: { cell_line_break: 1 },
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
  expect(run.report).toMatchObject({ repaired: { late_json_key: 1 } })
})

const answers = readFileSync(fixture, 'utf8')
  .split('\n')
  .flatMap((line) => (/^\{.*\}$/.test(line) ? [JSON.parse(line) as object] : []))
const asPortal = (value: unknown) => JSON.stringify(value, null, 2)

test.each<[string, string]>([
  ['a list on one line', JSON.stringify(answers)],
  ['a list over many lines', asPortal(answers)],
  [
    'one answer with the list',
    asPortal({ total: 5, count: '5', field: [{ id: 'gstin' }], records: answers, status: 'ok' }),
  ],
  ['one answer with the list on one line', JSON.stringify({ message: 'ok', data: { result: answers } })],
  ['answers with lists, one per line', answers.map((each) => JSON.stringify({ records: [each] })).join('\n')],
  [
    'a list of answers',
    asPortal(answers.map((each) => ({ taxpayerInfo: each, compliance: { filing: null }, filing: [] }))),
  ],
  ['answers one after the other', answers.map((each) => asPortal({ flag: true, result: each })).join('\n')],
  ['answers, one per line', answers.map((each) => JSON.stringify({ result: each, error: false })).join('\n')],
])('%s gives the same rows', async (_, text) => {
  await ingest('gst-taxpayers', fixture)
  const run = await ingest('gst-taxpayers', file('answers.gz', gzipSync(text)))
  expect(run).toMatchObject({
    status: 'succeeded',
    rows_read: 5,
    unchanged: 4,
    rejected: 1,
    report: { header: { extra: [] } },
  })
})

test('a record of a document that is none is rejected with its line, and the others are taken', async () => {
  const [first, second] = answers
  const text = `[\n${JSON.stringify(first)},\n{"gstin": tru},\n"27AAACR5055K1Z7",\n${JSON.stringify(second)}\n]`
  const run = await ingest('gst-taxpayers', file('some.json', text))
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 4, inserted: 2, rejected: 2 })
  const rejects = await listRejects(database.db, run.run_id)
  expect(rejects.map(({ line, code, raw }) => [line, code, raw])).toEqual([
    [3, 'json_unreadable', '{"gstin": tru}'],
    [4, 'json_unreadable', '"27AAACR5055K1Z7"'],
  ])
})

test('a document that ends before its lists do, or holds no record, is refused', async () => {
  for (const whole of [asPortal(answers), JSON.stringify({ records: answers })]) {
    await expect(ingest('gst-taxpayers', file('cut.json', whole.slice(0, -5)))).rejects.toMatchObject({
      code: 'SOURCE_CORRUPT',
      message: expect.stringContaining('the file was cut off'),
    })
  }
  await expect(ingest('gst-taxpayers', file('none.json', '[{}]'))).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    message: expect.stringContaining('no record was found'),
  })
  await expect(
    ingest('gst-taxpayers', file('other.json', asPortal({ gstin: '27AAACR5055K1Z7' }))),
  ).rejects.toMatchObject({
    code: 'HEADER_MISMATCH',
  })
})

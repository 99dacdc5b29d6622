import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { listRuns } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registerContents, registryFixture, stagingTables, useIngest } from '../../support/ingest.ts'
import { zipOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const good = readFileSync(registryFixture('mca-companies-six-columns.csv'))
/** As far as it is known by. */
function tarOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write('ustar', 257)
  return Buffer.concat([header, content, Buffer.alloc(1024)])
}
const takeGood = () => ingest('mca-companies', file('good.csv', good))

beforeEach(() => emptyRegisters(database.db))

test.each([
  ['a missing file', () => '/nowhere/companies.csv', 'SOURCE_UNREADABLE', /companies\.csv: the file cannot be opened/],
  [
    'an empty file',
    () => file('empty.csv', ''),
    'SOURCE_UNREADABLE',
    /empty\.csv: the file is empty.*header on line 1/,
  ],
  [
    'a file of a header alone',
    () => file('bare.csv', good.subarray(0, good.indexOf(10) + 1)),
    'SOURCE_UNREADABLE',
    /no record/,
  ],
  [
    'a truncated gzip',
    () => file('cut.csv.gz', gzipSync(Buffer.concat([good, Buffer.alloc(200_000, 'x')])).subarray(0, 150)),
    'SOURCE_CORRUPT',
    /cut\.csv\.gz: the gzip data is broken or cut off/,
  ],
  [
    'a binary file',
    () => file('image.csv', Buffer.from([1, 0, 2, 0, 10, 0])),
    'SOURCE_CORRUPT',
    /image\.csv, line 1: .*binary/,
  ],
  [
    'a broken zip',
    () => file('broken.zip', Buffer.from('PK\x03\x04nothing')),
    'SOURCE_CORRUPT',
    /broken\.zip: the zip file is broken/,
  ],
  [
    'a file of empty lines',
    () => file('blank.csv', '\n\r\n\n'),
    'SOURCE_CORRUPT',
    /blank\.csv.*nothing but empty lines/,
  ],
  ['a PDF', () => file('report.csv', '%PDF-1.4\n1 0 obj\n'), 'SOURCE_CORRUPT', /report\.csv.*it is a PDF/],
  ['a web page', () => file('page.csv', '<!DOCTYPE html><title>Login</title>\n'), 'SOURCE_CORRUPT', /web page.*login/],
  [
    'an XML spreadsheet',
    () => file('goa.xls', '<?xml version="1.0"?>\n<Workbook/>'),
    'SOURCE_CORRUPT',
    /it is an XML document.*\.xlsx/,
  ],
  [
    'an OpenDocument spreadsheet',
    () =>
      file(
        'goa.ods',
        zipOf(['mimetype', 'content.xml', 'META-INF/manifest.xml'].map((name) => ({ name, content: '<x/>' }))),
      ),
    'SOURCE_CORRUPT',
    /goa\.ods: this is an OpenDocument file \(\.ods\), which is not read; save it as \.xlsx/,
  ],
  [
    'a binary workbook',
    () =>
      file('goa.xlsb', zipOf(['[Content_Types].xml', 'xl/workbook.bin'].map((name) => ({ name, content: '<x/>' })))),
    'SOURCE_CORRUPT',
    /goa\.xlsb: this is a binary workbook \(\.xlsb\), which is not read/,
  ],
  ['a RAR file', () => file('goa.rar', 'Rar!\x1a\x07\0x'), 'SOURCE_CORRUPT', /packed with RAR.*gzip or zip/],
  [
    'a zip without a file',
    () => file('nothing.zip', Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')),
    'SOURCE_CORRUPT',
    /zip file that holds nothing/,
  ],
  [
    'a zip with a note beside the table',
    () =>
      file(
        'noted.zip',
        zipOf([
          { name: 'NOTES.txt', content: 'Read me.\n' },
          { name: 'a.csv', content: good },
        ]),
      ),
    'HEADER_MISMATCH',
    /noted\.zip: NOTES\.txt has another header than a\.csv; take out what is no table/,
  ],
  [
    'a wrong header',
    () => file('wrong.csv', 'cin,company_name,status,class\nU1,x,y,z\n'),
    'HEADER_MISMATCH',
    /wrong\.csv, line 1: .*Missing: AuthorizedCapital, PaidupCapital.*Expected.*It has 4 columns/,
  ],
  [
    'a packed folder',
    () => file('goa.tar.gz', gzipSync(tarOf('goa/goa.csv', good))),
    'SOURCE_CORRUPT',
    /goa\.tar\.gz, line 1: .* it is a tar archive, which is not read; unpack it, or pack its files with zip/,
  ],
  [
    'a table without a header',
    () => file('headless.csv', 'U74999GA2019PTC000001,ONE PRIVATE LIMITED,Active,1,1,Private\n'),
    'HEADER_MISMATCH',
    /headless\.csv, line 1: .*Expected \(2023: data\.gov\.in API\): CIN, CompanyName.*Unknown columns: 6\./,
  ],
])(
  '%s fails the run with a message that tells the operator why, and applies nothing',
  async (_, path, code, message) => {
    const before = await registerContents(database.db)
    await expect(ingest('mca-companies', path())).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
    const [run] = await listRuns(database.db, { limit: 1 })
    expect(run).toMatchObject({ status: 'failed', inserted: 0, error: { code } })
    expect(await registerContents(database.db)).toEqual(before)
    expect(await stagingTables(database.db)).toEqual([])
  },
)

test('of a file that is no snapshot a run shows the columns that its source knows, and of the others how many there are', async () => {
  const secret = 'correct-horse-battery-staple'
  const failed = ingest('mca-companies', file('token.csv', `CIN,${secret},Company Name\n`))
  await expect(failed).rejects.toThrow('Unknown columns: 1.')
  const [run] = await listRuns(database.db, { limit: 1 })
  expect(run?.header).toEqual(['CIN', 'Company Name'])
  expect(JSON.stringify(run)).not.toContain(secret)
})

test('an unknown source is refused with the list of sources', async () => {
  await expect(ingest('companies', 'x.csv')).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('mca-companies, gst-taxpayers'),
  })
  await expect(ingest('mca-companies', 'x.csv', { asOf: '2025-02-30' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('an address in a private network is refused to a schedule unless the configuration allows it', async () => {
  await expect(ingest('mca-companies', 'http://127.0.0.1:9/x.csv', { requestedBy: 'schedule' })).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringContaining('private address'),
  })
})

test('a gzip of a file gives the same rows as the file', async () => {
  const run = await ingest('mca-companies', file('good.csv.gz', gzipSync(good)))
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 3, inserted: 3 })
})

test('a BOM, CRLF line ends and blank lines do not disturb', async () => {
  await takeGood()
  const text = `\uFEFF${good.toString('utf8').replaceAll('\n', '\r\n\r\n')}`
  const run = await ingest('mca-companies', file('windows.csv', text), { force: true })
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 3, unchanged: 3 })
})

test('UTF-16 of either byte order, with its mark or without, packed or not, gives the same rows', async () => {
  await takeGood()
  const bare = Buffer.from(good.toString('utf8'), 'utf16le')
  const little = Buffer.from(`\uFEFF${good.toString('utf8')}`, 'utf16le')
  const written: readonly [string, Buffer][] = [
    ['little.csv', little],
    ['big.csv', Buffer.from(little).swap16()],
    ['bare.csv', bare],
    ['bare-big.gz', gzipSync(Buffer.from(bare).swap16())],
    [
      'two.zip',
      zipOf([
        { name: 'a.csv', content: little },
        { name: 'b.csv', content: good },
      ]),
    ],
    ['tabs.txt', Buffer.from(`\uFEFF${good.toString('utf8').replaceAll(',', '\t')}`, 'utf16le')],
  ]
  for (const [name, bytes] of written) {
    const run = await ingest('mca-companies', file(name, bytes), { force: true })
    expect([name, run.status, run.unchanged, run.inserted]).toEqual([name, 'succeeded', 3, 0])
  }
})

test('a quote that is never closed costs one line, not the rest of the file', async () => {
  await takeGood()
  const lines = good.toString('utf8').trim().split('\n')
  lines.splice(1, 0, 'U15123TN2022PTC154299,"NEVER CLOSED PRIVATE LIMITED,Active,1,1,Private')
  const run = await ingest('mca-companies', file('quote.csv', lines.join('\n')))
  expect(run).toMatchObject({ rows_read: 4, unchanged: 3, rejected: 1 })
})

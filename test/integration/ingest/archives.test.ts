import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listRejects } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'
import { workbookOf, zipOf } from '../../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const header = 'cin,company_name,status,authorized_capital,paidup_capital,class'
const company = (serial: number): string =>
  `U74999MH2020PTC${String(serial).padStart(6, '0')},COMPANY ${serial} PRIVATE LIMITED,Active,100000,100000,Private`

test('several members of one header are one file, whatever their line ends, and lines count on', async () => {
  const path = file(
    'states.zip',
    zipOf([
      { name: 'b.csv', content: `\uFEFF${header}\r\n${company(3)}\r\nU7,BROKEN,Active,1,1,Private\r\n` },
      { name: 'a.csv', content: `${header}\n${company(1)}\n${company(2)}` },
      { name: 'c.csv', content: `\n${header}` },
      { name: '__MACOSX/._a.csv', content: 'litter' },
      { name: 'README.txt', content: 'About the table, by its publisher.' },
      { name: 'licence.pdf', content: '%PDF-1.7' },
    ]),
  )
  const run = await ingest('mca-companies', path)
  expect(run).toMatchObject({ status: 'succeeded', rows_read: 4, inserted: 3, rejected: 1 })
  // a.csv has three lines, so the broken line of b.csv, its third, is the sixth.
  expect(await listRejects(database.db, run.run_id)).toMatchObject([{ line: 6, code: 'cin_malformed' }])
})

test('members of different headers are refused by name', async () => {
  const path = file(
    'mixed.zip',
    zipOf([
      { name: 'companies.csv', content: `${header}\n${company(1)}\n` },
      { name: 'llps.csv', content: 'LLPIN,LLP Name\nAAC-3965,ONE LLP\n' },
    ]),
  )
  await expect(ingest('mca-companies', path)).rejects.toMatchObject({
    code: 'HEADER_MISMATCH',
    message: expect.stringContaining('llps.csv has another header than companies.csv'),
  })
})

test('a zip without a table is refused', async () => {
  const path = file('litter.zip', zipOf([{ name: '.DS_Store', content: 'x' }]))
  await expect(ingest('mca-companies', path)).rejects.toMatchObject({ code: 'SOURCE_CORRUPT' })
})

test.each<[string, (zip: Buffer) => void, string]>([
  ['that a password protects', (zip) => setInHeaders(zip, { flags: 1 }), 'a.csv is protected by a password'],
  ['whose whole list is encrypted', (zip) => setInHeaders(zip, { flags: 0x41 }), 'strong encryption is not supported'],
  ['with a name that leads elsewhere', (zip) => rename(zip, '../b.'), 'invalid relative path: \\.\\./b\\.'],
  ['with the name of another drive', (zip) => rename(zip, 'C:/b.'), 'absolute path: C:/b\\.'],
  ['packed by another method than deflate', (zip) => setInHeaders(zip, { method: 9 }), 'a.csv is packed by method 9'],
])('a zip %s is said to be whole, and how it is ingested', async (_, alter, reason) => {
  const zip = zipOf([{ name: 'a.csv', content: `${header}\n${company(1)}\n`, deflated: true }])
  alter(zip)
  await expect(ingest('mca-companies', file('sealed.zip', zip))).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    message: expect.stringMatching(
      new RegExp(
        `sealed\\.zip: the zip file cannot be read here: ${reason}\\. Nothing was applied; unpack it, and ingest what it holds\\.$`,
      ),
    ),
  })
})

test('a zip with two files of one name, and one that something follows, are said to be whole, and how they are ingested', async () => {
  const member = { name: 'a.csv', content: `${header}\n${company(1)}\n` }
  const sentence = (reason: string) =>
    `the zip file cannot be read here: ${reason}. Nothing was applied; unpack it, and ingest what it holds.`
  for (const [zip, reason] of [
    [zipOf([member, member]), 'it holds two files named a.csv'],
    [Buffer.concat([zipOf([member]), Buffer.from('\r\n')]), 'something follows its end'],
  ] as const) {
    await expect(ingest('mca-companies', file('twice.zip', zip))).rejects.toMatchObject({
      code: 'SOURCE_CORRUPT',
      message: expect.stringContaining(sentence(reason)),
    })
  }
})

test('what a spreadsheet leaves beside an open workbook, and a file without a character, are passed over', async () => {
  const path = file(
    'parts.zip',
    zipOf([
      { name: '_SUCCESS.csv', content: '' },
      { name: 'part-1.csv', content: `${header}\n${company(1)}\n` },
      { name: 'part-2.csv', content: '\r\n' },
      { name: 'part-3.csv', content: `${header}\n${company(2)}\n` },
      { name: '~$companies.xlsx', content: 'asha' },
    ]),
  )
  const run = await ingest('mca-companies', path, { mode: 'delta', force: true })
  expect(run).toMatchObject({ rows_read: 2, rejected: 0 })
})

test('a zip that is cut off is said to be, in one sentence', async () => {
  const zip = zipOf([{ name: 'a.csv', content: `${header}\n${company(1)}\n` }])
  await expect(ingest('mca-companies', file('cut.zip', zip.subarray(0, -40)))).rejects.toMatchObject({
    message: expect.stringMatching(
      /cut\.zip: the zip file is broken: it is cut off\. Nothing was applied; fetch the file again\.$/,
    ),
  })
})

test('a workbook inside a zip is read like the workbook', async () => {
  const rows = { 1: header.split(','), 2: company(8).split(','), 3: company(9).split(',') }
  const path = file('month.zip', zipOf([{ name: 'month.xlsx', content: workbookOf([{ name: 'Sheet1', rows }]) }]))
  expect(await ingest('mca-companies', path)).toMatchObject({ status: 'succeeded', rows_read: 2, inserted: 2 })
})

test('members of JSON Lines have no header to share', async () => {
  const lines = readFileSync(registryFixture('gst-taxpayers.jsonl'), 'utf8').split('\n')
  const path = file(
    'answers.zip',
    zipOf([
      { name: '1.jsonl', content: lines[0] ?? '' },
      { name: '2.jsonl', content: lines[1] ?? '' },
    ]),
  )
  expect(await ingest('gst-taxpayers', path)).toMatchObject({ status: 'succeeded', rows_read: 2, inserted: 2 })
})

test.runIf(existsSync('/proc/self/fd'))('a file that is refused by its header is closed again', async () => {
  const isOpen = (path: string): boolean =>
    readdirSync('/proc/self/fd').some((fd) => {
      const link = `/proc/self/fd/${fd}`
      return existsSync(link) && readlinkSync(link) === path
    })
  const text = `a,b\n${'1,2\n'.repeat(200_000)}`
  for (const path of [file('wrong.csv', text), file('wrong.zip', zipOf([{ name: 'wrong.csv', content: text }]))]) {
    await expect(ingest('mca-companies', path)).rejects.toMatchObject({ code: 'HEADER_MISMATCH' })
    await expect.poll(() => isOpen(path)).toBe(false)
  }
})

/** Writes the same into the local and the central header of every member. */
function rename(zip: Buffer, name: string): void {
  for (let found = zip.indexOf('a.csv'); found >= 0; found = zip.indexOf('a.csv', found + 5)) zip.write(name, found)
}

function setInHeaders(zip: Buffer, { flags, method }: { readonly flags?: number; readonly method?: number }): void {
  for (const [signature, at] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const) {
    for (let found = zip.indexOf(signature); found >= 0; found = zip.indexOf(signature, found + 4)) {
      if (flags !== undefined) zip.writeUInt16LE(flags, found + at)
      if (method !== undefined) zip.writeUInt16LE(method, found + at + 2)
    }
  }
}

/** Inputs of giant cells, rows, headers and lines, and of too many small ones: each costs its own row or its run, and no memory. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { discardRun } from '../../src/ingest/conduct/approval.ts'
import { listRejects } from '../../src/ingest/run/runs.ts'
import { companyHeader, companyLine } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { registerContents, useIngest } from '../support/ingest.ts'
import { workbookOf, type ZipMember, zipOf } from '../support/zip.ts'
import { mebibyte, useGoodRegister, useInputWorkers } from './support/inputs.ts'

const database = useTestDatabase()
const setup = useIngest(database)
const { file, folder } = setup
const { measured } = useInputWorkers(database, setup)
const expectAsBefore = useGoodRegister(database, setup)

/** Writes in pieces, so that the test itself holds little. */
function large(name: string, pieces: Iterable<string | Buffer>): string {
  const path = join(folder, name)
  const handle = openSync(path, 'w')
  for (const piece of pieces) writeSync(handle, Buffer.from(piece))
  closeSync(handle)
  return path
}

function* repeated(piece: string, times: number): Generator<string> {
  for (let left = times; left > 0; left -= 10_000) yield piece.repeat(Math.min(left, 10_000))
}

function* around(middle: Iterable<string>): Generator<string> {
  yield `${companyHeader}\n${companyLine(1)}\n`
  yield* middle
  yield `\n${companyLine(2)}\n`
}

let before: Record<string, unknown[]>
beforeEach(async () => {
  before = await registerContents(database.db)
})
const expectUntouched = () => expectAsBefore(before)

describe('giants cost their own row, and no memory', () => {
  const cell = [...repeated('x'.repeat(1000), 50_000)]
  test.each<[string, () => string]>([
    ['a cell of 50 MB', () => large('cell.csv', around(['U1,', ...cell, ',Active,1,1,Private']))],
    ['a quoted cell of 50 MB', () => large('quoted.csv', around(['U1,"', ...cell, '",Active,1,1,Private']))],
    ['a row of 50,000,000 columns', () => large('wide-row.csv', around(repeated(','.repeat(1000), 50_000)))],
    [
      'a cell of 50 MB in a workbook',
      () => {
        const big = { attributes: 't="inlineStr"', inside: `<is><t>${cell.join('')}</t></is>` }
        const rows = {
          1: companyHeader.split(','),
          2: companyLine(1).split(','),
          3: ['U1', big],
          4: companyLine(2).split(','),
        }
        return file('cell.xlsx', workbookOf([{ name: 'Sheet1', rows }]))
      },
    ],
  ])('%s', async (_, make) => {
    const { run, peakBytes } = await measured(make())
    expect(run).toMatchObject({ status: 'succeeded', rows_read: 3, unchanged: 2, rejected: 1 })
    expect(await listRejects(database.db, run.run_id)).toMatchObject([{ line: 3, code: 'record_too_long' }])
    expect(peakBytes).toBeLessThan(256 * mebibyte)
  })

  test('a JSON line of 50 MB', async () => {
    const record = {
      cin: 'U74999MH2020PTC000001',
      company_name: 'COMPANY 1 PRIVATE LIMITED',
      status: 'Active',
      authorized_capital: 100_000,
      paidup_capital: 100_000,
      class: 'Private',
    }
    const path = large('line.jsonl', [JSON.stringify(record), '\n{"cin":"', ...cell, '"}\n'])
    const { run, peakBytes } = await measured(path)
    expect(run).toMatchObject({
      status: 'succeeded',
      rows_read: 2,
      rejected: 1,
      report: { rejects: { record_too_long: 1 } },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
  })

  test.each<[string, () => string, RegExp]>([
    [
      'named',
      () => large('wide.csv', [Array.from({ length: 1_000_000 }, (_, n) => `c${n}`).join(','), '\n1\n']),
      /the header does not end within 1048576 bytes/,
    ],
    [
      'without names',
      () => large('empty-names.csv', [','.repeat(999_999), '\n1\n']),
      /the header has 1000000 columns; at most 500/,
    ],
    [
      'as JSON',
      () => large('wide.jsonl', [`{${Array.from({ length: 90_000 }, (_, n) => `"c${n}":1`).join(',')}}\n`]),
      /the header has 90000 columns; at most 500/,
    ],
  ])('a header of a million columns, %s, fails the run', async (_, make, message) => {
    const { run, peakBytes } = await measured(make())
    expect(run).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(message) } })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })

  test('hundreds of thousands of tiny rows, half of them without columns, are each accounted for', async () => {
    const path = large('tiny.csv', [`${companyHeader}\n`, ...repeated('x\n1,,,,,\n', 100_000)])
    const { run, peakBytes } = await measured(path)
    expect(run).toMatchObject({ status: 'needs_approval', rows_read: 200_000, rejected: 200_000 })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await discardRun(database.db, run.run_id)
    await expectUntouched()
  })

  test('a workbook whose rows name a long string again and again', async () => {
    const rows: Record<number, string[]> = { 1: companyHeader.split(',') }
    const book = workbookOf([{ name: 'Sheet1', rows: { ...rows, 2: ['y'.repeat(mebibyte - 100)] } }])
    const [head, tail] = book.toString('latin1').split('<row r="2">')
    expect(tail).toBeDefined()
    const many = Array.from({ length: 2000 }, (_, n) => `<row r="${n + 2}"><c t="s"><v>6</v></c></row>`).join('')
    const xml = `${head?.slice(head.lastIndexOf('<?xml'))}${many}</sheetData></worksheet>`
    const path = file('again.xlsx', withPart(book, 'xl/worksheets/sheet1.xml', xml))
    const { run, peakBytes } = await measured(path)
    expect(run).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/unpacks to more than 500 times/) },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })
})

/** The workbook with one of its parts replaced; its parts are stored, so they can be found by their bytes. */
function withPart(book: Buffer, name: string, content: string): Buffer {
  const members: ZipMember[] = []
  for (let at = 0; book.readUInt32LE(at) === 0x04034b50; ) {
    const [size, nameLength] = [book.readUInt32LE(at + 18), book.readUInt16LE(at + 26)]
    const begin = at + 30 + nameLength
    const own = book.toString('utf8', at + 30, begin)
    members.push({ name: own, content: own === name ? content : book.subarray(begin, begin + size), deflated: true })
    at = begin + size
  }
  return zipOf(members)
}

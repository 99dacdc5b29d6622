/** Files that a publisher, or whoever stands in for one, makes to cost the reader far more than their size. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { rejectBounds } from '../../config/input-bounds.ts'
import { discardRun } from '../../src/ingest/conduct/approval.ts'
import { getRun, listRejects } from '../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../support/database.ts'
import { useIngest } from '../support/ingest.ts'
import { zipOf } from '../support/zip.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const child = fileURLToPath(new URL('../support/parse-child.ts', import.meta.url))
const mebibyte = 2 ** 20

interface Reading {
  readonly ended: string
  readonly message?: string
  readonly bytes: number
  readonly rejects: number
  readonly peakBytes: number
  readonly spentMs: number
}

/** CPU time, which a busy machine does not lengthen: a linear reader needs a second or two, a quadratic one a minute. */
const spentMsMax = 10_000
/** A reader that hangs is ended. */
const limitMs = 100_000

async function inChild(parameters: readonly string[]): Promise<string> {
  const options = { timeout: limitMs, killSignal: 'SIGKILL' } as const
  const { stdout } = await promisify(execFile)(process.execPath, parameters, options)
  return stdout
}

async function read(path: string): Promise<Reading> {
  const stdout = await inChild(['--max-old-space-size=512', child, path])
  const reading = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Reading
  expect(reading.spentMs).toBeLessThan(spentMsMax)
  return reading
}

interface Book {
  readonly sheet?: string
  readonly styles?: string
  readonly workbook?: string
  readonly strings?: string
  readonly rels?: string
}

function bookOf(parts: Book): Buffer {
  const workbook = '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'
  const rels = '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>'
  const optional = [
    ['xl/styles.xml', parts.styles],
    ['xl/sharedStrings.xml', parts.strings],
  ].flatMap(([name, content]) => (name && content !== undefined ? [{ name, content, deflated: true }] : []))
  return zipOf([
    { name: 'xl/workbook.xml', content: parts.workbook ?? workbook, deflated: true },
    { name: 'xl/_rels/workbook.xml.rels', content: parts.rels ?? rels, deflated: true },
    { name: 'xl/s.xml', content: sheetOf(parts.sheet ?? ''), deflated: true },
    ...optional,
  ])
}

const sheetOf = (rows: string): string =>
  `<worksheet><sheetData><row r="1"><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>${rows}</sheetData></worksheet>`
const inline = (text: string): string =>
  `<row r="2"><c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c></row>`
const styleOf = (code: string): string =>
  `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`
const half = 500_000
const empty = gzipSync('')

describe('a small file takes little time', { timeout: 120_000 }, () => {
  test.each<[string, () => Buffer, Partial<Reading>]>([
    ['spaces in a JSON line', () => gzipSync(`{"a":"x${' '.repeat(half)}x"}\n`), { ended: 'read' }],
    ['tabs and breaks in a JSON line', () => gzipSync(`{"a":"${'\\t'.repeat(half)}x\\n"}\n`), { ended: 'read' }],
    ['spaces in a cell', () => bookOf({ sheet: inline(`x${' '.repeat(half)}x`) }), { ended: 'read' }],
    ['a number format of brackets', () => bookOf({ styles: styleOf('['.repeat(half)) }), { ended: 'SOURCE_CORRUPT' }],
    ['a number format of quotes', () => bookOf({ styles: styleOf('_'.repeat(half)) }), { ended: 'SOURCE_CORRUPT' }],
    ['escapes that do not end', () => bookOf({ sheet: inline('_x00'.repeat(half / 4)) }), { ended: 'read' }],
    [
      'a long key above many short ones',
      () => {
        const members = Array.from({ length: 45_000 }, (_, n) => `"${n}":1`).join(',')
        return gzipSync(`{"a":1}\n${`{"${'k'.repeat(half)}":{${members}}}\n`.repeat(8)}`)
      },
      { ended: 'read', rejects: 8 },
    ],
    [
      'JSON nested half a million deep',
      () => gzipSync(`{"a":${'['.repeat(half)}${']'.repeat(half)}}\n`),
      { ended: 'read' },
    ],
    [
      'objects nested a hundred thousand deep',
      () => gzipSync(`{"a":1}\n${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`),
      { ended: 'read' },
    ],
    [
      'a million JSON keys',
      () => gzipSync(`{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join(',')}}\n`),
      { ended: 'HEADER_MISMATCH' },
    ],
    ['elements nested a million deep', () => bookOf({ sheet: '<a>'.repeat(1_000_000) }), { ended: 'SOURCE_CORRUPT' }],
    [
      'an attribute of 20 MB',
      () => bookOf({ sheet: `<row r="${'1'.repeat(20 * mebibyte)}"/>` }),
      { ended: 'SOURCE_CORRUPT' },
    ],
    ['a comment of 20 MB', () => bookOf({ sheet: `<!--${'<'.repeat(20 * mebibyte)}-->` }), { ended: 'SOURCE_CORRUPT' }],
    [
      'an entity of 20 MB',
      () => bookOf({ sheet: inline(`&${'a'.repeat(20 * mebibyte)};`) }),
      { ended: 'SOURCE_CORRUPT' },
    ],
    [
      'a tag of a million attributes',
      () => bookOf({ sheet: `<row ${Array.from({ length: 1_000_000 }, (_, n) => `a${n}=""`).join(' ')}/>` }),
      { ended: 'SOURCE_CORRUPT' },
    ],
    [
      'entities of its own',
      () => bookOf({ strings: '<!DOCTYPE sst [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>' }),
      { ended: 'SOURCE_CORRUPT' },
    ],
    [
      'a column far to the right',
      () => bookOf({ sheet: '<row r="2"><c r="ZZZZZZ2"><v>1</v></c></row>' }),
      { ended: 'SOURCE_CORRUPT' },
    ],
    [
      'a row far below',
      () => bookOf({ sheet: '<row r="1000000000"><c><v>1</v></c></row>' }),
      { ended: 'SOURCE_CORRUPT' },
    ],
    [
      'ten thousand rows of one cell in the last column',
      () =>
        bookOf({
          sheet: Array.from(
            { length: 10_000 },
            (_, n) => `<row r="${n + 2}"><c r="XFD${n + 2}"><v>${n}</v></c></row>`,
          ).join(''),
        }),
      { ended: 'read' },
    ],
    [
      'blank lines before a header in a zip',
      () =>
        zipOf([
          { name: 'a.csv', content: Buffer.alloc(mebibyte - 100, '\n'), deflated: true },
          { name: 'b.csv', content: 'a,b\n1,2\n' },
        ]),
      { ended: 'read', bytes: 8, rejects: 0 },
    ],
    [
      'a gzip of two hundred thousand empty members',
      () => Buffer.concat([...Array.from({ length: 200_000 }, () => empty), gzipSync('a,b\n')]),
      { ended: 'read' },
    ],
  ])('%s', async (_, make, expected) => {
    const reading = await read(file('poison', make()))
    expect(reading).toMatchObject(expected)
    expect(reading.peakBytes).toBeLessThan(400 * mebibyte)
  })
})

describe('a small file takes little memory', { timeout: 120_000 }, () => {
  test.each<[string, () => Buffer, RegExp]>([
    [
      'of three hundred thousand sheets',
      () => {
        const sheets = Array.from({ length: 300_000 }, (_, n) => `<sheet name="s${n}" r:id="r1"/>`).join('')
        return bookOf({ workbook: `<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>` })
      },
      /more than 1000 sheets/,
    ],
    [
      'of three hundred thousand relations',
      () => {
        const relations = Array.from({ length: 300_000 }, (_, n) => `<Relationship Id="r${n}" Target="s.xml"/>`).join(
          '',
        )
        return bookOf({ rels: `<Relationships>${relations}</Relationships>` })
      },
      /more than 10000 relations/,
    ],
    [
      'of two million cell styles',
      () => bookOf({ styles: `<styleSheet><cellXfs>${'<xf numFmtId="1"/>'.repeat(2_000_000)}</cellXfs></styleSheet>` }),
      /more than 65536 cell styles/,
    ],
    [
      'of three hundred thousand number formats',
      () => {
        const formats = Array.from({ length: 300_000 }, (_, n) => `<numFmt numFmtId="${n}" formatCode="0.0${n}"/>`)
        return bookOf({ styles: `<styleSheet><numFmts>${formats.join('')}</numFmts></styleSheet>` })
      },
      /more than 10000 number formats/,
    ],
    [
      'of sheets of one name, each to be read beside the others',
      () =>
        bookOf({
          workbook: `<workbook xmlns:r="r"><sheets>${'<sheet name="S" r:id="r1"/>'.repeat(500)}</sheets></workbook>`,
        }),
      /two of its sheets have one name/,
    ],
  ])('a workbook %s', async (_, make, message) => {
    const reading = await read(file('poison.xlsx', make()))
    expect(reading).toMatchObject({ ended: 'SOURCE_CORRUPT', message: expect.stringMatching(message) })
    expect(reading.peakBytes).toBeLessThan(200 * mebibyte)
  })
})

describe('what is read is what the file says', { timeout: 120_000 }, () => {
  const crore = '[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]##\\,##\\,##0.00;##,##0.00'
  test('a tag ends at its own bracket, not at one inside quotes', async () => {
    const rows = Array.from(
      { length: 3 },
      (_, n) => `<row r="${n + 2}"><c r="A${n + 2}" s="0"><v>${10 ** (7 + n)}</v></c></row>`,
    )
    const path = file('crore.xlsx', bookOf({ styles: styleOf(crore), sheet: rows.join('') }))
    const seen = await inChild(['--input-type=module', '-e', readAll, path])
    expect(seen.split('\n')).toEqual(['a,b', '10000000.00,', '100000000.00,', '1000000000.00,', ''])
  })
  const readAll = `
    const { locateFile } = await import(${JSON.stringify(new URL('../../src/ingest/input/local-file.ts', import.meta.url).href)})
    const { openFile } = await import(${JSON.stringify(new URL('../../src/ingest/input/unpack/read-file.ts', import.meta.url).href)})
    const { fetchBounds } = await import(${JSON.stringify(new URL('../../config/input-bounds.ts', import.meta.url).href)})
    const input = await openFile(await locateFile(process.argv[1], 2 ** 30), {}, fetchBounds)
    for await (const chunk of input.bytes) process.stdout.write(chunk)`
})

describe('rejects', () => {
  const gst = (n: number): string =>
    JSON.stringify({ gstin: `NOT-A-GSTIN-${n}`, lgnm: 'A', dty: 'Regular', sts: 'Active', rgdt: '01/07/2017' })

  test('of which two kilobytes make a million are counted, and kept up to the bound', {
    timeout: 240_000,
  }, async () => {
    const path = file('million.jsonl.gz', gzipSync(`${gst(1)}\n${'{\n'.repeat(999_999)}`))
    const run = await ingest('gst-taxpayers', path)
    expect(run).toMatchObject({ status: 'needs_approval', rows_read: 1_000_000, rejected: 1_000_000 })
    expect(run.report).toMatchObject({ rejects_kept: rejectBounds.keptMax })
    expect(await countRejects(run.run_id)).toBe(rejectBounds.keptMax)
    await discardRun(database.db, run.run_id)
  })

  test('that the check finds obey the bound that those of stage have left', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => (n % 3 === 0 ? '{' : gst(n)))
    const path = file('mixed.jsonl', `${gst(0)}\n${lines.join('\n')}\n`)
    const bounds = { keptMax: 1500, keptBytesMax: mebibyte }
    const run = await ingest('gst-taxpayers', path, { deps: { rejectBounds: bounds } })
    expect(run).toMatchObject({ status: 'needs_approval', rows_read: 3001, rejected: 3001 })
    expect(run.report).toMatchObject({ rejects: { json_unreadable: 1000, gstin_malformed: 2001 }, rejects_kept: 1500 })
    expect(await countRejects(run.run_id)).toBe(1500)
    await discardRun(database.db, run.run_id)
  })

  test('are kept up to so many bytes of raw text', async () => {
    const lines = Array.from({ length: 100 }, () => `{${'x'.repeat(3000)}`)
    const path = file('long.jsonl', `${gst(0)}\n${lines.join('\n')}\n`)
    const bounds = { keptMax: 1500, keptBytesMax: 30_500 }
    const run = await ingest('gst-taxpayers', path, { deps: { rejectBounds: bounds } })
    expect(run).toMatchObject({ rows_read: 101, rejected: 101, report: { rejects_kept: 10 + 1 } })
    expect(await countRejects(run.run_id)).toBe(11)
    await discardRun(database.db, run.run_id)
  })

  test('beyond the bound leave the counts of an applied run adding up, and a record that they may name open', async () => {
    const header =
      'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,' +
      'CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
    const line = (n: number): string =>
      `U74999GA2019PTC${String(n).padStart(6, '0')},GOA ${n} LIMITED,ROC Goa,Company limited by shares,Private,1,1,2019-05-01,"X,Goa,403001-India",Unlisted,Active,goa,74999`
    const good = [header, ...Array.from({ length: 400 }, (_, n) => line(n))]
    const first = await ingest('mca-companies', file('first.csv', good.join('\n')), { asOf: '2025-01-01' })
    expect(first).toMatchObject({ status: 'succeeded', inserted: 400 })
    // Three known companies are told in rows with a column too many; only one of these rows is kept.
    const spoilt = good.map((line, n) => (n > 397 ? `${line},x` : line))
    const path = file('spoilt.csv', `${spoilt.join('\n')}\n`)
    const bounds = { keptMax: 1, keptBytesMax: mebibyte }
    const held = await ingest('mca-companies', path, { asOf: '2025-02-01', deps: { rejectBounds: bounds } })
    expect(held).toMatchObject({ status: 'needs_approval', rows_read: 400, rejected: 3 })
    expect(held.error?.message).toMatch(/2 rejects are counted but not kept/)
    await discardRun(database.db, held.run_id)
    const kept = await ingest('mca-companies', path, { asOf: '2025-02-01' })
    expect(kept).toMatchObject({ status: 'succeeded', rows_read: 400, unchanged: 397, rejected: 3, closed: 0 })
    const run = await ingest('mca-companies', file('same.csv', `${good.join('\n')}\nx,y\nx\n`), {
      asOf: '2025-03-01',
      deps: { rejectBounds: bounds },
    })
    expect(run).toMatchObject({ status: 'succeeded', rows_read: 402, unchanged: 400, rejected: 2, closed: 0 })
    expect(await listRejects(database.db, run.run_id)).toHaveLength(1)
  })

  test('end a run that no more rows could fix', async () => {
    const path = file('nic.csv', `code,level,section,division,description,vintage\n${'x,y\n'.repeat(300_000)}`)
    const bounds = { keptMax: 1000, keptBytesMax: mebibyte }
    await expect(ingest('nic', path, { deps: { rejectBounds: bounds } })).rejects.toMatchObject({
      code: 'TOO_MANY_REJECTS',
      retry: 'never',
    })
    const [row] = await database.db.query<{ runId: number }>('SELECT max(run_id) AS "runId" FROM ingest.run')
    const run = await getRun(database.db, row?.runId ?? 0)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'TOO_MANY_REJECTS' } })
    expect(run.rejected).toBeGreaterThan(1000)
    expect(run.rejected).toBeLessThan(300_000)
    expect(await countRejects(run.run_id)).toBe(1000)
  })

  test('end a delta of which most is rejected as soon as no more are kept, and none that is good for the most part', async () => {
    const deps = { rejectBounds: { keptMax: 1000, keptBytesMax: mebibyte } }
    const lines = Array.from({ length: 6_000 }, (_, n) =>
      n % 3 === 0 ? 'x' : `director,${String(10_000_000 + n)},a${n}@konkan.in`,
    )
    const good = file('contacts.csv', `entity,identifier,email\n${lines.join('\n')}\n`)
    expect(await ingest('contacts', good, { deps })).toMatchObject({ mode: 'delta', rows_read: 6_000, rejected: 2_000 })
    const bad = file('contacts.csv.gz', gzipSync(`entity,identifier,email\n${'x\n'.repeat(1_000_000)}`))
    await expect(ingest('contacts', bad, { deps })).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS', retry: 'never' })
    const [row] = await database.db.query<{ rejected: number }>(
      'SELECT rejected FROM ingest.run ORDER BY run_id DESC LIMIT 1',
    )
    expect(row?.rejected).toBeGreaterThan(1000)
    expect(row?.rejected).toBeLessThan(500_000)
  })

  async function countRejects(runId: number): Promise<number> {
    const [row] = await database.db.query<{ rows: number }>(
      'SELECT count(*) AS rows FROM ingest.reject WHERE run_id = $1',
      [runId],
    )
    return row?.rows ?? 0
  }
})

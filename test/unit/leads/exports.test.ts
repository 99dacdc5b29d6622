import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { deflate } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { type LeadRow, leadColumns } from '../../../config/lead-columns.ts'
import { textStream } from '../../../src/api/lead-answers.ts'
import { guarded } from '../../../src/domain/formula-guard.ts'
import { type EntityType, entityTypes } from '../../../src/domain/identity.ts'
import { leadsCsv } from '../../../src/leads/export/leads-csv.ts'
import { leadsJson } from '../../../src/leads/export/leads-json.ts'
import { leadsXlsx } from '../../../src/leads/export/leads-xlsx.ts'
import { flatRow } from '../../../src/leads/flat-row.ts'
import { exportRecord } from '../../../src/leads/nested-lead.ts'
import type { ShownLead } from '../../../src/leads/read-leads.ts'
import { anyLead } from './records.ts'

const deflated = promisify(deflate)
type Batch = readonly { readonly type: EntityType; readonly row: LeadRow }[]

async function* batchesOf(...batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches
}
const csvOf = (types: readonly EntityType[], rows: Batch, bom = false): Promise<string> =>
  text(Readable.from(leadsCsv(batchesOf(rows.slice(0, 2), [], rows.slice(2)), { types, bom })))
const xlsxOf = (rows: Batch, sheetRowsMax?: number): Promise<Buffer> =>
  buffer(
    leadsXlsx({
      types: entityTypes.filter((type) => rows.some((row) => row.type === type)),
      leadsOf: (type) => filtered(rows, type),
      ...(sheetRowsMax === undefined ? {} : { sheetRowsMax }),
    }),
  )
async function* filtered(rows: Batch, type: EntityType): AsyncGenerator<Batch> {
  const own = rows.filter((row) => row.type === type)
  yield own.slice(0, 2)
  yield []
  yield own.slice(2)
}
const anyRows = fc
  .array(anyLead, { minLength: 1, maxLength: 6 })
  .map((leads) => leads.map((lead) => ({ type: lead.type, row: flatRow(lead, '=cmd') })))
const typesIn = (rows: Batch) => entityTypes.filter((type) => rows.some((row) => row.type === type))

test('the CSV of any leads reads back as their guarded cells, under the columns of their types', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const [header = [], ...cells] = parse(await csvOf(typesIn(rows), rows)) as string[][]
      expect(new Set(header).size).toBe(header.length)
      expect(new Set(header)).toEqual(
        new Set(typesIn(rows).flatMap((type) => leadColumns[type].map(({ name }) => name))),
      )
      expect(cells).toEqual(rows.map(({ row }) => header.map((name) => guarded(String(row[name] ?? '')))))
    }),
  )
})

test("Python's csv reads the CSV of any leads as the same cells", async () => {
  const program =
    'import csv,io,json,sys; print(json.dumps(list(csv.reader(io.TextIOWrapper(sys.stdin.buffer,encoding="utf-8-sig",newline=""),strict=True))))'
  for (const rows of fc.sample(anyRows, { numRuns: 4, seed: 7 })) {
    const csv = await csvOf(typesIn(rows), rows, true)
    const read = JSON.parse(execFileSync('python3', ['-c', program], { input: csv, encoding: 'utf8' })) as string[][]
    expect(read).toEqual(parse(csv, { bom: true }))
  }
})

test('every cell is quoted, every line ends with CRLF, and a byte order mark stands there only when asked for', async () => {
  const rows = [{ type: 'director' as const, row: { DIN: '00012345', CompanyCount: 0, Mobile: '+919812345678' } }]
  const csv = await csvOf(['director'], rows)
  const lines = csv.split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[2]).toBe('')
  for (const line of lines.slice(0, 2)) expect(line).toMatch(/^("[^"]*",){22}"[^"]*"$/)
  expect(csv).toContain('"+919812345678"')
  expect(await csvOf(['director'], rows, true)).toBe(`\uFEFF${csv}`)
})

test('leads of one type have their columns in the designed order', async () => {
  for (const type of ['gst', 'company', 'director'] as const) {
    expect(parse(await csvOf([type], []))).toEqual([leadColumns[type].map(({ name }) => name)])
  }
})

test('a workbook has a sheet per type; a reader of others finds numbers, dates and texts as what they are', async () => {
  const company = {
    Last_Name: ' =1+1',
    Company: 'A & B <C> "D"\u0001',
    Mobile: '+919812345678',
    Zip_Code: '040001',
    authorisedCapital: 1_300_000_000.5,
    NICCode: 1110,
    dateOfIncorporation: '2022-02-03',
    dateOfLastAGM: '1899-01-01',
  }
  const file = await xlsxOf([
    { type: 'company', row: company },
    { type: 'director', row: { DIN: '00012345', CompanyCount: 0 } },
  ])
  const sheets = await readXlsxFile(file, { trim: false })
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['company', 'director'])
  const [header = [], row = []] = sheets[0]?.data ?? []
  expect(header).toEqual(leadColumns.company.map(({ name }) => name))
  const cell = (name: string) => row[header.indexOf(name)]
  expect(cell('Last_Name')).toBe(' =1+1')
  expect(cell('Company')).toBe('A & B <C> "D"')
  expect(cell('Mobile')).toBe('+919812345678')
  expect(cell('Zip_Code')).toBe('040001')
  expect(cell('authorisedCapital')).toBe(1_300_000_000.5)
  expect(cell('NICCode')).toBe(1110)
  expect(cell('dateOfIncorporation')).toEqual(new Date('2022-02-03T00:00:00Z'))
  expect(cell('dateOfLastAGM')).toBe('1899-01-01')
  expect(cell('Phone')).toBeNull()
  const [directorHeader = [], director = []] = sheets[1]?.data ?? []
  expect(director[directorHeader.indexOf('DIN')]).toBe('00012345')
  expect(director[directorHeader.indexOf('CompanyCount')]).toBe(0)
})

test('rows beyond what a sheet holds go on in another one, and none is lost', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => ({ type: 'gst' as const, row: { GSTIN: `G${index}` } }))
  const sheets = await readXlsxFile(await xlsxOf(rows, 4))
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['gst', 'gst 2', 'gst 3'])
  const at = leadColumns.gst.findIndex(({ name }) => name === 'GSTIN')
  expect(sheets.flatMap(({ data }) => data.slice(1).map((row) => row[at]))).toEqual(rows.map(({ row }) => row.GSTIN))
  expect((await readXlsxFile(await xlsxOf(rows.slice(0, 3), 4))).map(({ sheet }) => sheet)).toEqual(['gst'])
})

test('a failure while leads are read breaks the file instead of ending it', async () => {
  async function* failing(): AsyncGenerator<Batch> {
    yield [{ type: 'gst', row: { GSTIN: 'G' } }]
    throw new Error('the database went away')
  }
  await expect(buffer(leadsXlsx({ types: ['gst'], leadsOf: failing }))).rejects.toThrow('the database went away')
})

/** Slices of company rows without end, and how many of their rows were read. */
function endlessLeads() {
  const read = { rows: 0 }
  async function* slices(): AsyncGenerator<readonly ShownLead[]> {
    for (;;) {
      const leads = Array.from({ length: 100 }, (_, index) => ({
        type: 'company' as const,
        identifier: `U${read.rows + index}`,
        row: Object.fromEntries(leadColumns.company.map(({ name }) => [name, `${name} ${'of a lead '.repeat(3)}`])),
      }))
      read.rows += leads.length
      yield leads
    }
  }
  return { read, slices }
}

/** Until nothing was read while the compressor's threads and the loop had many turns: without end if a reader never stops. */
async function untilNothingMoves(read: { readonly rows: number }): Promise<void> {
  for (let before = -1; before !== read.rows; ) {
    before = read.rows
    for (let turn = 0; turn < 60; turn++) {
      await deflated('a turn of the threads')
      await nextTurn()
    }
    if (read.rows > 20_000) return
  }
}

test('of an export that nobody reads on, only a few hundred leads are read, in every format', async () => {
  const files: Readonly<Record<string, (slices: () => AsyncIterable<readonly ShownLead[]>) => Readable>> = {
    csv: (slices) => textStream(leadsCsv(slices(), { types: ['company'] })),
    json: (slices) => textStream(leadsJson(slices(), { head: { order_id: 'x' }, list: 'data', shape: exportRecord })),
    xlsx: (slices) => leadsXlsx({ types: ['company'], leadsOf: slices }),
  }
  for (const [format, fileOf] of Object.entries(files)) {
    const { read, slices } = endlessLeads()
    const file = fileOf(slices)
    await once(file, 'readable')
    await untilNothingMoves(read)
    // A workbook shrinks to a tenth, so more of it fits what a stream holds.
    const { rows } = read
    expect({ format, rows, few: rows <= (format === 'xlsx' ? 6_000 : 500) }).toMatchObject({ few: true })
    file.destroy()
  }
})

test('fifty thousand leads leave no more memory behind than five thousand do', async () => {
  const heapAfter = async (rowsMax: number): Promise<number> => {
    const { read, slices } = endlessLeads()
    let most = 0
    for await (const chunk of textStream(leadsCsv(slices(), { types: ['company'] }))) {
      most = Math.max(most, (chunk as Buffer).length)
      if (read.rows >= rowsMax) break
    }
    expect(most).toBeLessThan(262_144)
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  setFlagsFromString('--expose-gc')
  globalThis.gc ??= runInNewContext('gc') as NodeJS.GCFunction
  await heapAfter(5_000)
  const few = await heapAfter(5_000)
  const many = await heapAfter(50_000)
  expect((many - few) / 2 ** 20).toBeLessThan(8)
})

test('a document of no leads and one of several are JSON, with what the tail says', async () => {
  const shape = ({ identifier }: ShownLead) => identifier
  const of = (...batches: readonly (readonly ShownLead[])[]) => {
    async function* slices(): AsyncGenerator<readonly ShownLead[]> {
      yield* batches
    }
    return text(textStream(leadsJson(slices(), { head: { a: 1 }, list: 'leads', shape, tail: (total) => ({ total }) })))
  }
  const lead = (identifier: string): ShownLead => ({ type: 'gst', identifier, row: {} })
  expect(JSON.parse(await of())).toEqual({ a: 1, leads: [], total: 0 })
  expect(JSON.parse(await of([], [lead('x'), lead('y')], [], [lead('z')]))).toEqual({
    a: 1,
    leads: ['x', 'y', 'z'],
    total: 3,
  })
})

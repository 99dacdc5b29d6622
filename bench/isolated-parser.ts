/**
 * What the isolated parser costs: JSON Lines and a workbook turned into rows by the scanner in the isolated process,
 * compared with the worker's own process. Prints one JSON document with the seconds of each round and the ratio of
 * medians.
 *
 * npm run bench -- isolated-parser [--rows 500000] [--rounds 3]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fetchBounds } from '../config/input-bounds.ts'
import { locateFile } from '../src/ingest/input/local-file.ts'
import { openInput } from '../src/ingest/input/open-input.ts'
import { type OpenInput, openFile } from '../src/ingest/input/unpack/read-file.ts'
import { readHeaderLine } from '../src/ingest/stage/header.ts'
import { Scanner } from '../src/ingest/stage/scanner.ts'
import { columnCounts } from '../src/ingest/stage/tolerant.ts'
import { workbookOf } from '../test/support/zip.ts'

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '500000' }, rounds: { type: 'string', default: '3' } },
})
const rows = Number(options.rows)
const bounds = { ...fetchBounds, inflationMax: 1e6 }
const header = ['gstin', 'lgnm', 'tradeNam', 'stj', 'ctb', 'rgdt', 'sts']
const rowOf = (n: number): string[] => {
  const number = String(n).padStart(7, '0')
  return [
    `27AA${number}Z`,
    `TRADER NUMBER ${number} PRIVATE LIMITED`,
    'TRADER',
    `Ward ${n % 900}`,
    'Regular',
    '01/07/2017',
    'Active',
  ]
}

async function secondsOf(open: () => Promise<OpenInput>): Promise<number> {
  const started = performance.now()
  const input = await open()
  let scanner: Scanner | undefined
  let seen = 0
  const scan = (bytes: Buffer, isLast: boolean) => {
    for (const event of scanner?.push(bytes, isLast) ?? []) if (event.kind !== undefined) seen++
  }
  for await (const chunk of input.bytes) {
    if (scanner) {
      scan(chunk, false)
      continue
    }
    const found = readHeaderLine(chunk, true, 'bench')
    if (!found) throw new Error('the first piece holds no header')
    scanner = new Scanner({ ...columnCounts(found.names), firstLine: found.nextLine, lineEnd: found.lineEnd })
    scan(found.rest, false)
  }
  scan(Buffer.alloc(0), true)
  if (seen === 0) throw new Error('nothing was read')
  return (performance.now() - started) / 1000
}

const folder = mkdtempSync(join(tmpdir(), 'panji-bench-box-'))
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const round = (value: number): number => Math.round(value * 1000) / 1000
try {
  const numbers = Array.from({ length: rows }, (_, n) => n)
  const record = (n: number) => JSON.stringify(Object.fromEntries(rowOf(n).map((cell, at) => [header[at], cell])))
  const inline = (cell: string) => ({ attributes: 't="inlineStr"', inside: `<is><t>${cell}</t></is>` })
  const sheetRows = Object.fromEntries([header, ...numbers.map(rowOf)].map((row, n) => [n + 1, row.map(inline)]))
  const files = { 'JSON Lines': join(folder, 'rows.jsonl'), workbook: join(folder, 'rows.xlsx') }
  await writeFile(files['JSON Lines'], numbers.map(record).join('\n'))
  await writeFile(files.workbook, workbookOf([{ name: 'rows', rows: sheetRows }]))
  const result: Record<string, object> = {}
  for (const [format, path] of Object.entries(files)) {
    const file = await locateFile(path, bounds.fileBytesMax)
    const inside: number[] = []
    const through: number[] = []
    for (let n = 0; n < Number(options.rounds); n++) {
      inside.push(await secondsOf(() => openFile(file, {}, bounds)))
      through.push(await secondsOf(() => openInput(file, { shape: {}, bounds, signal: new AbortController().signal })))
    }
    const ratio = round(median(through) / median(inside))
    result[format] = { rows, bytes: file.size, inside: inside.map(round), through: through.map(round), ratio }
  }
  console.log(JSON.stringify(result, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

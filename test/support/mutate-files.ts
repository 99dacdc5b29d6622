/**
 * Mutated inputs for every file parser, the same for the same seed: bytes changed, cut, duplicated and swapped, in the
 * packed file or in its content. Each is read as the worker would; any error other than an AppError is a bug.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fetchBounds } from '../../config/input-bounds.ts'
import { AppError } from '../../src/errors.ts'
import { locateFile } from '../../src/ingest/input/local-file.ts'
import { openFile } from '../../src/ingest/input/unpack/read-file.ts'
import { readHeaderLine } from '../../src/ingest/stage/header.ts'
import { Scanner } from '../../src/ingest/stage/scanner.ts'
import { columnCounts, readTolerantly } from '../../src/ingest/stage/tolerant.ts'
import { zipOf } from './zip.ts'

export interface FuzzResult {
  readonly inputs: number
  readonly refused: number
  /** Processor time in ms of the most expensive input. */
  readonly slowestMs: number
  readonly slowest: string
}

/** Numbers from 0 up to, not including, `below`; mulberry32. */
type Random = (below: number) => number

function randomOf(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const csv = 'id,name,amount\r\n1,"A, ""B""",5\r\n2,â€™,6\r\n3,"two\nlines",7\r\n'
const json = '{"id":"1","a":{"b":["x","y"],"c":null}}\n{"id":"2","a":{"b":[],"c":1.5e3}}\n'
const parts: Readonly<Record<string, string>> = {
  'xl/workbook.xml':
    '<?xml version="1.0"?><workbook xmlns:r="r"><workbookPr date1904="0"/><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>',
  'xl/styles.xml':
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[>=10]0.00;0"/></numFmts><cellXfs><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></styleSheet>',
  'xl/sharedStrings.xml': '<sst><si><t>id &amp; &#233;</t></si><si><r><t>na</t></r><r><t>me_x000D_</t></r></si></sst>',
  'xl/s.xml':
    '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" s="1"><v>39448</v></c><c r="B2" t="inlineStr"><is><t>x</t></is></c></row></sheetData></worksheet>',
}
const pieces = [
  '"',
  ',',
  '\n',
  '\r',
  '\0',
  '<',
  '>',
  '&',
  ';',
  ']]>',
  '<!--',
  '{',
  '}',
  '[',
  '_x',
  '\\u0000',
  'é',
  'PK',
  '9',
]

const kinds: Readonly<Record<string, (random: Random) => Buffer>> = {
  csv: (random) => mutated(Buffer.from(csv), random),
  json: (random) => mutated(Buffer.from(json), random),
  gzip: (random) => mutated(gzipSync(mutated(Buffer.from(csv), random)), random, 2),
  'json in gzip': (random) => gzipSync(mutated(Buffer.from(json), random)),
  zip: (random) => mutated(zipOf([{ name: 'a.csv', content: csv, deflated: true }]), random),
  'csv in zip': (random) =>
    zipOf([
      { name: 'a.csv', content: mutated(Buffer.from(csv), random), deflated: true },
      { name: 'b.csv', content: mutated(Buffer.from(csv), random) },
    ]),
  workbook: (random) => {
    const names = Object.keys(parts)
    const changed = names[random(names.length)]
    return zipOf(
      Object.entries(parts).map(([name, content]) => ({
        name,
        content: name === changed ? mutated(Buffer.from(content), random) : content,
        deflated: true,
      })),
    )
  },
}

/** One to four mutations; occasionally a piece is repeated a thousand times, which exposes superlinear behaviour. */
function mutated(bytes: Buffer, random: Random, least = 0): Buffer {
  let result = bytes
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = least + random(Math.max(1, result.length - least))
    const length = random(12)
    const piece = Buffer.from(pieces[random(pieces.length)] ?? '')
    const many = random(12) === 0 ? 20_000 : 1 + random(3)
    const after = result.subarray(at + (random(2) === 0 ? length : 0))
    const cut = random(8) === 0
    const middle = random(3) === 0 ? repeat(result.subarray(at, at + length), many) : repeat(piece, many)
    result = Buffer.concat([result.subarray(0, at), middle, cut ? Buffer.alloc(0) : after])
  }
  return result
}

const repeat = (piece: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => piece))

/** @throws any error of a parser other than an AppError, with the input's kind and number as message. */
export async function readMutatedFiles(
  options: { readonly seed: number } & ({ readonly inputs: number } | { readonly milliseconds: number }),
): Promise<FuzzResult> {
  const random = randomOf(options.seed)
  const folder = mkdtempSync(join(tmpdir(), 'panji-fuzz-'))
  const path = join(folder, 'input')
  const until = 'milliseconds' in options ? performance.now() + options.milliseconds : Number.POSITIVE_INFINITY
  const most = 'inputs' in options ? options.inputs : Number.POSITIVE_INFINITY
  const names = Object.keys(kinds)
  let inputs = 0
  let refused = 0
  let slowest = { ms: 0, name: '' }
  try {
    for (; inputs < most && performance.now() < until; inputs++) {
      const kind = names[inputs % names.length] ?? ''
      writeFileSync(path, kinds[kind]?.(random) ?? '')
      const before = process.cpuUsage()
      if (!(await isRead(path, `${kind}, input ${inputs} of seed ${options.seed}`))) refused++
      const spent = process.cpuUsage(before)
      const ms = (spent.user + spent.system) / 1000
      if (ms > slowest.ms) slowest = { ms, name: `${kind}, input ${inputs}` }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { inputs, refused, slowestMs: Math.round(slowest.ms), slowest: slowest.name }
}

async function isRead(path: string, name: string): Promise<boolean> {
  try {
    const input = await openFile(await locateFile(path, fetchBounds.fileBytesMax), {}, fetchBounds)
    const chunks: Buffer[] = []
    for await (const chunk of input.bytes) chunks.push(chunk)
    stageAll(Buffer.concat(chunks))
    return true
  } catch (cause) {
    if (cause instanceof AppError) return false
    throw new Error(`${name} was not refused in words`, { cause })
  }
}

/** What the step after parsing does with the bytes, short of the database. */
function stageAll(bytes: Buffer): void {
  const header = readHeaderLine(bytes, true, 'input')
  if (!header) return
  const counts = columnCounts(header.names)
  const scanner = new Scanner({ ...counts, firstLine: header.nextLine, lineEnd: header.lineEnd })
  for (const event of scanner.push(header.rest, true)) {
    if (event.kind === 'odd') readTolerantly(event.bytes, counts, event.wellFormed)
  }
}

/**
 * Converts a workbook (`.xlsx`) to CSV: the sheets with the source's list. If they are side by side, the header has the
 * columns of all, and each record fills those of its own sheet; otherwise they have one header and follow each other.
 * Line numbers are row numbers; those of a second sheet continue from the first.
 */
import { recordBytesMax, titleRowsMax, workbookBounds } from '../../../../config/input-bounds.ts'
import { AppError } from '../../../errors.ts'
import { csvRecord, refuseTooWide } from '../../csv.ts'
import { findMatch } from '../../header-match.ts'
import { Findings } from '../findings.ts'
import { type NumberFormat, numberFormat, withoutEscapes } from './cell-text.ts'
import { type ChosenSheets, chooseSheets, type ListSheet, type Sheet, type WorkbookShape } from './choose-sheets.ts'
import { type ListHead, type SheetRow, sheetRows } from './sheet-rows.ts'
import { StringTable } from './string-table.ts'
import { readXml, type XmlHandler } from './xml.ts'

const { sheetsMax, relationsMax, formatsMax, cellStylesMax } = workbookBounds
const workbookPart = 'xl/workbook.xml'
const batchCharacters = 64 << 10

/** The parts of a workbook, as an open zip file has them. */
export interface WorkbookParts {
  has(name: string): boolean
  read(name: string): AsyncIterable<Buffer>
}

export const isWorkbook = (archive: WorkbookParts): boolean => archive.has(workbookPart)

type OpenRows = (sheet: Sheet, findings: Findings, head?: ListHead) => AsyncGenerator<SheetRow>

export async function* workbookCsv(
  archive: WorkbookParts,
  label: string,
  shape: WorkbookShape,
  findings: Findings,
): AsyncGenerator<Buffer> {
  try {
    const { sheets, is1904 } = await readWorkbook(archive)
    const strings = await readStrings(archive)
    const formats = await readFormats(archive)
    const open: OpenRows = (sheet, notes, head) =>
      sheetRows(archive.read(sheet.part), { strings, formats, is1904, findings: notes }, head)
    const chosen = await chooseSheets(sheets, shape, (sheet) => findHeader(open(sheet, new Findings()), shape), label)
    // Checked before each row is padded to that width.
    refuseTooWide(widthOf(chosen), label)
    yield* asOne(chosen, open, findings)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    // The parser's message may quote the file.
    const short = reason.length > 300 ? `${reason.slice(0, 300)}…` : reason
    throw new AppError('SOURCE_CORRUPT', `${label}: the workbook cannot be read: ${short}.`, { cause })
  }
}

/**
 * Lists sometimes have titles above the header. If no row is a header of the source, the first one with several cells
 * is used.
 */
async function findHeader(
  rows: AsyncGenerator<SheetRow>,
  { generations = [] }: WorkbookShape,
): Promise<SheetRow | undefined> {
  let first: SheetRow | undefined
  let seen = 0
  for await (const { number, cells } of rows) {
    const row = { number, cells: withoutTrailing(cells, 0) }
    if (findMatch({ generations }, row.cells)) return row
    const filled = row.cells.filter((cell) => cell !== '').length
    if (filled > 0 && (!first || (first.cells.length === 1 && filled > 1))) first = row
    seen += 1
    if (seen === titleRowsMax) break
  }
  return first
}

async function* asOne(chosen: ChosenSheets, open: OpenRows, findings: Findings): AsyncGenerator<Buffer> {
  let text = ''
  let line = 0
  let left = 0
  const isBeside = chosen.together === 'side by side'
  const width = widthOf(chosen)
  const write = (cells: readonly string[], at: number): void => {
    text += '\n'.repeat(at - line - 1)
    // A record without content is a blank line, which is not a record.
    text += cells.length === 0 ? '\n' : csvRecord(cells, '\n')
    line = at
  }
  for (const [index, { sheet, header }] of chosen.lists.entries()) {
    const before = line
    if (index === 0) write(columnsOf(chosen), header.number)
    const head = { row: header.number, columns: header.cells.length }
    for await (const row of open(sheet, findings, head)) {
      if (row.number <= header.number) continue
      const own = withoutTrailing(row.cells, header.cells.length)
      const isBlank = own.every((cell) => cell === '')
      // The columns of the other sheets stay empty.
      const fills = left > 0 || own.length < width
      const cells = isBlank ? [] : fills ? emptyCells(left).concat(own, emptyCells(width - left - own.length)) : own
      write(cells, before + row.number)
      if (text.length >= batchCharacters) {
        yield Buffer.from(text)
        text = ''
      }
    }
    if (isBeside) left += header.cells.length
  }
  yield Buffer.from(text)
}

function columnsOf({ lists, together }: ChosenSheets): readonly string[] {
  const own: readonly ListSheet[] = together === 'side by side' ? lists : lists.slice(0, 1)
  return own.flatMap(({ header }) => header.cells)
}

const widthOf = (chosen: ChosenSheets): number => columnsOf(chosen).length

const emptyCells = (count: number): string[] => Array.from({ length: Math.max(0, count) }, () => '')

/** Removes the many trailing cells that only have a format; those within the header's width stay. */
function withoutTrailing(cells: readonly string[], width: number): readonly string[] {
  let length = cells.length
  while (length > width && cells[length - 1] === '') length--
  if (length === cells.length && length >= width) return cells
  return cells.slice(0, length).concat(emptyCells(width - length))
}

async function readWorkbook(archive: WorkbookParts): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const targets = new Map<string, string>()
  await readXml(
    archive.read('xl/_rels/workbook.xml.rels'),
    onOpen((name, attributes) => {
      if (name !== 'Relationship') return
      refuseMore(targets.size, relationsMax, 'relations')
      targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '')
    }),
  )
  const sheets: Sheet[] = []
  let declared = 0
  let is1904 = false
  await readXml(
    archive.read(workbookPart),
    onOpen((name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      refuseMore(declared++, sheetsMax, 'sheets')
      const target = targets.get(attributes['id'] ?? '')
      if (target === undefined) return
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      const title = (attributes['name'] ?? '').trim()
      // Each would be read completely, next to the others.
      if (sheets.some((sheet) => sheet.name === title)) throw new Error('two of its sheets have one name')
      sheets.push({ name: title, part, isHidden: /^(hidden|veryHidden)$/.test(attributes['state'] ?? '') })
    }),
  )
  return { sheets, is1904 }
}

async function readStrings(archive: WorkbookParts): Promise<StringTable> {
  const strings = new StringTable()
  if (!archive.has('xl/sharedStrings.xml')) return strings
  let value = ''
  let isText = false
  let inPhonetic = false
  await readXml(archive.read('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') value = ''
      if (name === 'rPh') inPhonetic = true
      if (name === 't') isText = !inPhonetic
    },
    text(text) {
      if (isText && value.length <= recordBytesMax) value += text
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') inPhonetic = false
      if (name === 'si') strings.add(withoutEscapes(value))
    },
  })
  return strings
}

/** Position in the list of cell styles → how a number is displayed. */
async function readFormats(archive: WorkbookParts): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = []
  if (!archive.has('xl/styles.xml')) return formats
  const declared = new Map<number, string>()
  const known = new Map<number, NumberFormat>()
  let inCellStyles = false
  await readXml(archive.read('xl/styles.xml'), {
    open(name, attributes) {
      if (name === 'numFmt') {
        refuseMore(declared.size, formatsMax, 'number formats')
        declared.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      }
      if (name === 'cellXfs') inCellStyles = true
      if (name !== 'xf' || !inCellStyles) return
      refuseMore(formats.length, cellStylesMax, 'cell styles')
      const id = Number(attributes['numFmtId'] ?? 0)
      const format = known.get(id) ?? numberFormat(id, declared.get(id))
      known.set(id, format)
      formats.push(format)
    },
    close(name) {
      if (name === 'cellXfs') inCellStyles = false
    },
    text() {},
  })
  return formats
}

const onOpen = (open: XmlHandler['open']): XmlHandler => ({ open, close() {}, text() {} })

/** Limits declarations that are stored one by one: a small file can declare millions. */
function refuseMore(held: number, most: number, what: string): void {
  if (held >= most) throw new Error(`it declares more than ${most} ${what}`)
}

/**
 * Writes leads as an Excel workbook, slice by slice as they are read: one sheet per type with that type's columns, or
 * several if its rows need them. Numbers and dates are typed cells; everything else is text, so that no telephone
 * number becomes a number and nothing runs as a formula. Only the current batch is held in memory.
 */
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type LeadColumn, type LeadRow, leadColumns } from '../../../config/lead-columns.ts'
import type { EntityType } from '../../domain/identity.ts'
import { ownTurn } from './turn.ts'
import { contentTypes, packageRels, sheetPath, styles, workbook, workbookRels } from './workbook-parts.ts'

export type Batches = AsyncIterable<readonly { readonly row: LeadRow }[]>

export interface XlsxOptions {
  readonly types: readonly EntityType[]
  /** The leads of one type, from the beginning; called once per type. */
  readonly leadsOf: (type: EntityType) => Batches
  /** Rows per sheet, header included; smaller in tests. */
  readonly sheetRowsMax?: number
}

/** Excel's maximum. */
const excelRowsMax = 1_048_576
/** Excel's maximum per cell; longer texts are cut. */
const cellLengthMax = 32_767

/** A failure while reading the leads destroys the stream. */
export function leadsXlsx({ types, leadsOf, sheetRowsMax = excelRowsMax }: XlsxOptions): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  const fail = (error: unknown): void => void output.destroy(error instanceof Error ? error : new Error(String(error)))
  zip.on('error', fail)
  void writeParts(zip, { types, leadsOf, sheetRowsMax }, fail)
  return output
}

async function writeParts(
  zip: ZipFile,
  { types, leadsOf, sheetRowsMax }: Required<XlsxOptions>,
  fail: (error: unknown) => void,
): Promise<void> {
  try {
    const names: string[] = []
    for (const type of types) {
      const rows = new RowSource(leadsOf(type), leadColumns[type])
      for (let part = 1; part === 1 || !rows.ended; part++) {
        names.push(part === 1 ? type : `${type} ${part}`)
        await addSheet(zip, sheetPath(names.length), rows.sheet(sheetRowsMax))
      }
    }
    const parts = { '[Content_Types].xml': contentTypes(names.length), '_rels/.rels': packageRels }
    const rest = {
      ...parts,
      'xl/workbook.xml': workbook(names),
      'xl/_rels/workbook.xml.rels': workbookRels(names.length),
      'xl/styles.xml': styles,
    }
    for (const [path, text] of Object.entries(rest)) zip.addBuffer(Buffer.from(text), path)
    zip.end()
  } catch (error) {
    fail(error)
  }
}

function addSheet(zip: ZipFile, path: string, text: AsyncIterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const sheet = Readable.from(text, { objectMode: false, highWaterMark: 65_536 })
    sheet.once('error', reject).once('close', resolve)
    zip.addReadStream(sheet, path, { compressionLevel: 6 })
  })
}

/** Rows of all batches as XML, returned sheet by sheet. */
class RowSource {
  readonly #batches: AsyncIterator<readonly { readonly row: LeadRow }[]>
  readonly #columns: readonly LeadColumn[]
  #waiting: readonly { readonly row: LeadRow }[] = []
  ended = false

  constructor(batches: Batches, columns: readonly LeadColumn[]) {
    this.#batches = batches[Symbol.asyncIterator]()
    this.#columns = columns
  }

  async *sheet(rowsMax: number): AsyncGenerator<string> {
    yield sheetHead +
      rowXml(
        1,
        this.#columns.map(({ name }) => textCell(name)),
      )
    for (let rows = 1; rows < rowsMax; ) {
      if (this.#waiting.length === 0 && !(await this.#fetch())) break
      await ownTurn()
      const chunk = this.#waiting.slice(0, Math.min(rowsPerChunk, rowsMax - rows))
      this.#waiting = this.#waiting.slice(chunk.length)
      const above = rows
      rows += chunk.length
      const xml = chunk.map(({ row }, index) =>
        rowXml(
          above + index + 1,
          this.#columns.map((column) => cellXml(column, row[column.name] ?? null)),
        ),
      )
      yield xml.join('')
    }
    // The next sheet is only opened if another row follows.
    if (this.#waiting.length === 0) await this.#fetch()
    yield sheetFoot
  }

  async #fetch(): Promise<boolean> {
    while (this.#waiting.length === 0 && !this.ended) {
      const { done, value } = await this.#batches.next()
      if (done) this.ended = true
      else this.#waiting = value
    }
    return this.#waiting.length > 0
  }
}

/** Small enough that other requests of the process are served between two chunks. */
const rowsPerChunk = 50
const sheetHead =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
const sheetFoot = '</sheetData></worksheet>'

/** Some readers require each cell to have its reference. @param cells XML after the element's name. */
const rowXml = (number: number, cells: readonly (string | null)[]): string =>
  `<row r="${number}">${cells.map((cell, index) => (cell === null ? '' : `<c r="${letters[index] ?? ''}${number}"${cell}`)).join('')}</row>`

/** A to ZZ: more columns than any type has. */
const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const letters = ['', ...alphabet].flatMap((first) => alphabet.map((second) => first + second))

function cellXml({ kind }: LeadColumn, value: string | number | null): string | null {
  if (value === null || value === '') return null
  if (kind === 'number' && typeof value === 'number' && Number.isFinite(value)) return `><v>${value}</v></c>`
  const serial = kind === 'date' ? daySerial(String(value)) : undefined
  return serial === undefined ? textCell(String(value)) : ` s="1"><v>${serial}</v></c>`
}

/** Days since 1899-12-30, as Excel counts from March 1900 on; it does not support earlier ones. */
function daySerial(day: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  const serial = Math.round((ms - Date.UTC(1899, 11, 30)) / 86_400_000)
  return serial > 60 ? serial : undefined
}

const textCell = (text: string): string => ` t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/** XML allows no control characters except tab and line breaks, and no lone surrogates. */
const escaped = (text: string): string =>
  text
    .slice(0, cellLengthMax)
    .toWellFormed()
    .replace(/(?![\t\r\n])[\p{Cc}\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

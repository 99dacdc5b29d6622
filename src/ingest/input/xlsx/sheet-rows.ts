/** The rows of a workbook's sheet as texts, in order; only the rows of one chunk are in memory. */
import { columnsMax as headerColumnsMax, recordBytesMax } from '../../../../config/input-bounds.ts'
import { onOneLine } from '../../cell-repairs.ts'
import type { Findings } from '../findings.ts'
import { columnIndex, type NumberFormat, numberText, withoutEscapes } from './cell-text.ts'
import type { StringTable } from './string-table.ts'
import { type XmlHandler, XmlReader } from './xml.ts'

export interface SheetRow {
  /** As the workbook counts, from 1. */
  readonly number: number
  readonly cells: readonly string[]
}

/** What the cells of all sheets refer to. */
export interface CellContext {
  readonly strings: StringTable
  readonly formats: readonly NumberFormat[]
  readonly is1904: boolean
  readonly findings: Findings
}

/** Bytes parsed per step: a few bytes may refer to long strings again and again. */
const stepBytes = 512
const rowsMax = 1_048_576
const columnsMax = 16_384

/** Where the list begins, in a sheet whose rows are its records. */
export interface ListHead {
  readonly row: number
  readonly columns: number
}

/** @throws Error if cells below the head are merged over several rows: all but the first would lose their value. */
export async function* sheetRows(
  chunks: AsyncIterable<Buffer>,
  context: CellContext,
  head?: ListHead,
): AsyncGenerator<SheetRow> {
  const handler = new SheetHandler(context, head)
  const reader = new XmlReader(handler)
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += stepBytes) {
      reader.push(chunk.subarray(start, start + stepBytes))
      yield* handler.take()
    }
  }
  reader.end()
}

class SheetHandler implements XmlHandler {
  readonly #context: CellContext
  readonly #head: ListHead | undefined
  #rows: SheetRow[] = []
  #number = 0
  #cells: string[] = []
  /** Characters of the row so far. */
  #length = 0
  #column = -1
  #type = 'n'
  #style = 0
  #value = ''
  #isCapturing = false
  #inPhonetic = false

  constructor(context: CellContext, head: ListHead | undefined) {
    this.#context = context
    this.#head = head
  }

  take(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        this.#openRow(attributes['r'])
        return
      case 'c':
        this.#openCell(attributes)
        return
      case 'rPh':
        this.#inPhonetic = true
        return
      case 'v':
      case 't':
        this.#isCapturing = !this.#inPhonetic
        return
      case 'mergeCell':
        this.#refuseMerged(attributes['ref'] ?? '')
        return
    }
  }

  /** Merged cells have one value, in their first row; whether it applies to the rows below, only a person knows. */
  #refuseMerged(reference: string): void {
    const [, first = '', last = ''] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(reference) ?? []
    if (this.#head === undefined || Number(first) <= this.#head.row || first === last) return
    if (columnIndex(reference) >= this.#head.columns) return
    throw new Error(`its cells ${reference} are merged over several rows; unmerge them and give each row its value`)
  }

  #openRow(reference: string | undefined): void {
    const number = reference === undefined ? this.#number + 1 : Number(reference)
    if (!Number.isInteger(number) || number <= this.#number || number > rowsMax) {
      throw new Error(`its row ${number} is out of order`)
    }
    this.#number = number
    this.#cells = []
    this.#length = 0
    this.#column = -1
  }

  #openCell(attributes: Readonly<Record<string, string>>): void {
    const reference = attributes['r']
    this.#column = reference === undefined ? this.#column + 1 : columnIndex(reference)
    if (this.#column < 0 || this.#column >= columnsMax)
      throw new Error(`its cell ${reference} is not in a valid column`)
    this.#type = attributes['t'] ?? 'n'
    this.#style = Number(attributes['s'] ?? 0)
    this.#value = ''
  }

  text(text: string): void {
    // Beyond the length limit of a record, the value need not grow: the row is rejected anyway.
    if (this.#isCapturing && this.#value.length <= recordBytesMax) this.#value += text
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.#isCapturing = false
        return
      case 'rPh':
        this.#inPhonetic = false
        return
      case 'c':
        if (this.#value !== '' && this.#length <= recordBytesMax) this.#setCell(this.#shown())
        return
      case 'row':
        this.#rows.push({ number: this.#number, cells: this.#cells })
        return
    }
  }

  #setCell(shown: string): void {
    const line = onOneLine(shown)
    if (line !== shown) this.#context.findings.repair('cell_line_break')
    // No header is this wide, and a few bytes of the file would become thousands of empty cells.
    const column = Math.min(this.#column, headerColumnsMax)
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells[column] = line
    this.#length += line.length
  }

  #shown(): string {
    const value = this.#value
    switch (this.#type) {
      case 's': {
        const text = this.#context.strings.at(Number(value))
        if (text === undefined) throw new Error(`its row ${this.#number} names a string that is not there`)
        return text
      }
      case 'inlineStr':
      case 'str':
        return withoutEscapes(value)
      case 'b':
        return value === '1' ? 'TRUE' : 'FALSE'
      case 'd':
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, '')
      case 'n':
        return numberText(value, this.#context.formats[this.#style] ?? { kind: 'general' }, this.#context.is1904)
      default:
        return value
    }
  }
}

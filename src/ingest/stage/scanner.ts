/**
 * Splits a stream of CSV bytes into records without creating a JavaScript value per cell.
 *
 * Well-formed RFC 4180 records with the expected number of columns are passed on as slices of the input, for COPY
 * unchanged. Every other record is passed on separately, as one physical line, to the tolerant parser. So an unclosed
 * quote costs its own line and not the rest of the file.
 */
import { recordBytesMax } from '../../../config/input-bounds.ts'
import { needsRepair } from './needs-repair.ts'
import { firstLineOnly, type Reading, readRecord } from './read-record.ts'
import type { ColumnCounts } from './tolerant.ts'

export type ScanEvent =
  /** Well-formed records, ready for COPY; `ends`: where each of them ends, including its line end. */
  | { readonly kind: 'good'; readonly bytes: Buffer; readonly ends: readonly number[]; readonly line: number }
  /** A record for the tolerant parser; `bytes` without its line end. */
  | {
      readonly kind: 'odd'
      readonly bytes: Buffer
      readonly line: number
      readonly wellFormed: boolean
      /** The file ended before the line did. */
      readonly isUnended?: boolean
    }
  | { readonly kind: 'too-long'; readonly bytes: Buffer; readonly line: number }

const lineFeed = 10
const carriageReturn = 13
const comma = 44
const space = 32
const tab = 9
const eventsMax = 256

export type LineEnd = '\n' | '\r\n' | '\r'

export interface ScannerOptions extends ColumnCounts {
  readonly firstLine: number
  /** Records of one COPY must have the same line end; others go through the tolerant parser. */
  readonly lineEnd: LineEnd
  /** Sends every record through the tolerant parser; the property test compares both paths. */
  readonly tolerantOnly?: boolean
}

export class Scanner {
  readonly #columns: number
  readonly #namedColumns: number
  readonly #tolerantOnly: boolean
  #pending: Buffer = Buffer.alloc(0)
  #line: number
  #skipping = false
  readonly #lineEndByte: number
  readonly #lineEndLength: number
  readonly #reading: Reading = { end: 0, stop: 0, columns: 0, lines: 0, wellFormed: true }

  constructor(options: ScannerOptions) {
    this.#lineEndByte = options.lineEnd === '\n' ? lineFeed : carriageReturn
    this.#lineEndLength = options.lineEnd.length
    this.#columns = options.columns
    this.#namedColumns = options.namedColumns
    this.#line = options.firstLine
    this.#tolerantOnly = options.tolerantOnly ?? false
  }

  /** Must be consumed before the next chunk. Events are emitted in small batches: a few bytes can be many of them. */
  *push(chunk: Buffer, last: boolean): Generator<ScanEvent> {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const events: ScanEvent[] = []
    let position = this.#skipping ? this.#skip(bytes, 0, last) : 0
    let goodFrom = position
    let goodEnds: number[] = []
    let goodLine = this.#line
    const flush = (): void => {
      if (goodEnds.length > 0) this.#emitGood(bytes, goodFrom, goodEnds, goodLine, events)
      goodEnds = []
    }
    while (position < bytes.length) {
      if (events.length >= eventsMax) yield* events.splice(0)
      const reading = this.#reading
      readRecord(reading, bytes, position, last)
      if (reading.end < 0 && bytes.length - position <= recordBytesMax) break
      if (reading.end < 0 || reading.stop - position > recordBytesMax) {
        // An unclosed quote makes its own line odd, rather than the rest of the file too long.
        firstLineOnly(reading, bytes, position, last)
        if (reading.end < 0 || reading.stop - position > recordBytesMax) {
          flush()
          events.push({ kind: 'too-long', bytes: bytes.subarray(position, position + 2000), line: this.#line })
          if (reading.end < 0) position = this.#skip(bytes, position, last)
          else {
            position = reading.end
            this.#line += 1
          }
          goodFrom = position
          goodLine = this.#line
          continue
        }
      }
      const { end, stop } = reading
      const isBlank = holdsNothing(bytes, position, stop)
      // With a single column, an empty line would be a record, too.
      const isGood =
        !isBlank &&
        !this.#tolerantOnly &&
        reading.wellFormed &&
        reading.columns === this.#columns &&
        end - stop === this.#lineEndLength &&
        bytes[stop] === this.#lineEndByte
      // A cell with a line break needs repair.
      if (isGood && reading.lines === 1) {
        goodEnds.push(end)
      } else {
        flush()
        if (!isBlank) this.#emitOdd(bytes, position, last, events)
        goodFrom = this.#reading.end
        goodLine = this.#line + this.#reading.lines
      }
      position = this.#reading.end
      this.#line += this.#reading.lines
    }
    flush()
    this.#pending = Buffer.from(bytes.subarray(position))
    yield* events
  }

  #emitOdd(bytes: Buffer, start: number, last: boolean, events: ScanEvent[]): void {
    const reading = this.#reading
    const filled = reading.columns - blankCellsAtEnd(bytes, start, reading.stop)
    const wellFormed = reading.wellFormed && reading.columns >= this.#namedColumns && filled <= this.#columns
    if (!wellFormed && reading.lines > 1) firstLineOnly(reading, bytes, start, last)
    const isUnended = reading.end === reading.stop
    events.push({ kind: 'odd', bytes: bytes.subarray(start, reading.stop), line: this.#line, wellFormed, isUnended })
  }

  #emitGood(bytes: Buffer, from: number, ends: readonly number[], line: number, events: ScanEvent[]): void {
    const to = ends.at(-1) ?? from
    const whole = bytes.subarray(from, to)
    if (!needsRepair(whole)) {
      events.push({ kind: 'good', bytes: whole, ends: ends.map((end) => end - from), line })
      return
    }
    // Some record in this range has a broken character: halve it until the record is found.
    if (ends.length === 1) {
      const record = bytes.subarray(from, to - this.#lineEndLength)
      events.push({ kind: 'odd', bytes: record, line, wellFormed: true })
      return
    }
    const half = ends.length >> 1
    const middle = ends[half - 1] ?? from
    this.#emitGood(bytes, from, ends.slice(0, half), line, events)
    this.#emitGood(bytes, middle, ends.slice(half), line + half, events)
  }

  /** Skips the rest of a line that is too long to keep. */
  #skip(bytes: Buffer, from: number, last: boolean): number {
    const reading = this.#reading
    firstLineOnly(reading, bytes, from, last)
    this.#skipping = reading.end < 0
    if (this.#skipping) return reading.stop
    this.#line += 1
    return reading.end
  }
}

/**
 * An empty line is not a record, nor is one of only separators and blanks, as spreadsheets write for rows without
 * values.
 */
function holdsNothing(bytes: Buffer, start: number, stop: number): boolean {
  let at = start
  while (at < stop && (bytes[at] === comma || bytes[at] === space || bytes[at] === tab)) at++
  return at === stop
}

/** Trailing commas and spaces are empty cells. */
function blankCellsAtEnd(bytes: Buffer, start: number, stop: number): number {
  let cells = 0
  for (let at = stop - 1; at >= start && (bytes[at] === comma || bytes[at] === space); at--) {
    if (bytes[at] === comma) cells++
  }
  return cells
}

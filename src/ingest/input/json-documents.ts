/**
 * Splits JSON documents into the texts of their records: the objects of a list, of nested lists, and of lists under the
 * names that API responses use for them, and objects on their own. One or many documents, on any number of lines.
 * Everything around records is skipped, the consumer parses each record, and only one record is in memory at a time.
 */

import { recordBytesMax } from '../../../config/input-bounds.ts'
import { jsonWrappers } from '../../../config/json-wrappers.ts'
import { AppError } from '../../errors.ts'

export interface JsonText {
  /** Line on which it begins, or the next free one: a list on one line counts its records. */
  readonly number: number
  readonly bytes: Buffer
  /** False for a record beyond the size limit; then the bytes are its beginning. */
  readonly isWhole: boolean
}

const wordOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
const wrappers = new Set(jsonWrappers.map(wordOf))
export const isWrapper = (name: string): boolean => wrappers.has(wordOf(name))

/** The record within a response. */
export function unwrapped(value: object): object {
  const inner = Object.entries(value).find(
    ([name, member]: [string, unknown]) =>
      typeof member === 'object' && member !== null && !Array.isArray(member) && isWrapper(name),
  )
  return inner ? unwrapped(inner[1] as object) : value
}

/** Whether the value contains its records in a list. */
export function holdsList(value: object): boolean {
  return Object.entries(value).some(([name, member]: [string, unknown]) => {
    if (typeof member !== 'object' || member === null || !isWrapper(name)) return false
    return Array.isArray(member) ? typeof member[0] === 'object' : holdsList(member)
  })
}

/** @param onTotal called with the total number of records that a response states; it may contain only a page. */
export async function* jsonDocuments(
  chunks: AsyncIterable<Buffer>,
  label: string,
  onTotal: (records: number) => void,
): AsyncGenerator<JsonText> {
  const splitter = new Splitter(onTotal)
  for await (const chunk of chunks) yield* splitter.push(chunk)
  yield* splitter.end(label)
}

interface Frame {
  readonly isObject: boolean
  /** Every name on the path to here is one of a wrapper. */
  readonly isWrapped: boolean
  /** Undecided until its first element is seen. */
  isList: boolean | undefined
  key: string
  /** Digits of the member `total`. */
  total: string
}

const [tab, lineFeed, carriageReturn, space, quote, comma, colon, backslash] = [9, 10, 13, 32, 34, 44, 58, 92]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]
const keyBytesMax = 200
/** A byte order mark between documents counts as a blank. */
const blanks = new Set([tab, lineFeed, carriageReturn, space, 0xef, 0xbb, 0xbf])
const isBlank = (byte: number): boolean => blanks.has(byte)

/** Between records: at the top level, or in a list of records. */
const isOutside = (frame: Frame | undefined): boolean => frame === undefined || frame.isList === true

const endsScalar = (byte: number): boolean =>
  byte === comma || byte === closeList || byte === openObject || byte === openList

class Splitter {
  readonly #frames: Frame[] = []
  #line = 1
  #free = 1
  #inString = false
  #isEscaped = false
  #takesKey = false
  #keyBytes: number[] | undefined
  /** The record being read: the depth at which it begins, and its bytes so far. */
  #depth = -1
  #parts: Buffer[] = []
  #size = 0
  #startLine = 1
  #isScalar = false
  #takesTotal = false
  readonly #onTotal: (records: number) => void

  constructor(onTotal: (records: number) => void) {
    this.#onTotal = onTotal
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#inString = false
      const frame = this.#frames.at(-1)
      if (this.#keyBytes && frame) frame.key = Buffer.from(this.#keyBytes).toString('utf8')
      this.#keyBytes = undefined
      return
    }
    if (this.#keyBytes && this.#keyBytes.length < keyBytesMax) this.#keyBytes.push(byte)
  }

  #readTotal(byte: number): void {
    const frame = this.#frames.at(-1)
    if (frame && byte >= 48 && byte <= 57) frame.total += String.fromCharCode(byte)
    else if (!isBlank(byte) && byte !== quote) this.#takesTotal = false
  }

  /** A list under a wrapper's name contains the records; an enclosing object that seemed to be a record is not. */
  #decideList(frame: Frame | undefined, byte: number): void {
    if (!frame || frame.isObject || frame.isList !== undefined) return
    frame.isList = frame.isWrapped && (byte === openObject || byte === openList)
    if (!frame.isList) return
    this.#depth = -1
    this.#parts = []
    this.#size = 0
  }

  #open(isObject: boolean): void {
    const frame = this.#frames.at(-1)
    const isWrapped = !frame || (frame.isObject ? frame.isWrapped && isWrapper(frame.key) : frame.isList === true)
    this.#frames.push({ isObject, isWrapped, isList: isObject ? false : undefined, key: '', total: '' })
    this.#takesKey = isObject
  }

  #begin(at: number): number {
    this.#depth = this.#frames.length
    this.#startLine = this.#line
    return at
  }

  /** Not a record; the consumer's parser rejects it. */
  #beginScalar(at: number): number {
    this.#isScalar = true
    return this.#begin(at)
  }

  #collect(piece: Buffer): void {
    if (this.#size <= recordBytesMax) this.#parts.push(Buffer.from(piece.subarray(0, recordBytesMax + 1)))
    this.#size += piece.length
  }

  #finish(piece: Buffer): JsonText {
    this.#collect(piece)
    const bytes = Buffer.concat(this.#parts)
    const isWhole = this.#size <= recordBytesMax
    const number = Math.max(this.#startLine, this.#free)
    this.#free = number + 1
    this.#depth = -1
    this.#parts = []
    this.#size = 0
    this.#isScalar = false
    return { number, bytes, isWhole }
  }

  *push(chunk: Buffer): Generator<JsonText> {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === lineFeed) this.#line++
      if (this.#takesTotal) this.#readTotal(byte)
      if (this.#inString) {
        this.#readString(byte)
        continue
      }
      if (isBlank(byte)) continue
      if (this.#isScalar && endsScalar(byte)) yield this.#finish(chunk.subarray(start, at))
      const frame = this.#frames.at(-1)
      this.#decideList(frame, byte)
      if (byte === openObject || byte === openList) {
        if (this.#depth < 0 && byte === openObject && isOutside(frame)) start = this.#begin(at)
        this.#open(byte === openObject)
      } else if (byte === closeObject || byte === closeList) {
        const closed = this.#frames.pop()
        if (this.#depth < 0 && closed?.total) this.#onTotal(Number(closed.total))
        if (this.#depth >= 0 && this.#frames.length === this.#depth) yield this.#finish(chunk.subarray(start, at + 1))
      } else if (byte === quote) {
        if (this.#depth < 0 && isOutside(frame)) start = this.#beginScalar(at)
        this.#inString = true
        this.#keyBytes = this.#takesKey ? [] : undefined
      } else if (byte === comma || byte === colon) {
        this.#takesKey = byte === comma && frame?.isObject === true
        this.#takesTotal = byte === colon && frame?.isWrapped === true && frame.key === 'total'
      } else if (this.#depth < 0 && isOutside(frame)) start = this.#beginScalar(at)
    }
    if (this.#depth >= 0) this.#collect(chunk.subarray(start))
  }

  *end(label: string): Generator<JsonText> {
    if (this.#isScalar && this.#frames.length === 0) yield this.#finish(Buffer.alloc(0))
    if (this.#frames.length === 0 && !this.#inString) return
    throw new AppError(
      'SOURCE_CORRUPT',
      `${label}, line ${this.#line}: the JSON ends before its lists and objects do: the file was cut off. Fetch it again.`,
    )
  }
}

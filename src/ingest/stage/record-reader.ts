/** Turns the scanner's events into records for COPY, and tracks the line of each record. */
import { recordBytesMax } from '../../../config/input-bounds.ts'
import { csvRecord, decodeAndRepair } from '../csv.ts'
import type { RejectCode } from '../run/reject-codes.ts'
import type { ScanEvent } from './scanner.ts'
import { type ColumnCounts, readTolerantly } from './tolerant.ts'

/** Consecutive records as COPY reads them. */
export interface Records {
  readonly bytes: Buffer
  /** Where each of them ends, including its line end. */
  readonly ends: readonly number[]
  /** Number of the first one among the file's readable records, from 1. */
  readonly ordinal: number
}

/** Receives what a file contains besides its readable records. */
export interface SideOutput {
  reject(line: number, code: RejectCode, message: string, raw: string): void
  noteLine(ordinal: number, line: number): void
}

export class RecordReader {
  read = 0
  cutOffLine: number | undefined
  readonly repaired = new Map<string, number>()
  readonly #counts: ColumnCounts
  readonly #lineEnd: string
  readonly #sideOutput: SideOutput
  readonly #repair: ((cell: string) => string) | undefined

  constructor(
    counts: ColumnCounts,
    lineEnd: string,
    sideOutput: SideOutput,
    repair: ((cell: string) => string) | undefined,
  ) {
    this.#counts = counts
    this.#lineEnd = lineEnd
    this.#sideOutput = sideOutput
    this.#repair = repair
  }

  /** @returns undefined for a rejected record. */
  take(event: ScanEvent): Records | undefined {
    if (event.kind === 'good') return this.#counted(event.bytes, event.ends, event.line)
    if (event.kind === 'too-long') {
      const { text } = decodeAndRepair(event.bytes)
      this.#sideOutput.reject(event.line, 'record_too_long', `the line is longer than ${recordBytesMax} bytes`, text)
      return undefined
    }
    const reading = readTolerantly(event.bytes, this.#counts, event.wellFormed, this.#repair)
    if (!reading.ok) {
      if (event.isUnended) this.cutOffLine = event.line
      this.#sideOutput.reject(event.line, reading.code, reading.message, reading.raw)
      return undefined
    }
    for (const repair of reading.repaired) this.repaired.set(repair, (this.repaired.get(repair) ?? 0) + 1)
    const bytes = Buffer.from(csvRecord(reading.cells, this.#lineEnd))
    return this.#counted(bytes, [bytes.length], event.line)
  }

  #counted(bytes: Buffer, ends: readonly number[], line: number): Records {
    const ordinal = this.read + 1
    this.read += ends.length
    this.#sideOutput.noteLine(ordinal, line)
    return { bytes, ends, ordinal }
  }
}

/**
 * Collects what staging finds besides the rows: rejected records, and the line offsets of the staged ones. All rejects
 * are counted; only as many as config/input-bounds.ts allows are stored, for a file of a few bytes may unpack to
 * millions.
 */

import { type RejectBounds, rejectBounds } from '../../../config/input-bounds.ts'
import { sql } from '../../db/sql.ts'
import type { RejectCode } from '../run/reject-codes.ts'
import type { RunLease } from '../run/run-lease.ts'

const batchSize = 2000

export class RejectSink {
  rejected = 0
  kept = 0
  /** Total characters of the stored raw texts. */
  keptCharacters = 0
  readonly byCode = new Map<string, number>()
  readonly #lease: RunLease
  readonly #linesTable: string
  #rejects: { line: number; code: RejectCode; message: string; raw: string }[] = []
  #lines: { ordinal: number; offset: number }[] = []
  #offset: number | undefined
  readonly #bounds: RejectBounds

  constructor(lease: RunLease, linesTable: string, bounds: RejectBounds = rejectBounds) {
    this.#lease = lease
    this.#bounds = bounds
    this.#linesTable = linesTable
  }

  reject(line: number, code: RejectCode, message: string, raw: string): void {
    this.rejected += 1
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1)
    const { keptMax, keptBytesMax } = this.#bounds
    if (this.kept >= keptMax || this.keptCharacters + raw.length > keptBytesMax) return
    this.kept += 1
    this.keptCharacters += raw.length
    this.#rejects.push({ line, code, message, raw })
  }

  /** A row is needed only when the offset changes: line = ordinal + the last offset before it. */
  noteLine(ordinal: number, line: number): void {
    if (line - ordinal === this.#offset) return
    this.#offset = line - ordinal
    this.#lines.push({ ordinal, offset: this.#offset })
  }

  /** A few bytes can be many rejects, so the buffer must be limited. */
  get isFull(): boolean {
    return this.#rejects.length >= batchSize || this.#lines.length >= batchSize
  }

  async flush(all: boolean): Promise<void> {
    if (this.#rejects.length > 0 && (all || this.#rejects.length >= batchSize)) {
      const rejects = this.#rejects
      this.#rejects = []
      await this.#lease.fenced((tx) =>
        tx.execute(
          `INSERT INTO ingest.reject (run_id, line, code, message, raw)
           SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[])`,
          [
            this.#lease.runId,
            rejects.map((reject) => reject.line),
            rejects.map((reject) => reject.code),
            rejects.map((reject) => reject.message),
            rejects.map((reject) => reject.raw),
          ],
        ),
      )
    }
    if (this.#lines.length > 0 && (all || this.#lines.length >= batchSize)) {
      const lines = this.#lines
      this.#lines = []
      await this.#lease.fenced((tx) =>
        tx.execute(sql`INSERT INTO ${this.#linesTable} SELECT * FROM unnest($1::bigint[], $2::bigint[])`, [
          lines.map((line) => line.ordinal),
          lines.map((line) => line.offset),
        ]),
      )
    }
  }
}

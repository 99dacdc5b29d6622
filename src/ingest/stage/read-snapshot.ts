/**
 * Reads a snapshot from its header to its last record: readable records go to the consumer, the others are rejects.
 * Memory use is constant: slices of well-formed records are passed on unchanged, rejects and line offsets in batches.
 * Repeating it starts over, because the tables and rejects of an earlier attempt are dropped first.
 */
import { columnsMax, type RejectBounds, rejectBounds } from '../../../config/input-bounds.ts'
import type { RunMode, Source } from '../../../config/sources/source.ts'
import type { Connection } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { findMatch, type HeaderMatch, knownNames } from '../header-match.ts'
import type { RunLease } from '../run/run-lease.ts'
import { makeWorkTable } from '../run/work-tables.ts'
import { matchHeader, readHeader } from './header.ts'
import type { Records } from './record-reader.ts'
import { RejectSink } from './reject-sink.ts'
import { refuseRejects, rejectsAllowed } from './rejects-allowed.ts'
import { recordsOf, type SnapshotInput, scanning, whileOpen } from './scanning.ts'

/** The result of reading a snapshot to its end. */
export interface ReadThrough {
  readonly linesTable: string
  readonly columns: number
  readonly header: readonly string[]
  readonly match: HeaderMatch
  /** Records in the file, including rejected ones. */
  readonly rowsRead: number
  readonly rejected: number
  /** How many of them were stored with their line and raw text, and the characters of those texts. */
  readonly rejectsKept: number
  readonly rejectCharactersKept: number
  readonly rejectsByCode: Readonly<Record<string, number>>
  readonly repaired: Readonly<Record<string, number>>
  /** Line of an incomplete last record without a line end, as in a truncated file. */
  readonly cutOffLine: number | undefined
  /** Total records of the list, if the file states it. */
  readonly listed: number
}

export interface ReadOptions {
  readonly lease: RunLease
  readonly signal: AbortSignal
  readonly onRows: (rows: number) => Promise<void>
  readonly mode: RunMode
  readonly tolerantOnly?: boolean
  readonly rejectBounds?: RejectBounds
}

/** A snapshot whose header was read. */
export interface Opened {
  readonly match: HeaderMatch
  readonly columns: number
  readonly lineEndLength: number
  /** Can be read once, and must be read to the end. */
  readonly records: AsyncGenerator<Records>
  read(): number
}

export async function readSnapshot<T>(
  connection: Connection,
  source: Source,
  input: SnapshotInput,
  options: ReadOptions,
  take: (opened: Opened) => Promise<T>,
): Promise<ReadThrough & { readonly consumed: T }> {
  return whileOpen(input, async (chunks) => {
    const { lease } = options
    const header = await readHeader(chunks, input.name, (names) => findMatch(source, names) !== undefined)
    if (header.names.length <= columnsMax && !findMatch(source, header.names)) {
      await lease.update(connection, { header: knownNames(source, header.names) })
    }
    const match = matchHeader(source, header.names, input.name)
    const linesTable = await makeWorkTable(connection, 'lines', lease.runId, [
      { name: 'ordinal', type: 'bigint' },
      { name: 'line_offset', type: 'bigint' },
    ])
    const kept = options.rejectBounds ?? rejectBounds
    const sink = new RejectSink(lease, linesTable, kept)
    const rejectedMax = rejectsAllowed(source, options.mode, kept)
    const reading = scanning(header, input, sink, options.tolerantOnly)
    const { reader } = reading
    async function afterChunk(): Promise<void> {
      for (const found of input.findings?.takeRejects() ?? []) {
        sink.reject(found.line, found.code, found.message, found.raw)
      }
      await sink.flush(false)
      const allowed = rejectedMax(reader.read + sink.rejected)
      if (sink.rejected > allowed) {
        await refuseRejects(lease, sink, { name: input.name, staged: reader.read, rejectedMax: allowed })
      }
      await options.onRows(reader.read + sink.rejected)
    }
    const afterRecords = () => (sink.isFull ? sink.flush(false) : undefined)
    const consumed = await take({
      match,
      columns: header.names.length,
      lineEndLength: header.lineEnd.length,
      records: recordsOf(header, chunks, reading, { signal: options.signal, afterRecords, afterChunk }),
      read: () => reader.read,
    })
    await sink.flush(true)
    const rowsRead = reader.read + sink.rejected
    if (rowsRead === 0) throw new AppError('SOURCE_UNREADABLE', `${input.name}: no record follows the header.`)
    return {
      consumed,
      linesTable,
      columns: header.names.length,
      header: header.names,
      match,
      rowsRead,
      rejected: sink.rejected,
      rejectsKept: sink.kept,
      rejectCharactersKept: sink.keptCharacters,
      rejectsByCode: Object.fromEntries(sink.byCode),
      cutOffLine: reader.cutOffLine,
      listed: input.findings?.listed ?? 0,
      repaired: Object.fromEntries([...reader.repaired, ...(input.findings?.repaired ?? [])]),
    }
  })
}

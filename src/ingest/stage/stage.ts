/**
 * Stage: bytes of a snapshot in, an unlogged all-text table `ingest.stage_<run>` out, one row per readable record.
 *
 * Memory stays constant: slices of well-formed records go to COPY untouched, rejects and line offsets leave in
 * batches. Run twice it begins anew, because the tables and rejects of an earlier attempt are dropped first.
 */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { columnsMax, type RejectBounds, recordBytesMax, rejectBounds } from '../../../config/input-bounds.ts'
import type { RunMode, Source } from '../../../config/sources/source.ts'
import type { Connection } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { unguarded } from '../../domain/formula-guard.ts'
import { AppError } from '../../errors.ts'
import { csvRecord, decodeAndRepair } from '../csv.ts'
import { findMatch, type HeaderMatch, knownNames } from '../header-match.ts'
import type { Findings } from '../input/findings.ts'
import { isExport } from '../rejects-columns.ts'
import type { RunLease } from '../run/run-lease.ts'
import { makeWorkTable } from '../run/work-tables.ts'
import { matchHeader, readHeader } from './header.ts'
import { RejectSink } from './reject-sink.ts'
import { type ScanEvent, Scanner } from './scanner.ts'
import { type ColumnCounts, columnCounts, readTolerantly } from './tolerant.ts'

export interface Staged {
  readonly table: string
  readonly linesTable: string
  readonly columns: number
  readonly header: readonly string[]
  readonly match: HeaderMatch
  /** Records in the file, rejected ones included. */
  readonly rowsRead: number
  readonly rejected: number
  /** Of them, those that were kept with their line and raw text; and the characters of those texts. */
  readonly rejectsKept: number
  readonly rejectCharactersKept: number
  readonly rejectsByCode: Readonly<Record<string, number>>
  readonly repaired: Readonly<Record<string, number>>
  /** Line of a last record that is not whole and has no line end, as a file that was cut off has one. */
  readonly cutOffLine: number | undefined
  /** Records of the whole list, where the file says so of itself. */
  readonly listed: number
}

export interface StageInput {
  /** As the operator named it, for messages. */
  readonly name: string
  readonly bytes: AsyncIterable<Buffer>
  readonly findings?: Findings
}

export interface StageOptions {
  readonly lease: RunLease
  readonly signal: AbortSignal
  readonly onRows: (rows: number) => Promise<void>
  readonly mode: RunMode
  readonly tolerantOnly?: boolean
  readonly rejectBounds?: RejectBounds
}

export async function stage(
  connection: Connection,
  source: Source,
  input: StageInput,
  options: StageOptions,
): Promise<Staged> {
  const chunks = input.bytes[Symbol.asyncIterator]()
  try {
    return await stageChunks(connection, source, input, chunks, options)
  } finally {
    // A run that stops early, by a header that is not its source's for one, closes the file behind it.
    await chunks.return?.()
  }
}

async function stageChunks(
  connection: Connection,
  source: Source,
  input: StageInput,
  chunks: AsyncIterator<Buffer>,
  options: StageOptions,
): Promise<Staged> {
  const { lease } = options
  const header = await readHeader(chunks, input.name, (names) => findMatch(source, names) !== undefined)
  if (header.names.length <= columnsMax && !findMatch(source, header.names)) {
    await lease.update(connection, { header: knownNames(source, header.names) })
  }
  const match = matchHeader(source, header.names, input.name)
  const names = header.names.map((_, index) => `c${index + 1}`)
  const counts = columnCounts(header.names)
  const linesTable = await makeWorkTable(connection, 'lines', lease.runId, [
    { name: 'ordinal', type: 'bigint' },
    { name: 'line_offset', type: 'bigint' },
  ])

  const kept = options.rejectBounds ?? rejectBounds
  const sink = new RejectSink(lease, linesTable, kept)
  const rejectedMax = rejectsAllowed(source, options.mode, kept)
  const scanner = new Scanner({
    ...counts,
    firstLine: input.findings?.headerIsLine === false ? header.nextLine - 1 : header.nextLine,
    lineEnd: header.lineEnd,
    // Every cell of an export is looked at for its guard.
    tolerantOnly: options.tolerantOnly === true || isExport(header.names),
  })
  const writer = new RecordWriter(counts, header.lineEnd, sink, isExport(header.names) ? unguarded : undefined)
  async function* records(): AsyncGenerator<Buffer> {
    let chunk: Buffer | undefined = header.rest
    while (chunk) {
      options.signal.throwIfAborted()
      const next: IteratorResult<Buffer, unknown> = await chunks.next()
      for (const event of scanner.push(chunk, next.done === true)) {
        const bytes = writer.take(event)
        if (bytes) yield bytes
        if (sink.isFull) await sink.flush(false)
      }
      for (const found of input.findings?.takeRejects() ?? []) {
        sink.reject(found.line, found.code, found.message, found.raw)
      }
      await sink.flush(false)
      const { staged } = writer
      const allowed = rejectedMax(staged + sink.rejected)
      if (sink.rejected > allowed) await refuseRejects(lease, sink, { name: input.name, staged, rejectedMax: allowed })
      await options.onRows(writer.staged + sink.rejected)
      chunk = next.done === true ? undefined : next.value
    }
  }
  const table = await copyFrozen(connection, lease.runId, names, async (copy) => {
    await pipeline(Readable.from(records(), { objectMode: true, highWaterMark: 2 }), copy, { signal: options.signal })
    // The server says how many rows it took. Were they fewer, the missing ones would pass for unchanged.
    if (copy.rowCount !== writer.staged)
      throw new Error(
        `${input.name}: the database took ${copy.rowCount} of ${writer.staged} records; nothing was applied`,
      )
  })
  await sink.flush(true)
  const rowsRead = writer.staged + sink.rejected
  if (rowsRead === 0) throw new AppError('SOURCE_UNREADABLE', `${input.name}: no record follows the header.`)
  return {
    table,
    linesTable,
    columns: names.length,
    header: header.names,
    match,
    rowsRead,
    rejected: sink.rejected,
    rejectsKept: sink.kept,
    rejectCharactersKept: sink.keptCharacters,
    rejectsByCode: Object.fromEntries(sink.byCode),
    cutOffLine: writer.cutOffLine,
    listed: input.findings?.listed ?? 0,
    repaired: Object.fromEntries([...writer.repaired, ...(input.findings?.repaired ?? [])]),
  }
}

/** A delta has no length to be expected, so it is held to the rows that have come, once no more of its rejects are kept. */
const deltaRejectsShareMax = 0.5

/** @returns how many of the records read so far may be rejected. */
function rejectsAllowed(
  { bounds: { rejectedShareMax, rowsMax } }: Source,
  mode: RunMode,
  { keptMax }: RejectBounds,
): (rowsRead: number) => number {
  const ofLongest = Math.max(keptMax, rejectedShareMax * rowsMax)
  if (mode !== 'delta') return () => ofLongest
  const share = Math.max(rejectedShareMax, deltaRejectsShareMax)
  return (rowsRead) => Math.min(ofLongest, Math.max(keptMax, Math.floor(share * rowsRead)))
}

/**
 * Whatever follows, the file would not be let through: it has more rejects than their share of the longest file
 * that the source may have, or most of a delta is rejected. The run row says how far it was read.
 */
async function refuseRejects(
  lease: RunLease,
  sink: RejectSink,
  at: { readonly name: string; readonly staged: number; readonly rejectedMax: number },
): Promise<never> {
  await sink.flush(true)
  const rowsRead = at.staged + sink.rejected
  const report = { rejects: Object.fromEntries(sink.byCode), rejects_kept: sink.kept }
  await lease.fenced((tx) => lease.update(tx, { rows_read: rowsRead, rejected: sink.rejected, report }))
  throw new AppError(
    'TOO_MANY_REJECTS',
    `${at.name}: ${sink.rejected} of the first ${rowsRead} records are rejected; ${at.rejectedMax} may be at ` +
      'most (rejectedShareMax and rowsMax in config/sources, rejectBounds in config/input-bounds.ts). Nothing was applied.',
  )
}

/**
 * Rows that come with their table are frozen from the start: the steps that read them next need not look up, and write
 * down, that each was committed.
 */
async function copyFrozen(
  connection: Connection,
  runId: number,
  names: readonly string[],
  fill: (copy: CopyStreamQuery) => Promise<void>,
): Promise<string> {
  await connection.execute('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    const columns = names.map((name) => ({ name, type: 'text' }))
    const table = await makeWorkTable(connection, 'stage', runId, columns)
    await fill(
      connection.client.query(copyFrom(sql`COPY ${table} (${names.join(', ')}) FROM STDIN WITH (FORMAT csv, FREEZE)`)),
    )
    await connection.execute('COMMIT')
    return table
  } catch (error) {
    // A connection that cannot roll back is closed by whoever holds it; the first error is the one to report.
    await connection.execute('ROLLBACK').catch(() => 0)
    throw error
  }
}

/** Turns scan events into bytes for COPY and keeps count of which record stands on which line. */
class RecordWriter {
  staged = 0
  cutOffLine: number | undefined
  readonly repaired = new Map<string, number>()
  readonly #counts: ColumnCounts
  readonly #lineEnd: string
  readonly #sink: RejectSink
  readonly #repair: ((cell: string) => string) | undefined

  constructor(counts: ColumnCounts, lineEnd: string, sink: RejectSink, repair: ((cell: string) => string) | undefined) {
    this.#counts = counts
    this.#lineEnd = lineEnd
    this.#sink = sink
    this.#repair = repair
  }

  take(event: ScanEvent): Buffer | undefined {
    if (event.kind === 'good') {
      this.#sink.noteLine(this.staged + 1, event.line)
      this.staged += event.records
      return event.bytes
    }
    if (event.kind === 'too-long') {
      const { text } = decodeAndRepair(event.bytes)
      this.#sink.reject(event.line, 'record_too_long', `the line is longer than ${recordBytesMax} bytes`, text)
      return undefined
    }
    const reading = readTolerantly(event.bytes, this.#counts, event.wellFormed)
    if (!reading.ok) {
      if (event.isUnended) this.cutOffLine = event.line
      this.#sink.reject(event.line, reading.code, reading.message, reading.raw)
      return undefined
    }
    for (const repair of reading.repaired) this.repaired.set(repair, (this.repaired.get(repair) ?? 0) + 1)
    this.staged += 1
    this.#sink.noteLine(this.staged, event.line)
    const cells = this.#repair ? reading.cells.map(this.#repair) : reading.cells
    return Buffer.from(csvRecord(cells, this.#lineEnd))
  }
}

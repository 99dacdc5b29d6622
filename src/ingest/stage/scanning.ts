/** Reads the records of a snapshot from its chunks, after the header. */
import { unguarded } from '../../domain/formula-guard.ts'
import type { Findings } from '../input/findings.ts'
import { isExport } from '../rejects-columns.ts'
import type { HeaderLine } from './header.ts'
import { RecordReader, type Records, type SideOutput } from './record-reader.ts'
import { Scanner } from './scanner.ts'
import { columnCounts } from './tolerant.ts'

export interface SnapshotInput {
  /** As the operator named it, for messages. */
  readonly name: string
  readonly bytes: AsyncIterable<Buffer>
  readonly findings?: Findings
}

/** Closes the file if the reading stops early, for example because the header does not match the source. */
export async function whileOpen<T>(
  input: SnapshotInput,
  work: (chunks: AsyncIterator<Buffer>) => Promise<T>,
): Promise<T> {
  const chunks = input.bytes[Symbol.asyncIterator]()
  try {
    return await work(chunks)
  } finally {
    await chunks.return?.()
  }
}

interface Reading {
  readonly scanner: Scanner
  readonly reader: RecordReader
}

export function scanning(
  header: HeaderLine,
  input: SnapshotInput,
  sideOutput: SideOutput,
  tolerantOnly: boolean | undefined,
): Reading {
  const counts = columnCounts(header.names)
  const isGuarded = isExport(header.names)
  const scanner = new Scanner({
    ...counts,
    firstLine: input.findings?.headerIsLine === false ? header.nextLine - 1 : header.nextLine,
    lineEnd: header.lineEnd,
    // In an export of rejects, every cell is checked for its formula escape.
    tolerantOnly: tolerantOnly === true || isGuarded,
  })
  return { scanner, reader: new RecordReader(counts, header.lineEnd, sideOutput, isGuarded ? unguarded : undefined) }
}

interface Pauses {
  readonly signal: AbortSignal
  /** Called after some records of a chunk, which may contain many. */
  afterRecords?(): Promise<void> | undefined
  afterChunk?(): Promise<void>
}

export async function* recordsOf(
  header: HeaderLine,
  chunks: AsyncIterator<Buffer>,
  { scanner, reader }: Reading,
  { signal, afterRecords, afterChunk }: Pauses,
): AsyncGenerator<Records> {
  let chunk: Buffer | undefined = header.rest
  while (chunk) {
    signal.throwIfAborted()
    const next: IteratorResult<Buffer, unknown> = await chunks.next()
    for (const event of scanner.push(chunk, next.done === true)) {
      const records = reader.take(event)
      if (records) yield records
      await afterRecords?.()
    }
    await afterChunk?.()
    chunk = next.done === true ? undefined : next.value
  }
}

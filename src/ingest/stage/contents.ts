/**
 * Reads a snapshot without staging it: of each record, only its number and the hash of its cells are stored, in the
 * table `ingest.contents_<run>`. With these a run determines which records the register does not know, and stages only
 * those.
 */
import type { Source } from '../../../config/sources/source.ts'
import type { Connection } from '../../db/db.ts'
import type { HeaderMatch } from '../header-match.ts'
import { ContentHash } from './content-hash.ts'
import { copyFrozen } from './copy-rows.ts'
import { DateTally, type TalliedDates } from './date-tally.ts'
import { type Opened, type ReadOptions, type ReadThrough, readSnapshot } from './read-snapshot.ts'
import { RecordCells } from './record-cells.ts'
import type { Records } from './record-reader.ts'
import type { SnapshotInput } from './scanning.ts'

export interface Contents extends ReadThrough {
  /** `ordinal` and `content` of each readable record. */
  readonly table: string
  /** Undefined if its date columns contain too much that is not a date. */
  readonly dates: TalliedDates | undefined
}

/** Positions, from 1, of what is read of each record. */
export interface ContentColumns {
  readonly content: readonly number[]
  /** Field → date column whose cells are counted. */
  readonly dates: ReadonlyMap<string, number>
}

export async function readContents(
  connection: Connection,
  source: Source,
  input: SnapshotInput,
  options: ReadOptions,
  columnsOf: (match: HeaderMatch) => ContentColumns,
): Promise<Contents> {
  const { consumed, ...read } = await readSnapshot(connection, source, input, options, async (opened) => {
    const { content, dates } = columnsOf(opened.match)
    const tally = new DateTally(dates)
    const reader = new ContentReader(content, tally, opened.lineEndLength)
    const types = ['ordinal', 'content'].map((name) => ({ name, type: 'bigint' }))
    const copied = { name: input.name, columns: ['ordinal', 'content'], rows: rowsOf(opened, reader), format: 'binary' }
    const { lease, signal } = options
    const table = await copyFrozen(
      connection,
      lease,
      { kind: 'contents', types },
      { ...copied, signal, sent: opened.read },
    )
    return { table, dates: tally.end() }
  })
  return { ...consumed, ...read }
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const trailer = Buffer.from([0xff, 0xff])

async function* rowsOf({ records }: Opened, reader: ContentReader): AsyncGenerator<Buffer> {
  yield signature
  for await (const some of records) yield reader.rows(some)
  yield trailer
}

/** Two fields of eight bytes, each preceded by its length. */
const rowBytes = 26

/** Turns records into rows of a binary COPY: number and content of each. */
export class ContentReader {
  readonly #columns: readonly number[]
  readonly #tally: DateTally
  readonly #lineEndLength: number
  readonly #cells = new RecordCells()
  readonly #hash = new ContentHash()

  constructor(columns: readonly number[], tally: DateTally, lineEndLength: number) {
    this.#columns = columns.map((position) => position - 1)
    this.#tally = tally
    this.#lineEndLength = lineEndLength
  }

  /** Rows of a binary COPY. */
  rows({ bytes, ends, ordinal }: Records): Buffer {
    const rows = Buffer.allocUnsafe(rowBytes * ends.length)
    let start = 0
    for (let index = 0; index < ends.length; index++) {
      const end = ends[index] as number
      this.#read(bytes, start, end - this.#lineEndLength)
      const at = index * rowBytes
      const number = ordinal + index
      rows.writeUInt16BE(2, at)
      rows.writeUInt32BE(8, at + 2)
      rows.writeUInt32BE(Math.floor(number / 4_294_967_296), at + 6)
      rows.writeUInt32BE(number >>> 0, at + 10)
      rows.writeUInt32BE(8, at + 14)
      rows.writeUInt32BE(this.#hash.high, at + 18)
      rows.writeUInt32BE(this.#hash.low, at + 22)
      start = end
    }
    return rows
  }

  #read(bytes: Buffer, start: number, stop: number): void {
    const cells = this.#cells
    const hash = this.#hash
    cells.read(bytes, start, stop)
    hash.begin()
    for (const column of this.#columns) {
      if (cells.isNull(column)) hash.addNull()
      else if (cells.isDoubled(column)) {
        const whole = Buffer.from(cells.text(column))
        hash.addCell(whole, 0, whole.length)
      } else hash.addCell(bytes, cells.from[column] as number, cells.to[column] as number)
    }
    this.#tally.columns.forEach((column, index) => {
      const isKnown =
        cells.isNull(column) ||
        DateTally.beginsWithYear(bytes, cells.from[column] as number, cells.to[column] as number)
      if (!isKnown) this.#tally.note(index, cells.text(column))
    })
  }
}

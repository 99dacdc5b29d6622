/**
 * Identifies a file by its header and first rows: the source with that header, the partitions that the rows name, and
 * the day in its name. Stores nothing.
 */
import { basename } from 'node:path'
import { columnsMax, type FetchBounds } from '../../../config/input-bounds.ts'
import { sources } from '../../../config/sources/index.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { decodeAndRepair, parseRecord } from '../csv.ts'
import { findMatch, type HeaderMatch } from '../header-match.ts'
import { dayOfFile } from '../input/drop-folder/day-of-file.ts'
import { locateFile } from '../input/local-file.ts'
import { openInput } from '../input/open-input.ts'
import { readToday } from '../run/snapshot-day.ts'
import { type HeaderLine, readHeader } from '../stage/header.ts'

export interface Identified {
  /** Null if no source has this header. */
  readonly source: string | null
  readonly columns: number
  /** The partitions in the first rows, as spelled in the file; a few. */
  readonly partitions: readonly string[]
  readonly as_of: string
  readonly as_of_from: 'name' | 'today'
}

const partitionsShown = 5
const rowsRead = 200
const readMs = 20_000

/** @throws AppError SOURCE_UNREADABLE, SOURCE_CORRUPT, PARSER_STOPPED for a file that is not a table. */
export async function identifyFile(db: Queryable, path: string, bounds: FetchBounds): Promise<Identified> {
  const name = basename(path)
  const file = { ...(await locateFile(path, bounds.fileBytesMax)), name }
  const input = await openInput(file, { shape: anySource, bounds, signal: AbortSignal.timeout(readMs) })
  const chunks = input.bytes[Symbol.asyncIterator]()
  try {
    const header = await readHeader(chunks, name, (names) => sourceOf(names) !== undefined)
    const found = sourceOf(header.names)
    const today = await readToday(db, found?.source ?? {})
    const { day, refusal } = dayOfFile(name, new Date(), today)
    const isNamed = refusal === undefined && day < today
    return {
      source: found?.source.name ?? null,
      columns: header.names.length,
      partitions: found ? partitionsIn(found, header) : [],
      as_of: isNamed ? day : today,
      as_of_from: isNamed ? 'name' : 'today',
    }
  } finally {
    await chunks.return?.()
    await input.close()
  }
}

/** Sheets of a workbook are chosen if a source names them, else the first one with a header of any source. */
const anySource = {
  sheets: sources.flatMap(({ sheets = [] }) => sheets),
  generations: sources.flatMap(({ generations }) => generations),
  isLookedAt: true,
}

interface Found {
  readonly source: Source
  readonly match: HeaderMatch
}

/** If several sources have the header, the one that reads most of its columns. */
function sourceOf(names: readonly string[]): Found | undefined {
  if (names.length > columnsMax) return undefined
  const found = sources.flatMap((source) => {
    const match = findMatch(source, names)
    return match ? [{ source, match }] : []
  })
  return found.toSorted((one, other) => other.match.positions.size - one.match.positions.size)[0]
}

/** Only complete rows of those that came with the header. */
function partitionsIn({ source, match }: Found, { rest, lineEnd }: HeaderLine): string[] {
  const rule = source.scope === undefined ? undefined : source.columns[source.scope]
  const field = rule && 'from' in rule && typeof rule.from === 'string' ? rule.from : ''
  const position = match.positions.get(field)
  // The state is encoded in the first two characters of a GSTIN, not as a name.
  if (position === undefined || rule?.kind === 'derived') return []
  const lines = decodeAndRepair(rest).text.split(lineEnd).slice(0, -1).slice(0, rowsRead)
  const values = lines.flatMap((line) => {
    const cells = parseRecord(line)
    const value = Array.isArray(cells) ? cells[position - 1]?.trim() : undefined
    return value ? [value] : []
  })
  return [...new Set(values)].slice(0, partitionsShown)
}

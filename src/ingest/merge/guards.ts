/** Detects a suspicious snapshot before anything of it is applied. */
import type { Bounds, RunMode } from '../../../config/sources/source.ts'
import { counted, grouped } from '../../domain/counted.ts'

/** Columns that the previous file had, and this otherwise similar one lacks, while others are unknown. */
export interface ReplacedColumns {
  readonly since_run: number
  readonly names: readonly string[]
  /** How many columns are new and unknown. */
  readonly unknown: number
}

export interface SnapshotFigures {
  readonly rowsRead: number
  readonly rejected: number
  /** Line in which the file ends prematurely. */
  readonly cutOffLine?: number | undefined
  /** Rejects beyond those stored, whose records are in no other row of the file. */
  readonly rejectsUnnamed?: number | undefined
  /** Total records of the list, as the file states, and whether it claims to be complete. */
  readonly listed?: number | undefined
  readonly mode?: RunMode
  /** Missing if nothing was checked. */
  readonly quality?: CheckedQuality | undefined
  /** Undefined if no column seems to have got a name that the source does not know. */
  readonly replaced?: ReplacedColumns | undefined
  /** Per partition: records open before, how many of them the snapshot would close, and how many it contains. */
  readonly closings: readonly {
    readonly scope: string
    readonly open: number
    readonly closing: number
    readonly inFile: number
  }[]
}

/** The quality of the checked rows' values. */
export interface CheckedQuality {
  readonly usable: number
  /** Column → rows without a value. */
  readonly emptyCells: Readonly<Record<string, number>>
  /** Column → word outside its vocabulary → rows. */
  readonly unknownWords: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** In a small partition a few closures are a large share and still normal. */
const fewClosings = 20
const fewClosingsShareMax = 0.34
/** A file that lacks more of a partition is probably no list of the whole of it. */
const listOfNewShare = 0.9
/** A few rejects are read by a person, and up to a hundred if most of the file's rows are good. */
const handfulOfRejects = 6
const fewRejects = 100
const fewRejectsShareMax = 1 / 3

/** @returns the reasons why the run needs approval; empty for a good snapshot. */
export function suspicions(bounds: Bounds, figures: SnapshotFigures): string[] {
  const reasons: string[] = []
  const { rowsRead, rejected } = figures
  if (rowsRead < bounds.rowsMin || rowsRead > bounds.rowsMax) {
    reasons.push(
      `the file holds ${counted(rowsRead, 'record')}; expected ${grouped(bounds.rowsMin)} to ${grouped(bounds.rowsMax)}`,
    )
  }
  const { listed = 0, mode } = figures
  if (mode === 'snapshot' && listed > rowsRead) {
    reasons.push(
      `the file holds ${grouped(rowsRead)} of the ${counted(listed, 'record')} of its list: it is a page of it; fetch all, or import it as a delta`,
    )
  }
  const fewOfThem = Math.min(fewRejects, fewRejectsShareMax * rowsRead)
  const rejectedMax = Math.max(handfulOfRejects, bounds.rejectedShareMax * rowsRead, fewOfThem)
  if (rejected > rejectedMax) {
    const share = Math.max(bounds.rejectedShareMax, fewOfThem / rowsRead)
    reasons.push(
      `${grouped(rejected)} of ${counted(rowsRead, 'record')} are rejected; at most ${percent(share)} expected`,
    )
  }
  const { replaced } = figures
  if (replaced) {
    reasons.push(
      `the file has no ${replaced.names.join(', ')} any more, which the file of import ${replaced.since_run} had, but ${counted(replaced.unknown, 'unknown column')}: import it with the column mapped (--map COLUMN=field), or approve it to leave these values as they are`,
    )
  }
  const closing = figures.closings.reduce((sum, each) => sum + each.closing, 0)
  const closingOpen = counted(closing, 'open record')
  if (figures.cutOffLine !== undefined && closing > 0) {
    reasons.push(
      `the file ends in the middle of line ${grouped(figures.cutOffLine)}, and ${closingOpen} after it or elsewhere ${isOrAre(closing)} absent`,
    )
  }
  if (figures.rejectsUnnamed !== undefined && figures.rejectsUnnamed > 0 && closing > 0) {
    reasons.push(
      `${counted(figures.rejectsUnnamed, 'reject')} ${isOrAre(figures.rejectsUnnamed)} counted but not kept; what is absent, ${closingOpen}, may be among them`,
    )
  }
  const tooMany = figures.closings.filter(({ open, closing, inFile }) => {
    // A file with far more records than were known is not truncated; then the share is relative to the file.
    const share = bounds.closedShareMax * Math.max(open, inFile)
    return closing > Math.max(share, Math.min(fewClosings, fewClosingsShareMax * open))
  })
  for (const { scope, open, closing: absent } of tooMany) {
    reasons.push(
      `${grouped(absent)} of ${counted(open, 'open record')} of ${scope === '*' ? 'the register' : scope} are absent and would be closed; at most ${percent(bounds.closedShareMax)} expected`,
    )
  }
  if (tooMany.some((each) => each.closing > listOfNewShare * each.open)) {
    reasons.push(
      'a list of only what is new or changed is a delta: discard this import, and import the file as a delta',
    )
  }
  return [...reasons, ...poorValues(bounds, figures)]
}

/** With fewer checked rows, the share is relative to the whole file: a refresh may bring only the odd ones. */
const qualityRowsMin = 1000
/** Up to this many poor values are read by a person. */
const fewPoorValues = 20

function poorValues(
  { emptyShareMax = {}, unknownShareMax }: Bounds,
  { quality, rowsRead, rejected }: SnapshotFigures,
): string[] {
  if (!quality) return []
  const { emptyCells, unknownWords } = quality
  const usable = quality.usable < qualityRowsMin ? rowsRead - rejected : quality.usable
  const isTooMany = (rows: number, most: number): boolean => rows > Math.max(fewPoorValues, most * usable)
  const empty = Object.entries(emptyShareMax).flatMap(([column, most]) => {
    const rows = emptyCells[column] ?? 0
    return isTooMany(rows, most)
      ? [
          `${grouped(rows)} of ${counted(usable, 'checked record')} have no ${column}; at most ${percent(most)} expected`,
        ]
      : []
  })
  const unknown = Object.entries(unknownWords).flatMap(([column, words]) => {
    const rows = Object.values(words).reduce((sum, each) => sum + each, 0)
    return unknownShareMax !== undefined && isTooMany(rows, unknownShareMax)
      ? [
          `${grouped(rows)} of ${counted(usable, 'checked record')} have a ${column} that is not known; at most ${percent(unknownShareMax)} expected`,
        ]
      : []
  })
  return [...empty, ...unknown]
}

const isOrAre = (number: number): string => (number === 1 ? 'is' : 'are')

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

/**
 * Files of a register as its publishers send them, side by side in one file: each lane has parts and records of its own, so that
 * what becomes of one lane tells nothing of another.
 */
import type { Draw } from '../../../../support/draw.ts'
import type { DrawnFile, RegisterKind } from './kind.ts'

export interface RowPlace {
  readonly lane: number
  /** Of the register, from 1. */
  readonly n: number
  readonly column: string
}
export interface Table extends Pick<RegisterKind, 'lanes' | 'nameColumns'> {
  readonly recordsOfLane: number
  drawHeader(draw: Draw): readonly string[]
  drawCell(draw: Draw, place: RowPlace, header: readonly string[]): string
}

export function drawFile(table: Table, draw: Draw): DrawnFile {
  const header = table.drawHeader(draw)
  // Now and then of one lane alone, else of some or of nearly all.
  const one = draw.below(table.lanes)
  const many = draw.of([1, 2, 6, 6]) ?? 1
  const lanes = Array.from({ length: table.lanes }, (_, lane) => lane)
  const drawn = lanes.filter((lane) => (many === 1 ? lane === one : !draw.oneIn(many)))
  const chosen = drawn.length === 0 ? [one] : drawn
  return { lanes: chosen, text: textOf([header, ...chosen.flatMap((lane) => drawRows(table, draw, lane, header))]) }
}

function drawRows(table: Table, draw: Draw, lane: number, header: readonly string[]): string[][] {
  const { recordsOfLane, nameColumns } = table
  const isHalf = draw.oneIn(6)
  const all = Array.from({ length: recordsOfLane }, (_, at) => lane * recordsOfLane + at + 1)
  const some = all.filter(() => !draw.oneIn(isHalf ? 2 : 7))
  const rows = (some.length === 0 ? all.slice(0, 1) : some).map((n) =>
    header.map((column) => table.drawCell(draw, { lane, n, column }, header)),
  )
  const twice = draw.oneIn(10) ? draw.of(rows) : undefined
  return twice
    ? [...rows, twice.map((cell, at) => (nameColumns.includes(header[at] ?? '') ? 'TWICE LIMITED' : cell))]
    : rows
}

/** Some of the columns, each two times of three. */
export const someOf = (draw: Draw, columns: readonly string[]): string[] => columns.filter(() => !draw.oneIn(3))

const quoted = (cell: string) => (/[,"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
export const textOf = (table: readonly (readonly string[])[]): string =>
  `${table.map((cells) => cells.map(quoted).join(',')).join('\n')}\n`

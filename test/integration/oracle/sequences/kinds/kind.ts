/** A register that sequences are told of: its source, the files that its publishers send, and how an operator fixes a reject. */
import type { Source } from '../../../../../config/sources/source.ts'
import type { Draw } from '../../../../support/draw.ts'

export interface DrawnFile {
  readonly lanes: readonly number[]
  readonly text: string
}

export interface RegisterKind {
  readonly name: string
  readonly source: Source
  /** Sets of records in parts of their own: a run is a step in the sequence of each that its file names. */
  readonly lanes: number
  drawFile(draw: Draw): DrawnFile
  /** Columns of files that hold the names of records. */
  readonly nameColumns: readonly string[]
  /** Whether a file of this header may be without the column. */
  mayLack(column: string, header: readonly string[]): boolean
  /** A cell of a reject as an operator corrects it; `row` is its place among the rejects. */
  fixed(column: string, cell: string, row: number): string
}

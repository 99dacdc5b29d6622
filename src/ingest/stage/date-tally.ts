/** Counts the cells of date columns that do not begin with the year, by their text, since dates repeat. */

const dash = 45
/** Days of 270 years; a column with more does not contain dates, and its counts would grow with the file. */
const charactersMax = 1_000_000

/** Field, cell and number of occurrences. */
export interface TalliedDates {
  readonly fields: readonly string[]
  readonly cells: readonly string[]
  readonly counts: readonly number[]
}

export class DateTally {
  readonly columns: readonly number[]
  readonly #fields: readonly string[]
  readonly #counts: Map<string, number>[]
  #characters = 0

  /** @param columns field → its column, from 1. */
  constructor(columns: ReadonlyMap<string, number>) {
    this.#fields = [...columns.keys()]
    this.columns = [...columns.values()].map((position) => position - 1)
    this.#counts = this.columns.map(() => new Map())
  }

  static beginsWithYear(bytes: Buffer, from: number, to: number): boolean {
    return to - from >= 10 && bytes[from + 4] === dash && bytes[from + 7] === dash
  }

  /** @param index of the date column, among `columns`. */
  note(index: number, cell: string): void {
    const counts = this.#counts[index]
    if (!counts || this.#characters > charactersMax) return
    const before = counts.get(cell)
    if (before === undefined) this.#characters += cell.length + 1
    counts.set(cell, (before ?? 0) + 1)
  }

  /** @returns undefined if there were too many to count. */
  end(): TalliedDates | undefined {
    if (this.#characters > charactersMax) return undefined
    const all = this.#counts.flatMap((counts, index) =>
      [...counts].map(([cell, count]) => ({ field: this.#fields[index] ?? '', cell, count })),
    )
    return {
      fields: all.map(({ field }) => field),
      cells: all.map(({ cell }) => cell),
      counts: all.map(({ count }) => count),
    }
  }
}

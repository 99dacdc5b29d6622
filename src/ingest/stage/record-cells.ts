/** Positions of the cells of a record that COPY reads unchanged: RFC 4180, as let through by the scanner. */
import { columnsMax } from '../../../config/input-bounds.ts'

const quote = 34
const comma = 44

export class RecordCells {
  /** Per cell, without its quotes. */
  readonly from = new Int32Array(columnsMax)
  readonly to = new Int32Array(columnsMax)
  readonly #quoted = new Uint8Array(columnsMax)
  #bytes: Buffer = Buffer.alloc(0)

  /** @param stop where the line end begins. */
  read(bytes: Buffer, start: number, stop: number): void {
    this.#bytes = bytes
    let at = start
    for (let column = 0; ; column++) {
      const isQuoted = at < stop && bytes[at] === quote
      this.#quoted[column] = isQuoted ? 1 : 0
      const from = isQuoted ? at + 1 : at
      let end = from
      if (isQuoted) end = this.#closing(from, column)
      else while (end < stop && bytes[end] !== comma) end++
      this.from[column] = from
      this.to[column] = end
      at = end + (isQuoted ? 2 : 1)
      if (at > stop) return
    }
  }

  #closing(from: number, column: number): number {
    let end = this.#bytes.indexOf(quote, from)
    while (this.#bytes[end + 1] === quote) {
      this.#quoted[column] = 2
      end = this.#bytes.indexOf(quote, end + 2)
    }
    return end
  }

  /** An empty cell is NULL unless it is quoted. */
  isNull(column: number): boolean {
    return this.from[column] === this.to[column] && this.#quoted[column] === 0
  }

  /** Whether the cell's bytes differ from its value: they contain a doubled quote. */
  isDoubled(column: number): boolean {
    return this.#quoted[column] === 2
  }

  text(column: number): string {
    const text = this.#bytes.toString('utf8', this.from[column], this.to[column])
    return this.isDoubled(column) ? text.replaceAll('""', '"') : text
  }
}

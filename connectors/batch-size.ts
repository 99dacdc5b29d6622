/**
 * How many rows per write the custom code in a customer's CRM can handle: a trigger that is not bulkified queries the
 * database once per row and hits a governor limit. Nothing is written then, so the rows are sent again in halves,
 * down to one. The size that worked is remembered by the session, and by the engine for later ones.
 */
export class BatchSize {
  #size: number
  #refused = false
  #good = 0

  /** @param size what is known of it, or what fills a call. */
  constructor(size: number) {
    this.#size = size
  }

  /** Most rows of one write. */
  get rows(): number {
    return this.#size
  }

  /** The current number of rows was too many. */
  refused(): void {
    this.#refused = true
  }

  accepted(rows: number): void {
    this.#good = Math.max(this.#good, rows)
  }

  /** Called after a write and all its halves. Rows that are refused even alone say nothing about the others. */
  settle(): void {
    if (this.#refused && this.#good > 0) this.#size = Math.min(this.#size, this.#good)
    this.#refused = false
    this.#good = 0
  }
}

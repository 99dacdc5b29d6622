/**
 * How many rows of one write the code in a customer's CRM bears: a trigger that is not made for many asks the database once for
 * each, and is stopped by a limit of the vendor's. Nothing is written then, so the rows go again in halves, down to one. What
 * went well is remembered: by the session, and for the next ones by the engine.
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

  /** So many at once were too many. */
  refused(): void {
    this.#refused = true
  }

  accepted(rows: number): void {
    this.#good = Math.max(this.#good, rows)
  }

  /** After a write and all its halves: rows that are refused even alone say nothing of the others. */
  settle(): void {
    if (this.#refused && this.#good > 0) this.#size = Math.min(this.#size, this.#good)
    this.#refused = false
    this.#good = 0
  }
}

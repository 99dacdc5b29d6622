/** Conditions of a WHERE clause that grow with the parameters present; values are bound, the SQL is the caller's constant. */

export class Conditions {
  readonly values: unknown[] = []
  readonly #parts: string[] = ['r.closed_on IS NULL']

  /** Adds nothing for an absent value; `sql` receives the placeholder of a present one. */
  add(value: unknown, sql: (placeholder: string) => string): this {
    if (value !== undefined) this.#parts.push(`(${sql(this.bind(value))})`)
    return this
  }

  /** Of every record that is found, whatever is asked for. */
  require(sql: string): this {
    this.#parts.push(sql)
    return this
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  get sql(): string {
    return this.#parts.join(' AND ')
  }

  /** Names the filtered set, for cached totals. */
  get fingerprint(): string {
    return JSON.stringify([this.sql, this.values])
  }
}

/** Conditions of a WHERE clause that grow with the parameters present; values are bound, the SQL is the caller's constant. */

import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { countedColumns, countedRows, sumOfCounts } from '../counts/counted-records.ts'
import { registerTables } from '../register-table.ts'

export class Conditions {
  readonly values: unknown[] = []
  readonly #always: string[] = ['r.closed_on IS NULL']
  readonly #asked: string[] = []
  readonly #columns: (string | undefined)[] = []

  /**
   * Adds nothing for an absent value; `sql` receives the placeholder of a present one.
   * @param column the only one that the condition asks.
   */
  add(value: unknown, sql: (placeholder: string) => string, column?: string): this {
    if (value === undefined) return this
    this.#asked.push(`(${sql(this.bind(value))})`)
    this.#columns.push(column)
    return this
  }

  /** Of every record that may be shown, whatever is asked for. */
  require(sql: string): this {
    this.#always.push(sql)
    return this
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  get sql(): string {
    return [...this.#always, ...this.#asked].join(' AND ')
  }

  /** How many records are found: from the counts of the register where these tell, or else from its rows. */
  countSql(entity: EntityType): string {
    const asked = this.#columns.flatMap((column) => column ?? [])
    const columns = asked.length < this.#columns.length ? undefined : countedColumns(entity, asked)
    if (!columns || columns.has('period'))
      return sql`SELECT count(*) AS total FROM ${registerTables[entity].table} r WHERE ${this.sql}`
    const rows = countedRows(entity, columns, [], (value) => this.bind(value))
    return sumOfCounts(entity, rows, this.#asked.join(' AND ') || 'true')
  }

  /** Names the filtered set, for cached totals. */
  get fingerprint(): string {
    return JSON.stringify([this.sql, this.values])
  }
}

/** Builds a WHERE clause from the parameters present; values are bound, the SQL is constant text of the caller. */

import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { countedColumns, countedRows, sumOfCounts } from '../counts/counted-records.ts'
import { registerTables } from '../register-table.ts'

export class Conditions {
  readonly values: unknown[] = []
  readonly #always: string[] = ['r.closed_on IS NULL']
  readonly #requested: string[] = []
  readonly #columns: (string | undefined)[] = []

  /**
   * Adds nothing for an absent value; `sql` receives the placeholder of a present one.
   * @param column set if the condition depends on this column only.
   */
  add(value: unknown, sql: (placeholder: string) => string, column?: string): this {
    if (value === undefined) return this
    this.#requested.push(`(${sql(this.bind(value))})`)
    this.#columns.push(column)
    return this
  }

  /** A condition on all records, whatever the filter. */
  require(sql: string): this {
    this.#always.push(sql)
    return this
  }

  bind(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  get sql(): string {
    return [...this.#always, ...this.#requested].join(' AND ')
  }

  /** The number of matching records: from the register's counts if they can answer, else from its rows. */
  countSql(entity: EntityType): string {
    const requested = this.#columns.flatMap((column) => column ?? [])
    const columns = requested.length < this.#columns.length ? undefined : countedColumns(entity, requested)
    if (!columns || columns.has('period'))
      return sql`SELECT count(*) AS total FROM ${registerTables[entity].table} r WHERE ${this.sql}`
    const rows = countedRows(entity, columns, [], (value) => this.bind(value))
    return sumOfCounts(entity, rows, this.#requested.join(' AND ') || 'true')
  }

  /** Identifies the filtered set, for cached totals. */
  get fingerprint(): string {
    return JSON.stringify([this.sql, this.values])
  }
}

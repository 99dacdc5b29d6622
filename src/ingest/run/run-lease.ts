/**
 * A lease on one run: the attempt number is its fencing token. Whatever an attempt writes, it writes while the run
 * row still carries its number, so that an attempt that was taken for dead and wakes up writes nothing.
 */
import type { Db, Queryable, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'

export class RunLease {
  readonly runId: number
  readonly attempt: number
  readonly #db: Db

  constructor(db: Db, runId: number, attempt: number) {
    this.#db = db
    this.runId = runId
    this.attempt = attempt
  }

  /** Name of the run's connections, by which a later attempt finds and ends those of an earlier one. */
  get applicationName(): string {
    return `panji-ingest-${this.runId}-${this.attempt}`
  }

  /** Locks the run row for the transaction, under the run's name. @throws AppError LEASE_LOST when another attempt has taken the run over. */
  async hold(tx: Queryable): Promise<void> {
    const held = await tx.query(
      `SELECT set_config('application_name', $3, true) FROM ingest.run WHERE run_id = $1 AND attempt = $2 FOR UPDATE`,
      [this.runId, this.attempt, this.applicationName],
    )
    if (held.length === 0) throw leaseLost(this.runId)
  }

  fenced<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (tx) => {
      await this.hold(tx)
      return work(tx)
    })
  }

  /** Sets columns of the run row; `columns` are names from this code, values are bound. */
  async update(target: Queryable, values: Readonly<Record<string, unknown>>): Promise<void> {
    const columns = Object.keys(values)
    const assignments = columns.map((column, index) => `${column} = $${index + 3}`).join(', ')
    const bound = columns.map((column) => {
      const value = values[column]
      return isJson(value) ? JSON.stringify(value) : value
    })
    const touched = await target.execute(`UPDATE ingest.run SET ${assignments} WHERE run_id = $1 AND attempt = $2`, [
      this.runId,
      this.attempt,
      ...bound,
    ])
    if (touched === 0) throw leaseLost(this.runId)
  }
}

const isJson = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

function leaseLost(runId: number): AppError {
  return new AppError('LEASE_LOST', `Run ${runId} was taken over by another attempt; this one wrote nothing more.`)
}

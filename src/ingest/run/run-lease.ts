/**
 * A lease on one run: the attempt number is its fencing token. An attempt writes only while the run's row still has its
 * number, so that an attempt that was considered dead and returns writes nothing.
 */

import { type Connection, type Db, type Queryable, type Tx, transactOn } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import type { RunProgress, RunRecord } from './runs.ts'
import { type RunStatus, statusesBefore } from './transitions.ts'

/** Columns of a run's row that its attempt writes. */
export interface RunChange {
  readonly status?: RunStatus
  readonly sha256?: string
  readonly bytes?: number
  /** By which the input's server identifies its version. */
  readonly validators?: object | null
  readonly header?: readonly string[]
  readonly column_map?: Readonly<Record<string, string>>
  readonly covered?: readonly string[]
  readonly scopes?: readonly string[]
  readonly turn?: number
  readonly as_of?: string
  readonly undoes?: readonly number[]
  readonly approved_at?: null
  readonly decision?: null
  readonly rows_read?: number
  readonly inserted?: number
  readonly updated?: number
  readonly unchanged?: number
  readonly closed?: number
  readonly skipped?: number
  readonly rejected?: number
  readonly progress?: RunProgress
  readonly report?: object
  readonly preview?: object
  readonly error?: NonNullable<RunRecord['error']>
  readonly finished_at?: Date
  readonly seconds?: number
}

export class RunLease {
  readonly runId: number
  readonly attempt: number
  readonly #db: Db
  #source: Connection | undefined

  constructor(db: Db, runId: number, attempt: number) {
    this.#db = db
    this.runId = runId
    this.attempt = attempt
  }

  /** Name of the run's connections, by which a later attempt finds and ends those of an earlier one. */
  get applicationName(): string {
    return `panji-ingest-${this.runId}-${this.attempt}`
  }

  /**
   * Locks the run's row for the transaction, under the run's name.
   * @throws AppError LEASE_LOST if another attempt has taken the run over.
   */
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

  /** @param source the connection that holds the source's lock for this attempt, from its first step to its last. */
  under(source: Connection): void {
    this.#source = source
  }

  /**
   * Fenced, and only while the connection that holds the source's lock is alive. It is checked within the transaction,
   * so that the server cannot have crashed in between: that would have emptied the unlogged tables of earlier steps.
   * @throws the error of the connection.
   */
  step<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.fenced(async (tx) => {
      await this.#source?.query('SELECT')
      return work(tx)
    })
  }

  /**
   * A transaction concurrent with that of a step, on the connection that holds the source's lock: while it is alive, no
   * other attempt is running. Only for writes to the run's own tables, since it commits even if the step fails.
   */
  async concurrently<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!this.#source) throw new Error(`no connection holds the source for run ${this.runId}`)
    // If it cannot roll back, its holder closes the connection.
    return transactOn(this.#source, 'BEGIN ISOLATION LEVEL READ COMMITTED', work, () => {})
  }

  /** @throws AppError LEASE_LOST; Error for an invalid transition of the run's status. */
  async update(target: Queryable, change: RunChange): Promise<void> {
    const values = Object.entries(change)
    const assignments = values.map(([column], index) => `${column} = $${index + 4}`).join(', ')
    const before = change.status === undefined ? null : statusesBefore(change.status)
    const touched = await target.execute(
      sql`UPDATE ingest.run SET ${assignments}
       WHERE run_id = $1 AND attempt = $2 AND ($3::text[] IS NULL OR status = ANY ($3::text[]))`,
      [this.runId, this.attempt, before, ...values.map(([, value]) => (isJson(value) ? JSON.stringify(value) : value))],
    )
    if (touched > 0) return
    await this.hold(target)
    throw new Error(`run ${this.runId} cannot become ${change.status} from its current status`)
  }
}

const isJson = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

function leaseLost(runId: number): AppError {
  return new AppError('LEASE_LOST', `Run ${runId} was taken over by another attempt; this one wrote nothing more.`)
}

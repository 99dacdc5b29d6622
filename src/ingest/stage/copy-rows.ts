/** Fills a table of a run's by COPY. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Connection } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { RunLease } from '../run/run-lease.ts'
import { type Column, makeWorkTable, type WorkTable } from '../run/work-tables.ts'

export interface CopiedRows {
  /** Of the file, for messages. */
  readonly name: string
  readonly columns: readonly string[]
  /** What COPY reads, and how: `csv` or `binary`. */
  readonly rows: AsyncIterable<Buffer>
  readonly format: string
  readonly signal: AbortSignal
  /** How many rows were sent, once all are. */
  sent(): number
}

/**
 * Rows that come with their table are frozen from the start: the steps that read them next need not look up, and write
 * down, that each was committed.
 */
export async function copyFrozen(
  connection: Connection,
  lease: RunLease,
  { kind, types }: { readonly kind: WorkTable; readonly types: readonly Column[] },
  copied: CopiedRows,
): Promise<string> {
  await connection.execute('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    const table = await makeWorkTable(connection, kind, lease.runId, types)
    await copyRows(connection, table, { ...copied, format: `${copied.format}, FREEZE` })
    await connection.execute('COMMIT')
    return table
  } catch (error) {
    // A connection that cannot roll back is closed by whoever holds it; the first error is the one to report.
    await connection.execute('ROLLBACK').catch(() => 0)
    throw error
  }
}

export async function copyRows(connection: Connection, table: string, copied: CopiedRows): Promise<void> {
  const { name, columns, rows, format, signal, sent } = copied
  const copy = connection.client.query(
    copyFrom(sql`COPY ${table} (${columns.join(', ')}) FROM STDIN WITH (FORMAT ${format})`),
  )
  await pipeline(Readable.from(rows, { objectMode: true, highWaterMark: 2 }), copy, { signal })
  // The server says how many rows it took. Were they fewer, the missing ones would pass for unchanged.
  if (copy.rowCount !== sent()) {
    throw new Error(`${name}: the database took ${copy.rowCount} of ${sent()} records; nothing was applied`)
  }
}

/** Fills a work table by COPY. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Connection } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { RunLease } from '../run/run-lease.ts'
import { type Column, makeWorkTable, type WorkTable } from '../run/work-tables.ts'

export interface CopiedRows {
  /** The file's name, for messages. */
  readonly name: string
  readonly columns: readonly string[]
  /** What COPY reads, and its format: `csv` or `binary`. */
  readonly rows: AsyncIterable<Buffer>
  readonly format: string
  readonly signal: AbortSignal
  /** How many rows were sent, once all are. */
  sent(): number
}

/**
 * Rows copied in the transaction that creates their table are frozen from the start: the next steps need not look up
 * and mark that each was committed.
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
    // A connection that cannot roll back is closed by its holder; the first error is the one to report.
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
  // The server reports how many rows it received. If it were fewer, the missing ones would count as unchanged.
  if (copy.rowCount !== sent()) {
    throw new Error(`${name}: the database took ${copy.rowCount} of ${sent()} records; nothing was applied`)
  }
}

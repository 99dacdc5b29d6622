/**
 * The work tables of a run, `ingest.<kind>_<run>`. They belong to the database's owner, whose functions create and drop
 * them; the worker fills them.
 */
import type { Queryable, Tx } from '../../db/db.ts'
import { identifier, sql } from '../../db/sql.ts'

export type WorkTable = 'contents' | 'stage' | 'lines' | 'unmatched' | 'checked'

export interface Column {
  readonly name: string
  readonly type: string
}

export const workTableOf = (kind: WorkTable, runId: number): string => `ingest.${kind}_${runId}`

export async function makeWorkTable(
  db: Queryable,
  kind: WorkTable,
  runId: number,
  columns: readonly Column[],
): Promise<string> {
  const given = [columns.map(({ name }) => name), columns.map(({ type }) => type)]
  await db.query('SELECT ingest.make_work_table($1, $2, $3, $4)', [kind, runId, ...given])
  return workTableOf(kind, runId)
}

interface Filled {
  readonly table: string
  readonly columns: readonly Column[]
}

/** An empty work table with the columns of a query, replacing that of an earlier attempt. */
export async function makeWorkTableFor(tx: Tx, kind: WorkTable, runId: number, query: string): Promise<Filled> {
  await dropWorkTables(tx, runId, [kind])
  const { fields } = await tx.client.query(sql`SELECT * FROM (${query}) AS found LIMIT 0`)
  const columns = await tx.query<Column>(
    `SELECT name, format_type(type, NULL) AS type
     FROM unnest($1::text[], $2::oid[]) WITH ORDINALITY AS field(name, type, place) ORDER BY place`,
    [fields.map(({ name }) => name), fields.map(({ dataTypeID }) => dataTypeID)],
  )
  return { table: await makeWorkTable(tx, kind, runId, columns), columns }
}

/**
 * Stores the result of a query in a work table. The query is planned to run in parallel; its result should be small.
 */
export async function keepAsWorkTable(tx: Tx, kind: WorkTable, runId: number, query: string): Promise<string> {
  const { table, columns } = await makeWorkTableFor(tx, kind, runId, query)
  const declared = columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')
  await tx.execute(sql`INSERT INTO ${table} SELECT * FROM ingest.rows_of($1) AS found (${declared})`, [query])
  return table
}

export async function dropWorkTables(db: Queryable, runId: number, kinds: readonly WorkTable[]): Promise<void> {
  await db.query('SELECT ingest.drop_work_tables($1, $2)', [runId, kinds])
}

/** @param columns default: all. */
export async function gatherStatistics(db: Queryable, table: string, columns?: readonly string[]): Promise<void> {
  await db.query('SELECT ingest.gather_statistics($1, $2)', [table, columns ?? null])
}

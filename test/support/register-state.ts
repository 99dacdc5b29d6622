/**
 * Records, history and partitions of a source's register, and its records as of a day, in the form of
 * `test/oracle/register.ts`.
 */
import type { Source } from '../../config/sources/source.ts'
import type { Queryable } from '../../src/db/db.ts'
import { changesOf } from '../../src/db/history-with-inserts.ts'
import { sql } from '../../src/db/sql.ts'
import { rowsAsOf } from '../../src/registry/history/undo.ts'

type Row = Readonly<Record<string, unknown>>
export interface RegisterState {
  readonly records: unknown[]
  readonly history: unknown[]
  readonly parts: unknown[]
}
type Of = Pick<Source, 'name' | 'entity' | 'table' | 'key' | 'impliesInserts'>

const closedOn = 'closed_on'

/** @param columns the ones to compare; whether and when a record was closed always is. */
export async function registerState(db: Queryable, source: Of, columns: readonly string[]): Promise<RegisterState> {
  const compared = new Set([...columns, closedOn])
  const [state] = await db.query<{ records: Row[]; history: Row[]; parts: Row[] }>(
    sql`SELECT
      (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.${source.key} COLLATE "C"), '[]') FROM ${source.table} r) AS records,
      (SELECT coalesce(jsonb_agg(to_jsonb(c) ORDER BY c.identifier COLLATE "C", c.change_id), '[]')
       FROM ${changesOf(source)} c) AS history,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('part', scope, 'run', run_id, 'day', as_of) ORDER BY scope COLLATE "C"), '[]')
       FROM ingest.scope WHERE source = $1) AS parts`,
    [source.name],
  )
  const cellsOf = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => compared.has(name)))
  const some = (row: unknown) => (row === null ? null : cellsOf(row as Row))
  return {
    records: (state?.records ?? []).map((row) => ({
      ...{ id: row[source.key], day: row['as_of'], firstRun: row['first_run_id'], lastRun: row['last_run_id'] },
      cells: cellsOf(row),
    })),
    history: (state?.history ?? []).map((row) => ({
      ...{ id: row['identifier'], run: row['run_id'], kind: row['kind'], day: row['as_of'] },
      ...{ before: some(row['before']), after: some(row['after']) },
    })),
    parts: state?.parts ?? [],
  }
}

/** The records that the register held on a day, open and closed. */
export async function recordsAsOf(
  db: Queryable,
  source: Of,
  columns: readonly string[],
  day: string,
): Promise<unknown[]> {
  const compared = new Set([...columns, closedOn])
  const past = rowsAsOf(source, '$1::text IS NOT NULL')
  const rows = await db.query<{ row: Row }>(
    sql`SELECT to_jsonb(r) AS row FROM ${past} r ORDER BY r.${source.key} COLLATE "C"`,
    ['any', day],
  )
  return rows.map(({ row }) => ({
    id: row[source.key],
    cells: Object.fromEntries(Object.entries(row).filter(([name]) => compared.has(name))),
  }))
}

/**
 * SQL for the complete history of a register: the changes stored, plus the inserts of a first load, which are not
 * stored but derived from the records themselves until they change (docs/decisions/21-history-keeps-what-changed.md).
 */
import { literal, sql } from './sql.ts'

export interface HistoriedRegister {
  /** Name in ingest.change. */
  readonly entity: string
  readonly table: string
  readonly key: string
  /** Whether the inserts of a first load are derived from the records. */
  readonly impliesInserts?: boolean
}

/**
 * A subquery with the columns of ingest.change, into which conditions on the identifier are pushed down.
 * @param ofRun `= $1` or another comparison that selects runs: registers are then read for first loads only.
 */
export const changesOf = ({ entity, table, key, impliesInserts }: HistoriedRegister, ofRun?: string): string => {
  const changes = sql`SELECT change_id, entity, identifier, run_id, kind, as_of, before, after, changed_at, record_no
    FROM ingest.change WHERE entity = ${literal(entity)}${ofRun === undefined ? '' : sql` AND run_id ${ofRun}`}`
  if (!impliesInserts) return sql`(${changes})`
  const isFirstLoad =
    ofRun === undefined
      ? ''
      : sql` AND t.first_run_id ${ofRun} AND EXISTS (SELECT FROM ingest.run WHERE run_id ${ofRun} AND inserted_at IS NOT NULL)`
  return sql`(${changes}
    UNION ALL
    SELECT t.insert_change_id, ${literal(entity)}, t.${key}, t.first_run_id, 'insert', t.as_of, NULL::jsonb, NULL::jsonb,
           (SELECT run.inserted_at FROM ingest.run WHERE run.run_id = t.first_run_id), t.insert_record_no::bigint
    FROM ${table} t WHERE t.insert_change_id IS NOT NULL${isFirstLoad})`
}

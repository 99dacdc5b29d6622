/** Statements that fill a table without indexes, which then replaces the register: see ../shadow-table.ts. */

import { literal, sql } from '../../../db/sql.ts'
import type { MergeTarget } from './target.ts'

export interface FirstLoadStatements {
  readonly rows: (into: string) => string
  /** Undefined if each record's insert is derived from the record. */
  readonly history: string | undefined
}

export function firstLoadStatements({
  source,
  checked,
  written,
  search,
  all,
  usable,
}: MergeTarget): FirstLoadStatements {
  const { key, impliesInserts } = source
  const values = [...written.map((name) => `c.${name}`), ...(search ? [`c.${search.name}`] : []), 'c.fingerprint']
  const insertColumns = impliesInserts
    ? {
        columns: ', insert_change_id, insert_record_no',
        values: `, nextval('ingest.change_change_id_seq'), c.ordinal::integer`,
      }
    : { columns: '', values: '' }
  return {
    rows: (into) => sql`
INSERT INTO ${into} (${all.join(', ')}${insertColumns.columns})
SELECT ${values.join(', ')}, $1::bigint, $1::bigint, $2::date${insertColumns.values} FROM ${checked} c WHERE ${usable}`,
    history: impliesInserts
      ? undefined
      : sql`
INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no)
SELECT ${literal(source.entity)}, c.${key}, $1::bigint, 'insert', $2::date, c.ordinal FROM ${checked} c WHERE ${usable} ORDER BY 2`,
  }
}

/** Statements that fill a table without indexes, which takes the register's place: see ../shadow-table.ts. */

import { literal, sql } from '../../../db/sql.ts'
import type { MergeTarget } from './target.ts'

export interface FirstLoadStatements {
  readonly rows: (into: string) => string
  readonly history: string
}

export function firstLoadStatements({
  source,
  checked,
  written,
  search,
  all,
  usable,
}: MergeTarget): FirstLoadStatements {
  const { key } = source
  const values = [...written.map((name) => `c.${name}`), ...(search ? [`c.${search.name}`] : []), 'c.fingerprint']
  return {
    rows: (into) => sql`
INSERT INTO ${into} (${all.join(', ')})
SELECT ${values.join(', ')}, $1::bigint, $1::bigint, $2::date FROM ${checked} c WHERE ${usable}`,
    history: sql`
INSERT INTO ingest.change (entity, identifier, run_id, kind, as_of, record_no)
SELECT ${literal(source.entity)}, c.${key}, $1::bigint, 'insert', $2::date, c.ordinal FROM ${checked} c WHERE ${usable} ORDER BY 2`,
  }
}

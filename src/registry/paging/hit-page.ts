/**
 * One page of hits ordered by identifier, read in one of two ways, because neither is fast for every query.
 *
 * An index scan in the order of identifiers stops as soon as the page is full: best for broad queries. But identifiers
 * contain state and industry, so the hits of a condition on these may all be at the end, and the planner would scan
 * millions of rows to reach them. So an index scan starts at the first hits of a state, is limited in rows, and is
 * tried only if the total suggests a full page within the limit. A page that it does not fill is read the other way:
 * all hits by the condition's best index, then sorted. That costs about as much as the count.
 */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Hits, hitColumns } from '../hits.ts'
import { registerTables } from '../register-table.ts'
import type { StateStart } from './state-start.ts'

/** Row limit of an index scan: about ten milliseconds. */
export const walkRowsMax = 20_000
/**
 * Hits are unevenly distributed: an index scan is tried if its limit would cover this many pages of evenly distributed
 * hits.
 */
const margin = 2

export interface WantedHits<T extends keyof Hits> {
  readonly type: T
  /** The condition over the row alias `r`, and its values. */
  readonly read: { readonly condition: string; readonly values: readonly unknown[] }
  /** The identifier that the page follows; if undefined, `offset` counts from the first hit. */
  readonly after: string | undefined
  readonly offset: number
  readonly limit: number
  readonly total: number
  /** Approximate rows of the register. */
  readonly registerRows: number
  /** Set if the condition only matches records of one state. */
  readonly start?: StateStart | undefined
}

export async function readHits<T extends keyof Hits>(tx: Queryable, wanted: WantedHits<T>): Promise<Hits[T][]> {
  const rows = wanted.offset + wanted.limit
  const { start, after } = wanted
  const among = start?.rows ?? wanted.registerRows
  const expected = (wanted.total / Math.max(among, 1)) * walkRowsMax
  if (expected >= margin * rows) {
    const isBefore = start !== undefined && (after === undefined || after < start.from)
    const walked = await tx.query<Hits[T]>(...(isBefore ? fromStart(wanted, start) : statement(wanted, indexScan)))
    if (walked.length === wanted.limit) return walked
  }
  return tx.query<Hits[T]>(...statement(wanted, collect))
}

interface Parts {
  readonly table: string
  readonly key: string
  readonly columns: string
  /** Conditions that every row of the index scan meets. */
  readonly open: string
  readonly condition: string
}

/** LIMIT in the inner SELECT keeps the condition out of the index scan, so that the limit counts rows, not hits. */
const indexScan = ({ table, key, columns, open, condition }: Parts): string =>
  sql`SELECT ${columns} FROM (SELECT * FROM ${table} r WHERE ${open} ORDER BY ${key} LIMIT ${walkRowsMax}) AS r
   WHERE ${condition} ORDER BY ${key}`

/** The same from the start of a state, after its records that are before it. */
function fromStart<T extends keyof Hits>(wanted: WantedHits<T>, { from, astray }: StateStart): [string, unknown[]] {
  const values = [...wanted.read.values, from, astray]
  const [first, named] = [`$${values.length - 1}`, `$${values.length}`]
  return statement({ ...wanted, read: { ...wanted.read, values } }, ({ table, key, columns, open, condition }) => {
    const early = sql`SELECT * FROM ${table} r WHERE ${open} AND ${key} = ANY (${named}::text[]) ORDER BY ${key}`
    const later = sql`SELECT * FROM ${table} r WHERE ${open} AND ${key} >= ${first} ORDER BY ${key} LIMIT ${walkRowsMax}`
    return sql`SELECT ${columns} FROM ((${early}) UNION ALL (${later})) AS r WHERE ${condition} ORDER BY ${key}`
  })
}

/** With OFFSET 0 the inner SELECT is planned for all its rows, like the count. */
const collect = ({ table, key, columns, open, condition }: Parts): string =>
  sql`SELECT ${columns} FROM (SELECT * FROM ${table} r WHERE ${open} AND ${condition} OFFSET 0) AS r ORDER BY ${key}`

function statement<T extends keyof Hits>(
  { type, read, after, offset, limit }: WantedHits<T>,
  shape: (parts: Parts) => string,
): [string, unknown[]] {
  const { table, key } = registerTables[type]
  const next = read.values.length + 1
  const open = sql`r.closed_on IS NULL${after === undefined ? '' : sql` AND ${key} > $${next + 2}`}`
  const rows = shape({ table, key, columns: hitColumns[type], open, condition: read.condition })
  const values = [...read.values, offset, limit, ...(after === undefined ? [] : [after])]
  return [sql`${rows} OFFSET $${next} LIMIT $${next + 1}`, values]
}

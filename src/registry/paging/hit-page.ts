/**
 * One page of hits in the order of their identifier, read in one of two ways, because neither is fast for every query.
 *
 * An index scan along the identifiers stops as soon as the page is full: best for broad queries. But identifiers hold state
 * and industry, so the hits of a condition on these may all lie at the end; left to itself the planner walks millions of rows
 * to them. So an index scan begins where the hits of a state do, has a bound, is tried only where the total promises a full page
 * within it, and a page that it does not fill is read the other way: all hits by the best index of the condition, then sorted. That costs
 * about what the count costs.
 */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Hits, hitColumns } from '../hits.ts'
import { registerTables } from '../register-table.ts'
import type { StateStart } from './state-start.ts'

/** Rows that an index scan reads at most: some ten milliseconds' worth. */
export const walkRowsMax = 20_000
/** Hits lie unevenly: an index scan is tried where its bound would hold this many pages if they lay evenly. */
const margin = 2

export interface WantedHits<T extends keyof Hits> {
  readonly type: T
  /** The condition over the row alias `r`, and its values. */
  readonly read: { readonly condition: string; readonly values: readonly unknown[] }
  /** The identifier that the page follows; undefined: `offset` counts from the first hit. */
  readonly after: string | undefined
  readonly offset: number
  readonly limit: number
  /** Hits in all. */
  readonly total: number
  /** Rows of the register, about. */
  readonly registerRows: number
  /** Of the one state whose records alone satisfy the condition, where there is one. */
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
  /** Conditions that every row of the index scan satisfies. */
  readonly open: string
  readonly condition: string
}

/** LIMIT in the inner SELECT keeps the condition out of the index scan, so that its bound counts rows and not hits. */
const indexScan = ({ table, key, columns, open, condition }: Parts): string =>
  sql`SELECT ${columns} FROM (SELECT * FROM ${table} r WHERE ${open} ORDER BY ${key} LIMIT ${walkRowsMax}) AS r
   WHERE ${condition} ORDER BY ${key}`

/** The same from the start of a state, behind the records of it that lie before. */
function fromStart<T extends keyof Hits>(wanted: WantedHits<T>, { from, astray }: StateStart): [string, unknown[]] {
  const values = [...wanted.read.values, from, astray]
  const [first, named] = [`$${values.length - 1}`, `$${values.length}`]
  return statement({ ...wanted, read: { ...wanted.read, values } }, ({ table, key, columns, open, condition }) => {
    const early = sql`SELECT * FROM ${table} r WHERE ${open} AND ${key} = ANY (${named}::text[]) ORDER BY ${key}`
    const later = sql`SELECT * FROM ${table} r WHERE ${open} AND ${key} >= ${first} ORDER BY ${key} LIMIT ${walkRowsMax}`
    return sql`SELECT ${columns} FROM ((${early}) UNION ALL (${later})) AS r WHERE ${condition} ORDER BY ${key}`
  })
}

/** OFFSET 0 lets the inner SELECT be planned for all its rows, as the count is. */
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

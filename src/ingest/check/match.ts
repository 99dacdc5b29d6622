/**
 * Determines which rows of a file are identical, cell by cell, to those that the register was last written from. They
 * need no check and no merge, so that a refresh costs only what changed. Other rows go into the table
 * `ingest.unmatched_<run>`, with the open records that no row of the file matches.
 */

import type { Source } from '../../../config/sources/source.ts'
import type { Queryable, Tx } from '../../db/db.ts'
import { rowEstimate } from '../../db/row-estimate.ts'
import { literal, sql } from '../../db/sql.ts'
import { expectManyRows } from '../run/many-rows.ts'
import type { RunLease } from '../run/run-lease.ts'
import { gatherStatistics, keepAsWorkTable } from '../run/work-tables.ts'

export interface Matched {
  /** `ordinal`: a row to check. `record_key`: an open record without a row, with its `scope_name` and `as_of`. */
  readonly unmatchedTable: string
  readonly rows: number
  /**
   * Per partition: open records, and how many of them are matched by a row of the file but not named by a checked row.
   */
  readonly scopes: readonly { readonly scope: string; readonly open: number; readonly matched: number }[]
  /** The register's version when it was compared; the comparison is invalid for any other. */
  readonly version: number
}

/** Below this share of the register, reading all its fingerprints would cost more than checking the rows. */
const shareMin = 0.1

/** The rows of a file, staged or as contents: a table with their `ordinal`, and SQL over its row s. */
export interface FileRows {
  readonly table: string
  readonly fingerprint: string
}

/** Whether the register stores what its records were last written from. */
export const hasFingerprints = async (db: Queryable, source: Source): Promise<boolean> =>
  (await db.query(sql`SELECT FROM ${source.table} WHERE fingerprint IS NOT NULL LIMIT 1`)).length > 0

/** @returns undefined if there is nothing to compare with; then all rows are checked. */
export async function match(
  lease: RunLease,
  source: Source,
  file: FileRows,
  rows: number,
): Promise<Matched | undefined> {
  return lease.step(async (tx) => {
    if (!(await isWorthIt(tx, source, rows))) return undefined
    await tx.execute(sql`SET LOCAL application_name = ${literal(lease.applicationName)}`)
    await expectManyRows(tx)
    const unmatched = unmatchedRows(source, file)
    const unmatchedTable = await keepAsWorkTable(tx, 'unmatched', lease.runId, unmatched)
    await gatherStatistics(tx, unmatchedTable)
    const scopes = await countScopes(tx, source, unmatchedTable)
    const [counted] = await tx.query<{ unmatched: number; version: number }>(
      sql`SELECT count(ordinal) AS unmatched, coalesce((SELECT version FROM registry.version WHERE entity = $1), 0) AS version
       FROM ${unmatchedTable}`,
      [source.entity],
    )
    const matchedRecords = scopes.reduce((sum, scope) => sum + scope.matched, 0)
    if (rows - (counted?.unmatched ?? 0) !== matchedRecords) {
      await checkIdenticalRows(tx, file, unmatchedTable)
    }
    const [listed] = await tx.query<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${unmatchedTable}`)
    return { unmatchedTable, rows: listed?.rows ?? 0, scopes, version: counted?.version ?? 0 }
  })
}

/** Rows of a file that no record was last written from, and open records without such a row. */
export const unmatchedRows = (source: Source, { table, fingerprint }: FileRows): string =>
  sql`SELECT s.ordinal, t.record_key, t.scope_name, t.as_of
       FROM (SELECT s.ordinal, ${fingerprint} AS fingerprint FROM ${table} s) s
         FULL JOIN (SELECT ${source.key} AS record_key, ${scopeOf(source)} AS scope_name, as_of, fingerprint
                    FROM ${source.table} t WHERE closed_on IS NULL) t
              ON t.fingerprint = s.fingerprint
       WHERE s.ordinal IS NULL OR t.record_key IS NULL`

async function isWorthIt(tx: Tx, source: Source, rows: number): Promise<boolean> {
  return rows >= shareMin * (await rowEstimate(tx, source.table)) && (await hasFingerprints(tx, source))
}

const scopeOf = (source: Source): string => (source.scope ? sql`t.${source.scope}::text` : `'*'`)

async function countScopes(tx: Tx, source: Source, unmatchedTable: string): Promise<Matched['scopes']> {
  return tx.query(
    sql`SELECT scope, open.rows AS open, open.rows - coalesce(missing.rows, 0) AS matched
     FROM (SELECT coalesce(${scopeOf(source)}, '*') AS scope, count(*) AS rows
           FROM ${source.table} t WHERE closed_on IS NULL GROUP BY 1) open
       LEFT JOIN (SELECT coalesce(scope_name, '*') AS scope, count(*) AS rows
                  FROM ${unmatchedTable} WHERE record_key IS NOT NULL GROUP BY 1) missing USING (scope)`,
  )
}

/**
 * Identical rows all match the same record, but have to be checked, because all but one of them are rejects. Usually
 * there are two: the pass that finds them knows both; only for three or more is another pass over the file needed.
 */
async function checkIdenticalRows(tx: Tx, { table, fingerprint }: FileRows, unmatchedTable: string): Promise<void> {
  await tx.execute(
    sql`WITH repeated AS MATERIALIZED (
       SELECT ${fingerprint} AS fingerprint, count(*) AS rows, min(s.ordinal) AS first, max(s.ordinal) AS last
       FROM ${table} s GROUP BY 1 HAVING count(*) > 1
     )
     INSERT INTO ${unmatchedTable} (ordinal)
     SELECT each.ordinal
     FROM (SELECT ordinal FROM repeated CROSS JOIN LATERAL (VALUES (first), (last)) AS both_ends (ordinal) WHERE rows = 2
           UNION ALL
           SELECT s.ordinal FROM ${table} s JOIN repeated ON repeated.fingerprint = ${fingerprint} AND repeated.rows > 2) each
     WHERE NOT EXISTS (SELECT FROM ${unmatchedTable} u WHERE u.ordinal = each.ordinal)`,
  )
}

/** Temporary table of the matched rows whose record a checked row has, too: its `key`, and the row as `winner`. */
export const seenTwice = 'seen_twice'

export interface SeenTwice {
  /** Matched rows that have to be checked after all. */
  readonly ordinals: readonly number[]
  /** The comparison without their records: the check decides whether the file contains them, and in which partition. */
  readonly matched: Matched
}

/**
 * A checked row may have the key of a record that another row of the file matched. The last one wins. A matched row
 * that is the last needs no check; any other does, because it is a reject.
 * @returns undefined if there are none; else `seenTwice` is filled.
 */
export async function recordsSeenTwice(
  tx: Tx,
  source: Source,
  found: {
    readonly file: FileRows
    readonly matched: Matched
    readonly checkedTable: string
  },
): Promise<SeenTwice | undefined> {
  const { unmatchedTable, scopes } = found.matched
  // First those that are not among the unmatched records: mostly new ones, and few of all checked rows.
  const repeated = sql`
    FROM (SELECT c.${source.key} AS record_key, c.ordinal FROM ${found.checkedTable} c
          WHERE c.fault IS NULL AND NOT EXISTS (SELECT FROM ${unmatchedTable} u WHERE u.record_key = c.${source.key})
          OFFSET 0) other
      JOIN ${source.table} t ON t.${source.key} = other.record_key
    WHERE t.closed_on IS NULL AND t.fingerprint IS NOT NULL`
  // Counted, because EXISTS is planned for an early hit, and usually there is none.
  const [again] = await tx.query<{ rows: number }>(sql`SELECT count(*) AS rows ${repeated}`)
  if (!again || again.rows === 0) return undefined
  await tx.execute(
    sql`CREATE TEMPORARY TABLE ${seenTwice} ON COMMIT DROP AS
     SELECT record.key, record.scope, record.last_checked, s.ordinal AS winner
     FROM (SELECT other.record_key AS key, coalesce(${scopeOf(source)}, '*') AS scope, t.fingerprint,
                  max(other.ordinal) AS last_checked ${repeated} GROUP BY 1, 2, 3) record
       LEFT JOIN (SELECT s.ordinal, ${found.file.fingerprint} AS fingerprint FROM ${found.file.table} s
                  WHERE NOT EXISTS (SELECT FROM ${unmatchedTable} u WHERE u.ordinal = s.ordinal)) s
         ON s.fingerprint = record.fingerprint`,
  )
  const rows = await tx.query<{ ordinal: number }>(
    sql`SELECT winner AS ordinal FROM ${seenTwice} WHERE winner < last_checked`,
  )
  const unsettled = await tx.query<{ scope: string; records: number }>(
    sql`SELECT scope, count(DISTINCT key) AS records FROM ${seenTwice}
     WHERE winner IS NULL OR winner < last_checked GROUP BY 1`,
  )
  const recordsIn = (scope: string): number => unsettled.find((each) => each.scope === scope)?.records ?? 0
  return {
    ordinals: rows.map(({ ordinal }) => ordinal),
    matched: {
      ...found.matched,
      scopes: scopes.map((each) => ({ ...each, matched: each.matched - recordsIn(each.scope) })),
    },
  }
}

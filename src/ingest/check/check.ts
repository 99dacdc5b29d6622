/**
 * Checks the text cells of the staging table and writes the typed table `ingest.checked_<run>`; unusable records become
 * rejects with their line, and the staging table is dropped. A run killed before the end starts over.
 */

import { type RejectBounds, rejectBounds } from '../../../config/input-bounds.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { expectManyRows } from '../run/many-rows.ts'
import type { RejectCode } from '../run/reject-codes.ts'
import type { RunLease } from '../run/run-lease.ts'
import { dropWorkTables, gatherStatistics, makeWorkTableFor, workTableOf } from '../run/work-tables.ts'
import type { ReadThrough } from '../stage/read-snapshot.ts'
import { countCells } from './count-cells.ts'
import type { Coverage } from './coverage.ts'
import type { DateOrders } from './date-order.ts'
import { fillChecked } from './fill-checked.ts'
import { type FileRows, type Matched, recordsSeenTwice, seenTwice } from './match.ts'
import { rejectNewRecords } from './new-records.ts'
import type { CheckPlan } from './plan-check.ts'
import { readContacts } from './read-contacts.ts'
import { type CheckedSummary, readSummary } from './summary.ts'

/** Rejects with this code still have their record in the file. */
const namedAgain: RejectCode = 'duplicate_in_file'

export interface Checked extends CheckedSummary {
  readonly table: string
  /** The comparison given, without the records that were checked after all. */
  readonly matched: Matched | undefined
  readonly coverage: ReadonlyMap<string, Coverage>
  /** Records that were checked: all staged ones except those that matched. */
  readonly rows: number
  readonly rejected: number
  readonly rejectsByCode: Readonly<Record<string, number>>
  readonly rejectsKept: number
  /** Rejects that are not stored and whose record is in no other row of the file. */
  readonly rejectsUnnamed: number
  readonly dateOrders: DateOrders
  /** Column → usable rows without a value in it. */
  readonly emptyCells: Readonly<Record<string, number>>
}

/** The result of comparing a file with the register. */
export interface Compared {
  readonly file: FileRows
  /** Undefined if there was nothing to compare. */
  readonly matched: Matched | undefined
  /** Stages rows that were not staged with the others. */
  alsoStage(tx: Tx, ordinals: readonly number[]): Promise<void>
}

/** @param compared which records are known to be unchanged and need no check. */
export async function check(
  lease: RunLease,
  source: Source,
  read: Pick<ReadThrough, 'linesTable' | 'columns' | 'rejectsKept' | 'rejectCharactersKept'>,
  { statement, fingerprint, dateOrders }: CheckPlan,
  { file, matched, alsoStage }: Compared,
  kept: RejectBounds = rejectBounds,
): Promise<Checked> {
  const unmatched = matched
    ? sql`s.ordinal IN (SELECT ordinal FROM ${matched.unmatchedTable} WHERE ordinal IS NOT NULL) AND`
    : ''
  const select = (condition: string) => statement.select(fingerprint, sql`WHERE ${unmatched} ${condition}`)
  const stageTable = workTableOf('stage', lease.runId)
  // In a separate step, so that another connection sees the table.
  const { table } = await lease.step((tx) => makeWorkTableFor(tx, 'checked', lease.runId, select('true')))
  return lease.step(async (tx) => {
    await expectManyRows(tx)
    await fillChecked(lease, tx, { stageTable, checkedTable: table, select })
    await gatherStatistics(tx, table, [source.key, 'fault'])
    const twice = matched && (await recordsSeenTwice(tx, source, { file, matched, checkedTable: table }))
    if (twice && twice.ordinals.length > 0) {
      await alsoStage(tx, twice.ordinals)
      const rows = statement.select(fingerprint, 'WHERE s.ordinal = ANY ($1::bigint[])')
      await tx.execute(sql`INSERT INTO ${table} ${rows}`, [twice.ordinals])
    }
    await readContacts(tx, source, table, statement.columns)
    await rejectEarlierOfSameKey(tx, source.key, table)
    if (twice) await rejectEarlier(tx, source.key, table, seenTwice)
    await rejectNewRecords(tx, source, { table, coverage: statement.coverage })
    const rejects = await keepRejects(tx, { lease, read, table, kept })
    const summary = await readSummary(tx, source, table, statement.vocabularyColumns)
    const { empty, ahead } = await countCells(tx, source, { table, runId: lease.runId }, statement)
    await keepLineOffsets(tx, lease.runId, read.linesTable)
    // The merge needs only the checked rows, and a large staging table would slow it down.
    await dropWorkTables(tx, lease.runId, ['contents', 'stage', 'lines'])
    const rejected = rejects.reduce((sum, { rows }) => sum + rows, 0)
    return {
      ...summary,
      repaired: { ...summary.repaired, ...(ahead > 0 && { registered_ahead: ahead }) },
      table,
      matched: twice?.matched ?? matched,
      coverage: statement.coverage,
      dateOrders,
      emptyCells: empty,
      rows: summary.usable + rejected,
      rejected,
      rejectsByCode: Object.fromEntries(rejects.map(({ code, rows }) => [code, rows])),
      rejectsKept: rejects.reduce((sum, each) => sum + each.kept, 0),
      rejectsUnnamed: rejects.reduce(
        (sum, { code, rows, kept: held }) => sum + (code === namedAgain ? 0 : rows - held),
        0,
      ),
    }
  })
}

/** With more, line offsets are not stored: almost every record then spans several lines. */
const lineOffsetsMax = 200_000

/** With these, a change's line can be determined long after the file is gone. */
async function keepLineOffsets(tx: Tx, runId: number, linesTable: string): Promise<void> {
  await tx.execute('DELETE FROM ingest.line_offset WHERE run_id = $1', [runId])
  await tx.execute(
    sql`INSERT INTO ingest.line_offset (run_id, record_no, line_offset)
     SELECT $1, ordinal, max(line_offset) FROM ${linesTable}
     WHERE (SELECT count(*) FROM ${linesTable}) <= $2 GROUP BY ordinal`,
    [runId, lineOffsetsMax],
  )
}

/** Counts the check's rejects by code; the first ones are stored, within the limit left by the staging. */
async function keepRejects(
  tx: Tx,
  {
    lease,
    read,
    table,
    kept,
  }: {
    readonly lease: RunLease
    readonly read: Pick<ReadThrough, 'linesTable' | 'columns' | 'rejectsKept' | 'rejectCharactersKept'>
    readonly table: string
    readonly kept: RejectBounds
  },
): Promise<{ code: string; rows: number; kept: number }[]> {
  const raw = sql`ingest.csv_line(${Array.from({ length: read.columns }, (_, index) => `s.c${index + 1}`).join(', ')})`
  return tx.query(
    sql`WITH faulty AS (SELECT ordinal, place, fault, fault_message FROM ${table} WHERE fault IS NOT NULL),
     first AS MATERIALIZED (
       SELECT f.*, ${raw} AS raw
       FROM (SELECT * FROM faulty ORDER BY ordinal LIMIT $2) f JOIN ${workTableOf('stage', lease.runId)} s ON s.ctid = f.place),
     kept AS (
       INSERT INTO ingest.reject (run_id, line, code, message, raw)
       SELECT $1,
              m.ordinal + (SELECT l.line_offset FROM ${read.linesTable} l WHERE l.ordinal <= m.ordinal
                           ORDER BY l.ordinal DESC LIMIT 1),
              m.fault, m.fault_message, m.raw
       FROM (SELECT *, sum(length(raw)) OVER (ORDER BY ordinal) AS characters FROM first) m
       WHERE m.characters <= $3
       RETURNING code)
     SELECT code, found.rows, coalesce(held.rows, 0) AS kept
     FROM (SELECT fault AS code, count(*) AS rows FROM faulty GROUP BY 1) found
       LEFT JOIN (SELECT code, count(*) AS rows FROM kept GROUP BY 1) held USING (code)`,
    [
      lease.runId,
      Math.max(0, kept.keptMax - read.rejectsKept),
      Math.max(0, kept.keptBytesMax - read.rejectCharactersKept),
    ],
  )
}

/** Of several records with the same key the last one wins; the earlier ones are rejects. */
async function rejectEarlierOfSameKey(tx: Tx, key: string, table: string): Promise<void> {
  // Sorting runs in parallel: the keys of a large register do not fit into a hash table.
  await tx.execute('SET LOCAL enable_hashagg = off')
  await tx.execute('SET LOCAL parallel_tuple_cost = 0.001')
  // A separate statement, because only one that updates nothing is planned to run in parallel.
  const repeated = await tx.execute(
    sql`CREATE TEMPORARY TABLE repeated ON COMMIT DROP AS
     SELECT ${key} AS key, max(ordinal) AS winner FROM ${table} WHERE fault IS NULL GROUP BY 1 HAVING count(*) > 1`,
  )
  await tx.execute('SET LOCAL enable_hashagg TO DEFAULT')
  await tx.execute('SET LOCAL parallel_tuple_cost TO DEFAULT')
  if (repeated > 0) await rejectEarlier(tx, key, table, 'repeated')
}

/** @param winners table with a `key` and the ordinal of its `winner`. */
async function rejectEarlier(tx: Tx, key: string, table: string, winners: string): Promise<void> {
  await tx.execute(
    sql`UPDATE ${table} c SET fault = 'duplicate_in_file',
            fault_message = c.${key} || ' occurs again on a later line, which wins'
     FROM ${winners} w
     WHERE c.${key} = w.key AND c.ordinal < w.winner AND c.fault IS NULL`,
  )
}

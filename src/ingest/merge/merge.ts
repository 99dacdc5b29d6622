/**
 * Merges the checked table into the register, its history, the feed and the partitions, in the caller's one transaction
 * under the source's advisory lock. Idempotent: the second time, every row equals its target.
 */

import type { RunMode, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { rowEstimate } from '../../db/row-estimate.ts'
import { sql } from '../../db/sql.ts'
import { eraseMerged } from '../../suppression/erased-proprietors.ts'
import { withholdMerged } from '../../suppression/withheld-directors.ts'
import type { Coverage } from '../check/coverage.ts'
import type { Matched } from '../check/match.ts'
import { expectManyRows } from '../run/many-rows.ts'
import { raiseVersion } from '../run/register-version.ts'
import { noteScopes } from '../run/scopes.ts'
import { foundChanges, readNewestChange, sharesOf, writtenChanges } from './changes.ts'
import { countSkipped } from './count-skipped.ts'
import { type CheckedQuality, type SnapshotFigures, suspicions } from './guards.ts'
import { type Preview, readPreview } from './preview.ts'
import { canLoadShadowTable, loadShadowTable } from './shadow-table.ts'
import { absentStatement } from './statements/absent.ts'
import { closeStatement } from './statements/close.ts'
import { confirmStatement } from './statements/confirm.ts'
import { firstLoadStatements } from './statements/first-load.ts'
import { refreshFingerprints } from './statements/refresh-fingerprints.ts'
import { spareNamedStatement } from './statements/spare-named.ts'
import { type MergeTarget, mergeTarget } from './statements/target.ts'
import { writeStatement } from './statements/write.ts'
import { countChanges, wrongChanges } from './wrong-changes.ts'

export interface MergeInput {
  readonly runId: number
  readonly mode: RunMode
  readonly asOf: string
  readonly approved: boolean
  /** Applies nothing, and reports what it would do. */
  readonly dryRun: boolean
  readonly rowsRead: number
  readonly rejected: number
  readonly cutOffLine?: number | undefined
  readonly rejectsUnnamed?: number | undefined
  /** Total records of the list, if the file states it. */
  readonly listed?: number | undefined
  /** Missing if an operator has approved the run. */
  readonly quality?: CheckedQuality | undefined
  readonly replaced?: SnapshotFigures['replaced']
  readonly checkedTable: string
  /** Rows of the checked table without a fault, and their partitions. */
  readonly usable: number
  readonly scopes: readonly string[]
  readonly coverage: ReadonlyMap<string, Coverage>
  /** Set if rows of the file were found unchanged without a check. */
  readonly matched: Matched | undefined
  /** Overrides the number of rows from which a first load goes into a shadow table. */
  readonly shadowTableFrom?: number | undefined
  /** Called between the statements; the fault test stops the process there. */
  readonly reached: (point: string) => Promise<void>
}

export interface MergeCounts {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly closed: number
  /** Rows that a newer snapshot holds back. */
  readonly skipped: number
  readonly scopes: readonly string[]
  readonly staleScopes: readonly string[]
  /** Column and kind of change → share of the known records changed, if many records changed. */
  readonly changedShares: Readonly<Record<string, number>>
}

export type MergeResult =
  | { readonly applied: true; readonly counts: MergeCounts }
  | {
      readonly applied: false
      readonly reasons: readonly string[]
      readonly scopes: readonly string[]
      readonly preview: Preview
    }

/** Class of the advisory locks that keep merges of one source apart. */
const mergeLockClass = 0x6d67

export async function merge(tx: Tx, source: Source, input: MergeInput): Promise<MergeResult> {
  await tx.execute('SELECT pg_advisory_xact_lock($1, hashtext($2))', [mergeLockClass, source.name])
  await expectManyRows(tx)
  const target = mergeTarget(source, input.coverage, input.checkedTable)
  const staleScopes = await readStaleScopes(tx, source, input.asOf)
  const inFile = scopesOf(source, input)
  const scopes = inFile.filter((scope) => !staleScopes.includes(scope))

  const closings = input.mode === 'snapshot' ? await findClosings(tx, source, input, scopes) : []
  const reasons = input.approved ? [] : suspicions(source.bounds, { ...input, closings })
  const values = [input.runId, input.asOf, staleScopes]
  const previewed = async (because: readonly string[]) => {
    const closes = input.mode === 'snapshot'
    return readPreview(tx, target, { ...input, staleScopes, reasons: because, closings, closes })
  }
  if (reasons.length > 0) return { applied: false, reasons, scopes: inFile, preview: await previewed(reasons) }
  if (input.dryRun) {
    const preview = await previewed([])
    const found = foundChanges(target, values)
    const changes = await countChanges(tx, source, input, preview, found)
    const wrong = await wrongChanges(tx, source, input.mode, found, changes)
    return { applied: false, reasons: wrong, scopes: inFile, preview: { ...preview, reasons: wrong } }
  }

  const closable = closings.some(({ closing }) => closing > 0)
  // What was written shows best what the file changes; it is rolled back if that is too much.
  const newestBefore = await readNewestChange(tx)
  await tx.execute('SAVEPOINT written')
  const counts = await apply(tx, target, input, { staleScopes, closable })
  const written = writtenChanges(input.runId, newestBefore)
  const changes = await countChanges(tx, source, input, counts, written)
  const wrong = input.approved ? [] : await wrongChanges(tx, source, input.mode, written, changes)
  if (wrong.length > 0) {
    await tx.execute('ROLLBACK TO SAVEPOINT written')
    return { applied: false, reasons: wrong, scopes: inFile, preview: await previewed(wrong) }
  }
  if (input.mode === 'snapshot') {
    await noteScopes(tx, { source: source.name, asOf: input.asOf, runId: input.runId }, scopes)
  } else if (counts.inserted + counts.updated < input.usable) {
    await tx.execute(confirmStatement(target), values)
  }
  const { inserted, updated, closed } = counts
  if (source.table === 'registry.director') await withholdMerged(tx, input.runId)
  await eraseMerged(tx, source.table, input.runId)
  if (inserted + updated + closed > 0) await raiseVersion(tx, source, input.runId)
  const skipped = await countSkipped(tx, target, input, staleScopes)
  const unchanged = input.rowsRead - input.rejected - inserted - updated - skipped.rows
  const changedShares = sharesOf(changes)
  const heldBack = { skipped: skipped.rows, staleScopes: skipped.scopes }
  return { applied: true, counts: { ...counts, ...heldBack, unchanged, scopes, changedShares } }
}

/** A run rewrites at most this many fingerprints, or this share of the register. */
const refreshed = { rows: 100_000, share: 0.1 }

async function apply(
  tx: Tx,
  target: MergeTarget,
  input: MergeInput,
  { staleScopes, closable }: { readonly staleScopes: readonly string[]; readonly closable: boolean },
): Promise<{ inserted: number; updated: number; closed: number }> {
  const { source } = target
  const values = [input.runId, input.asOf, staleScopes]
  if (await canLoadShadowTable(tx, source.table, input.rowsRead - input.rejected, input.shadowTableFrom)) {
    const inserted = await firstLoad(tx, target, values)
    await input.reached('merge-written')
    return { inserted, updated: 0, closed: 0 }
  }
  const [written] = await tx.query<{ inserted: number; updated: number }>(writeStatement(target), values)
  const { inserted, updated } = written ?? { inserted: 0, updated: 0 }
  await input.reached('merge-written')
  const [gone] = closable ? await tx.query<{ rows: number }>(closeStatement(source), values.slice(0, 2)) : []
  await input.reached('merge-closed')
  // Rows that were checked but not written: their content is known, but their fingerprint may differ.
  if (inserted + updated < input.usable) {
    const share = Math.round(refreshed.share * (await rowEstimate(tx, source.table)))
    await tx.execute(refreshFingerprints(target), [...values, Math.max(refreshed.rows, share)])
  }
  return { inserted, updated, closed: gone?.rows ?? 0 }
}

/**
 * @returns the number of records inserted. If their inserts are derived from the records, the run stores the range of
 *   their change numbers.
 */
async function firstLoad(tx: Tx, target: MergeTarget, values: readonly unknown[]): Promise<number> {
  const { table, impliesInserts } = target.source
  if (!impliesInserts) return loadShadowTable(tx, table, firstLoadStatements(target), values)
  const nextChange = `nextval('ingest.change_change_id_seq')`
  const [before] = await tx.query<{ id: number }>(sql`SELECT ${nextChange} AS id`)
  const inserted = await loadShadowTable(tx, table, firstLoadStatements(target), values)
  await tx.execute(
    sql`UPDATE ingest.run SET inserted_at = now(), inserted_from = $2, inserted_through = ${nextChange} WHERE run_id = $1::bigint`,
    [values[0], before?.id],
  )
  return inserted
}

async function readStaleScopes(tx: Tx, source: Source, asOf: string): Promise<string[]> {
  const rows = await tx.query<{ scope: string }>('SELECT scope FROM ingest.scope WHERE source = $1 AND as_of > $2', [
    source.name,
    asOf,
  ])
  return rows.map(({ scope }) => scope)
}

/** A file without the partition column does not say what it covers, so it covers nothing. */
function scopesOf(source: Source, input: MergeInput): string[] {
  if (source.scope === undefined) return ['*']
  if (input.coverage.get(source.scope) !== 'covered') return []
  const matched = input.matched?.scopes.filter((each) => each.matched > 0 && each.scope !== '*') ?? []
  return [...new Set([...input.scopes, ...matched.map(({ scope }) => scope)])].sort()
}

async function findClosings(
  tx: Tx,
  source: Source,
  input: MergeInput,
  scopes: readonly string[],
): Promise<SnapshotFigures['closings']> {
  // CREATE TABLE AS accepts no parameters, so the server turns these two values into literals.
  const [bound] = await tx.query<{ as_of: string; scopes: string }>(
    'SELECT quote_literal($1::date) AS as_of, quote_literal($2::text[]) AS scopes',
    [input.asOf, scopes],
  )
  if (!bound) throw new Error('a statement without a table returns one row')
  const bounds = { asOf: sql`${bound.as_of}::date`, scopes: sql`${bound.scopes}::text[]` }
  await tx.execute(absentStatement(source, input.checkedTable, bounds, input.matched?.unmatchedTable))
  if (input.rejected > 0) await tx.execute(spareNamedStatement(source), [input.runId])
  return tx.query(
    sql`SELECT closing.scope_name AS scope, count(*) AS closing, max(open.rows) AS open,
            max(coalesce(file.rows, 0) + coalesce(known.matched, 0)) AS "inFile"
     FROM closing
       JOIN (${openRecords(source, input.matched)}) open ON open.scope = closing.scope_name
       LEFT JOIN (SELECT coalesce(scope_name, '*') AS scope, count(*) AS rows FROM ${input.checkedTable}
                  WHERE fault IS NULL GROUP BY 1) file ON file.scope = closing.scope_name
       LEFT JOIN jsonb_to_recordset($2::jsonb) AS known(scope text, open bigint, matched bigint)
         ON known.scope = closing.scope_name
     GROUP BY closing.scope_name`,
    [scopes, JSON.stringify(input.matched?.scopes ?? [])],
  )
}

/** Open records per partition; if the file was matched, they are counted already. */
function openRecords(source: Source, matched: Matched | undefined): string {
  if (matched) {
    return 'SELECT scope, open AS rows FROM jsonb_to_recordset($2::jsonb) AS counted(scope text, open bigint) WHERE scope = ANY($1::text[])'
  }
  const scopeOf = source.scope ? sql`${source.scope}::text` : `'*'`
  return sql`SELECT ${scopeOf} AS scope, count(*) AS rows FROM ${source.table}
          WHERE closed_on IS NULL AND ${scopeOf} = ANY($1::text[]) GROUP BY 1`
}

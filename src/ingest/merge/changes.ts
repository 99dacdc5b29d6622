/**
 * What a file changes in the register's records, by column and kind of change, since even a complete file may be wrong.
 * Read from the history that the merge has just written, or from what it would write, and only if enough records change
 * to be too many; if very many do, from a sample.
 */
import type { ChangeKind, ColumnRule, RunMode, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type ChangeExample, type ColumnChange, knownBy, leastChangesMax, leastFewChanges } from './change-guards.ts'
import type { MergeTarget } from './statements/target.ts'
import { foundRows } from './statements/write.ts'

/** Their median is used; missing runs count as having changed nothing. */
const runsLearntFrom = 5
/** Records enough to estimate a share. */
const sampleMin = 4_000
const examplesMax = 5

/** Changed records that were open before: their identifiers, and the changed values before and after. */
export interface ChangedRecords {
  /** With three parameters, $1 to $3. */
  readonly statement: string
  readonly values: readonly unknown[]
}

/** @returns the id of the newest change; changes written from now on have higher ones. */
export async function readNewestChange(tx: Tx): Promise<number> {
  const [newest] = await tx.query<{ change_id: number }>(
    'SELECT change_id FROM ingest.change ORDER BY change_id DESC LIMIT 1',
  )
  return newest?.change_id ?? 0
}

/** Selected by id: changes that were just written are not in any index of runs yet. */
export const writtenChanges = (runId: number, newestBefore: number): ChangedRecords => ({
  statement: `SELECT identifier, before, after FROM ingest.change
     WHERE change_id > $2::bigint AND run_id = $1::bigint AND kind = ANY($3::text[])`,
  values: [runId, newestBefore, ['update']],
})

export const foundChanges = (target: MergeTarget, values: readonly unknown[]): ChangedRecords => ({
  statement: sql`SELECT record_key AS identifier, before, after FROM (${foundRows(target)}) found
     WHERE place IS NOT NULL AND closed_before IS NULL AND $1::bigint IS NOT NULL`,
  values,
})

export interface Counted {
  readonly mode: RunMode
  /** The file's records that the register had, and how many of them change. */
  readonly known: number
  readonly updated: number
}

/** Conditions on one column, with `old` and `new` as texts. */
const lessAmount = 'new::numeric < old::numeric'
const higherAmount = 'new::numeric > old::numeric'
const earlierDay = 'new COLLATE "C" < old'
const laterDay = 'new COLLATE "C" > old'
const tenfold =
  'least(new::numeric, old::numeric) > 0 AND greatest(new::numeric, old::numeric) >= 10 * least(new::numeric, old::numeric)'

/**
 * Only changes of an existing value: filling an empty one is not counted.
 * @returns none if there cannot be too many.
 */
export async function readChanges(
  tx: Tx,
  source: Source,
  { statement, values }: ChangedRecords,
  { mode, known, updated }: Counted,
): Promise<ColumnChange[]> {
  const leastShare = leastChangesMax(source.bounds, mode)
  if (updated <= leastFewChanges || (mode === 'snapshot' && updated <= leastShare * known)) return []
  const counted = {
    file: known,
    register: mode === 'snapshot' ? known : await countOpen(tx, source, updated / leastShare),
  }
  const columnsOf = (isOne: (rule: ColumnRule) => boolean) =>
    Object.entries(source.columns).flatMap(([name, rule]) => (isOne(rule) ? [name] : []))
  const sampledBits = Math.max(0, Math.ceil(Math.log2(updated / sampleMin)))
  const found = await tx.query<{ column: string; kind: ChangeKind; rows: number }>(
    sql`WITH changed AS NOT MATERIALIZED (${statement}), field AS MATERIALIZED (
       SELECT each.key AS name, each.value #>> '{}' AS old, changed.after ->> each.key AS new
       FROM changed CROSS JOIN LATERAL jsonb_each(changed.before) each
       WHERE jsonb_typeof(each.value) <> 'null' AND hashtext(changed.identifier) & $4 = 0
     ), named AS MATERIALIZED (
       SELECT name, before ->> name AS old, after ->> name AS new
       FROM changed CROSS JOIN unnest($8::text[]) AS name WHERE before ? name
     )
     SELECT name AS "column", kind, rows FROM (
       SELECT name, count(*) FILTER (WHERE NOT (name = ANY($9::text[]) AND ${laterDay}) IS TRUE) AS changed, count(*) FILTER (WHERE new IS NULL) AS emptied,
              count(*) FILTER (WHERE CASE WHEN name = ANY($5::text[]) THEN ${lessAmount}
                                          WHEN name = ANY($6::text[]) THEN ${earlierDay} END) AS fell,
              count(*) FILTER (WHERE CASE WHEN name = ANY($5::text[]) THEN ${higherAmount}
                                          WHEN name = ANY($6::text[]) AND name <> ALL($9::text[]) THEN ${laterDay} END) AS rose,
              count(*) FILTER (WHERE CASE WHEN name = ANY($5::text[]) THEN ${tenfold} END) AS jumped
       FROM field GROUP BY name) counted
       CROSS JOIN LATERAL (VALUES ('changed', changed), ('emptied', emptied), ('fell', fell), ('rose', rose), ('jumped', jumped)) AS ways(kind, rows)
     WHERE rows > 0
     UNION ALL
     SELECT name, 'shifted', max(net) FROM (
       SELECT name, value, sum(one) AS net
       FROM (SELECT name, new AS value, 1 AS one FROM field UNION ALL SELECT name, old, -1 FROM field) flows
       WHERE name = ANY($7::text[]) AND value IS NOT NULL GROUP BY name, value) nets
     GROUP BY name HAVING max(net) > 0
     UNION ALL
     SELECT name, 'moved', sum(takers) FROM (
       SELECT name, value, count(*) FILTER (WHERE is_new) AS takers, bool_or(NOT is_new) AS is_given
       FROM named CROSS JOIN LATERAL (VALUES (new, true), (old, false)) AS ends(value, is_new)
       WHERE value IS NOT NULL AND hashtext(value) & $4 = 0 GROUP BY name, value) names
     WHERE is_given AND takers > 0 GROUP BY name
     ORDER BY 3 DESC, 1, 2`,
    [
      ...values,
      2 ** sampledBits - 1,
      columnsOf(({ kind }) => kind === 'amount'),
      columnsOf(({ kind }) => kind === 'date'),
      columnsOf(({ kind }) => kind === 'word'),
      [...new Set(Object.values(source.columns).flatMap((rule) => (rule.kind === 'name-key' ? rule.of : [])))],
      columnsOf((rule) => rule.kind === 'date' && rule.financialYear === true),
    ],
  )
  const usual = await readUsualShares(tx, source, mode)
  return found.map(({ column, kind, rows }) => ({
    ...{ column, kind, rows: Math.min(updated, Number(rows) * 2 ** sampledBits), isSampled: sampledBits > 0 },
    ...{ known: counted[knownBy(mode, kind)], knownBy: knownBy(mode, kind), usual: usual(column, kind) },
  }))
}

/** Open records, counted up to the number that matters. */
async function countOpen(tx: Tx, source: Source, upTo: number): Promise<number> {
  const [open] = await tx.query<{ rows: number }>(
    sql`SELECT count(*) AS rows FROM (SELECT FROM ${source.table} WHERE closed_on IS NULL LIMIT $1) open`,
    [Math.ceil(upTo)],
  )
  return open?.rows ?? 0
}

/** In the form that a run's report stores: by column, with the kind appended for all but the first kind. */
export const sharesOf = (changes: readonly ColumnChange[]): Record<string, number> =>
  Object.fromEntries(
    changes.map(({ column, kind, rows, known }) => [shareName(column, kind), Math.round((rows / known) * 1e4) / 1e4]),
  )

const shareName = (column: string, kind: ChangeKind): string => (kind === 'changed' ? column : `${column} ${kind}`)

async function readUsualShares(
  tx: Tx,
  source: Source,
  mode: RunMode,
): Promise<(column: string, kind: ChangeKind) => number> {
  const runs = await tx.query<{ shares: Readonly<Record<string, number>> }>(
    sql`SELECT coalesce(r.report -> 'changed_shares', '{}') AS shares FROM ingest.run r
     WHERE r.source = $1 AND r.mode = $3 AND r.status = 'succeeded' AND r.undo IS NULL AND r.undone_by IS NULL AND r.updated + r.unchanged > 0
     ORDER BY r.turn DESC LIMIT $2`,
    [source.name, runsLearntFrom, mode],
  )
  return (column, kind) => {
    const shares = Array.from({ length: runsLearntFrom }, (_, at) => runs[at]?.shares[shareName(column, kind)] ?? 0)
    return shares.toSorted((a, b) => a - b)[Math.floor(runsLearntFrom / 2)] ?? 0
  }
}

/** The condition for each kind of change, over the values `old` and `new` of one column. */
const isOfKind: Readonly<Record<ChangeKind, string>> = {
  changed: 'true',
  emptied: 'new IS NULL',
  fell: sql`CASE WHEN is_amount THEN ${lessAmount} ELSE ${earlierDay} END`,
  rose: sql`CASE WHEN is_amount THEN ${higherAmount} ELSE ${laterDay} END`,
  jumped: tenfold,
  shifted: 'new IS NOT NULL',
  moved: 'is_taken',
}

/** The first ones by identifier. */
export function readExamples(
  tx: Tx,
  source: Source,
  { statement, values }: ChangedRecords,
  { column, kind }: ColumnChange,
): Promise<ChangeExample[]> {
  const isAmount = source.columns[column]?.kind === 'amount'
  return tx.query<ChangeExample>(
    sql`WITH changed AS NOT MATERIALIZED (${statement}), own AS MATERIALIZED (
       SELECT identifier, before ->> $4 AS old, after ->> $4 AS new, $5::boolean AS is_amount FROM changed WHERE before ? $4
     ), taken AS (
       SELECT own.*, value IS NOT DISTINCT FROM new AS is_new, bool_or(value = old) OVER (PARTITION BY value) AS is_taken
       FROM own CROSS JOIN LATERAL unnest(ARRAY[new, old]) AS value
     )
     SELECT identifier, old AS "before", new AS "after" FROM taken
     WHERE is_new AND old IS NOT NULL AND ${isOfKind[kind]} ORDER BY identifier LIMIT ${examplesMax}`,
    [...values, column, isAmount],
  )
}

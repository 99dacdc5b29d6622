/**
 * Check: the all-text staging table in, a typed table `ingest.checked_<run>` out; records that cannot be used become
 * rejects with their line. One transaction: run twice it starts from the staging table again.
 */
import type { Registry } from '../../../config/registries/registry.ts'
import type { Tx } from '../../db/db.ts'
import { type Matched, recordsSeenTwice } from '../match/match.ts'
import type { RunLease } from '../run-lease.ts'
import type { Staged } from '../stage/stage.ts'
import { listAliases } from './aliases.ts'
import type { Coverage } from './coverage.ts'
import type { DateOrders } from './date-order.ts'
import type { CheckPlan } from './plan-check.ts'

export interface Checked {
  readonly table: string
  readonly coverage: ReadonlyMap<string, Coverage>
  /** Records that went through the checks: all staged ones but those that matched. */
  readonly rows: number
  readonly rejected: number
  readonly rejectsByCode: Readonly<Record<string, number>>
  readonly healings: Readonly<Record<string, number>>
  readonly dateOrders: DateOrders
  /** Column → unknown word → rows. */
  readonly unknownWords: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** @param matched - records that are known to be unchanged and need no check. */
export async function check(
  lease: RunLease,
  registry: Registry,
  staged: Pick<Staged, 'table' | 'linesTable' | 'columns'>,
  { statement, fingerprint, dateOrders }: CheckPlan,
  matched: Matched | undefined,
): Promise<Checked> {
  const table = `ingest.checked_${lease.runId}`
  return lease.fenced(async (tx) => {
    await tx.execute(`SET LOCAL work_mem = '128MB'`)
    await tx.execute('SET LOCAL jit = off')
    await tx.execute(`DROP TABLE IF EXISTS ${table}`)
    // ANALYZE of the staging table would cost a second of a large run; sizes are known well enough from the pages.
    const unmatched = matched
      ? `WHERE s.ordinal IN (SELECT ordinal FROM ${matched.unmatchedTable} WHERE ordinal IS NOT NULL)`
      : ''
    await tx.execute(
      `CREATE UNLOGGED TABLE ${table} WITH (autovacuum_enabled = off) AS ${statement.select(fingerprint, unmatched)}`,
    )
    await tx.execute(`ANALYZE ${table} (${registry.key}, fault)`)
    if (matched) {
      const again = await recordsSeenTwice(tx, registry, { staged, fingerprint, matched, checkedTable: table })
      if (again.length > 0) {
        const rows = statement.select(fingerprint, 'WHERE s.ordinal = ANY ($1::bigint[])')
        await tx.execute(`INSERT INTO ${table} ${rows}`, [again])
      }
    }
    // Of records with the same key the last one wins; the earlier ones are rejects like any other.
    await tx.execute(
      `UPDATE ${table} c SET fault = 'duplicate_in_file',
              fault_message = c.${registry.key} || ' occurs again on a later line, which wins'
       FROM (SELECT ${registry.key} AS key, max(ordinal) AS winner FROM ${table}
             WHERE fault IS NULL GROUP BY 1 HAVING count(*) > 1) repeated
       WHERE c.${registry.key} = repeated.key AND c.ordinal < repeated.winner AND c.fault IS NULL`,
    )
    const rejects = await tx.query<{ code: string; rows: number }>(
      `WITH rejected AS (
         INSERT INTO ingest.reject (run_id, line, code, message, raw)
         SELECT $1,
                c.ordinal + (SELECT l.line_offset FROM ${staged.linesTable} l WHERE l.ordinal <= c.ordinal
                             ORDER BY l.ordinal DESC LIMIT 1),
                c.fault, c.fault_message,
                ingest.csv_line(${Array.from({ length: staged.columns }, (_, index) => `s.c${index + 1}`).join(', ')})
         FROM ${table} c JOIN ${staged.table} s USING (ordinal)
         WHERE c.fault IS NOT NULL
         RETURNING code)
       SELECT code, count(*) AS rows FROM rejected GROUP BY code`,
      [lease.runId],
    )
    const healings = await tx.query<{ kind: string; rows: number }>(
      `SELECT kind, sum(rows)::bigint AS rows
       FROM (SELECT healing, count(*) AS rows FROM ${table}
             WHERE healing IS NOT NULL AND fault IS NULL GROUP BY healing) healed,
            regexp_split_to_table(healing, ' ') AS kind
       GROUP BY kind`,
    )
    const [counted] = await tx.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)
    return {
      table,
      coverage: statement.coverage,
      dateOrders,
      rows: counted?.rows ?? 0,
      rejected: rejects.reduce((sum, { rows }) => sum + rows, 0),
      rejectsByCode: Object.fromEntries(rejects.map(({ code, rows }) => [code, rows])),
      healings: Object.fromEntries(healings.map(({ kind, rows }) => [kind, rows])),
      unknownWords: await unknownWords(tx, registry, table, statement.vocabularyColumns),
    }
  })
}

async function unknownWords(
  tx: Tx,
  registry: Registry,
  table: string,
  columns: readonly string[],
): Promise<Record<string, Record<string, number>>> {
  if (columns.length === 0) return {}
  const known = new Set(listAliases().map(({ kind, value }) => `${kind} ${value}`))
  const counts = await tx.query<{ name: string; word: string; rows: number }>(
    `SELECT ${`CASE ${columns.map((column) => `WHEN GROUPING(${column}) = 0 THEN '${column}'`).join(' ')} END`} AS name,
            coalesce(${columns.join(', ')}) AS word, count(*) AS rows
     FROM ${table} WHERE fault IS NULL GROUP BY GROUPING SETS (${columns.map((column) => `(${column})`).join(', ')})
     ORDER BY rows DESC`,
  )
  const unknown: Record<string, Record<string, number>> = {}
  for (const { name, word, rows } of counts) {
    const rule = registry.columns[name]
    if (word === null || rule?.kind !== 'word' || known.has(`${rule.vocabulary} ${word}`)) continue
    const words = unknown[name] ?? {}
    unknown[name] = words
    if (Object.keys(words).length < 50) words[word] = rows
  }
  return unknown
}

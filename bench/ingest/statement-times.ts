/** A database wrapper that sums the time of a run's statements by purpose. */
import type { Db, Queryable, Sql, Tx } from '../../src/db/db.ts'

/** A text found only in the statements of each kind; the first match counts. */
const kinds = {
  /** The guards against wrong complete files, which count what a file changes. */
  guards:
    /jsonb_each\(changed\.before\)|'changed_shares'|^SAVEPOINT written|ORDER BY change_id DESC LIMIT 1$|LIMIT \$1\) open$/,
  match: /INSERT INTO ingest\.unmatched/,
  check: /INSERT INTO ingest\.checked/,
  repeated: /TEMPORARY TABLE repeated|'duplicate_in_file'/,
  rejects: /WITH faulty AS/,
  summary: /GROUPING SETS/,
  closings: /TEMPORARY TABLE closing/,
  rows: /INSERT INTO \S+_aside/,
  history: /^\s*INSERT INTO ingest\.change/,
  indexes: /ingest\.index_shadow/,
  counts: /feed\.recount/,
  write: /WITH found AS MATERIALIZED/,
  statistics: /ingest\.gather_statistics/,
  vacuum: /^VACUUM/,
} as const

export type StatementKind = keyof typeof kinds | 'other'
export type StatementSeconds = Readonly<Partial<Record<StatementKind, number>>>

export interface StatementTimes {
  readonly db: Db
  seconds(): StatementSeconds
}

export function timeStatements(db: Db): StatementTimes {
  const milliseconds = new Map<StatementKind, number>()
  const timed = async <T>(statement: Sql, work: () => Promise<T>): Promise<T> => {
    const kind = kindOf(typeof statement === 'string' ? statement : statement.text)
    const started = performance.now()
    const answer = await work()
    milliseconds.set(kind, (milliseconds.get(kind) ?? 0) + performance.now() - started)
    return answer
  }
  const around = <Q extends Queryable>(of: Q): Q => ({
    ...of,
    query: (statement: Sql, values?: readonly unknown[]) => timed(statement, () => of.query(statement, values)),
    execute: (statement: Sql, values?: readonly unknown[]) => timed(statement, () => of.execute(statement, values)),
  })
  return {
    db: { ...around(db), transaction: (work, settings) => db.transaction((tx: Tx) => work(around(tx)), settings) },
    seconds: () => Object.fromEntries([...milliseconds].map(([kind, ms]) => [kind, Math.round(ms) / 1000])),
  }
}

function kindOf(text: string): StatementKind {
  const found = Object.entries(kinds).find(([, pattern]) => pattern.test(text))
  return (found?.[0] ?? 'other') as StatementKind
}

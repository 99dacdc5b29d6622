/** A database that adds up how long a merge takes to count what a file changes: the guards against complete files that are wrong. */
import type { Db, Queryable, Sql, Tx } from '../../src/db/db.ts'

/** What is in their statements, and in no other of a run. */
const isOfGuards =
  /jsonb_each\(changed\.before\)|'changed_shares'|^SAVEPOINT written|ORDER BY change_id DESC LIMIT 1$|LIMIT \$1\) open$/

export interface GuardTime {
  readonly db: Db
  seconds(): number
}

export function timeGuards(db: Db): GuardTime {
  let milliseconds = 0
  const timed = async <T>(statement: Sql, work: () => Promise<T>): Promise<T> => {
    if (!isOfGuards.test(typeof statement === 'string' ? statement : statement.text)) return work()
    const started = performance.now()
    const answer = await work()
    milliseconds += performance.now() - started
    return answer
  }
  const around = <Q extends Queryable>(of: Q): Q => ({
    ...of,
    query: (statement: Sql, values?: readonly unknown[]) => timed(statement, () => of.query(statement, values)),
    execute: (statement: Sql, values?: readonly unknown[]) => timed(statement, () => of.execute(statement, values)),
  })
  return {
    db: { ...around(db), transaction: (work, settings) => db.transaction((tx: Tx) => work(around(tx)), settings) },
    seconds: () => Math.round(milliseconds) / 1000,
  }
}

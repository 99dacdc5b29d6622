/** A database whose process dies, as kill -9 kills it, at a statement of its transactions. */
import type { Db, Tx } from '../../src/db/db.ts'

class Death extends Error {}

export interface MortalDb {
  readonly db: Db
  /** Whether it came so far. */
  readonly died: () => boolean
}

/** Dies before the `gap`th statement of its transactions, counted from 0: the connection is cut, nothing is said. */
export function mortal(immortal: Db, gap: number): MortalDb {
  let left = gap
  let dead = false
  const guard = (tx: Tx): Tx => {
    const live = async <T>(run: () => Promise<T>): Promise<T> => {
      if (left-- > 0) return run()
      dead = true
      // pg's types leave the socket out.
      const { connection } = tx.client as unknown as { connection: { stream: { destroy(): void } } }
      connection.stream.destroy()
      throw new Death('killed')
    }
    return {
      ...tx,
      query: (sql, values) => live(() => tx.query(sql, values)),
      execute: (sql, values) => live(() => tx.execute(sql, values)),
    }
  }
  return {
    db: { ...immortal, transaction: (work) => immortal.transaction((tx) => work(guard(tx))) },
    died: () => dead,
  }
}

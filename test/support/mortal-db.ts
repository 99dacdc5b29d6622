/** A database whose process dies, as with kill -9, at a given statement of its transactions. */
import type { Db, Tx } from '../../src/db/db.ts'

class Death extends Error {}

export interface MortalDb {
  readonly db: Db
  /** Whether it got that far. */
  readonly died: () => boolean
}

/**
 * Dies before the `gap`th statement of its transactions, counted from 0, COMMIT included: the connection is cut without
 * a message.
 */
export function mortal(immortal: Db, gap: number): MortalDb {
  let left = gap
  let dead = false
  const live = async <T>(tx: Tx, run: () => Promise<T>): Promise<T> => {
    if (left-- > 0) return run()
    dead = true
    // pg's types omit the socket.
    const { connection } = tx.client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
    throw new Death('killed')
  }
  const guard = (tx: Tx): Tx => ({
    ...tx,
    query: (sql, values) => live(tx, () => tx.query(sql, values)),
    execute: (sql, values) => live(tx, () => tx.execute(sql, values)),
  })
  return {
    db: {
      ...immortal,
      transaction: (work) =>
        immortal.transaction(async (tx) => {
          const done = await work(guard(tx))
          return live(tx, async () => done)
        }),
    },
    died: () => dead,
  }
}

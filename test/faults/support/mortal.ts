/** A process that dies at a chosen gap: between two statements, in a transaction or out of it, or before a call goes out. */
import type { Db, Tx } from '../../../src/db/db.ts'

export class Death extends Error {}

export interface Mortal {
  readonly db: Db
  /** A call to somebody else, before which it may die as before a statement. */
  call<T>(work: () => Promise<T>): Promise<T>
  /** Whether it came so far. */
  died(): boolean
  /** The gaps that it came to, by whether they lie between two statements of one transaction: their deaths are alike. */
  readonly gaps: readonly { readonly isWithin: boolean }[]
}

/**
 * Dies before the `gap`th statement or call, counted from 0, COMMIT and what follows a COMMIT among them, as kill -9 cuts its
 * connection; then nothing of it goes on.
 */
export function mortal(db: Db, gap: number): Mortal {
  let left = gap
  let dead = false
  const gaps: { isWithin: boolean }[] = []
  let latest: Tx | undefined
  const live = async <T>(work: () => Promise<T>, cut: () => void = () => {}, within?: Tx): Promise<T> => {
    if (!dead) gaps.push({ isWithin: within !== undefined && within === latest })
    latest = within
    if (!dead && left-- > 0) return work()
    dead = true
    cut()
    throw new Death('killed')
  }
  // pg's types leave the socket out.
  const cutOf = (tx: Tx) => () =>
    (tx.client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  const guard = (tx: Tx): Tx => {
    const cut = cutOf(tx)
    return {
      ...tx,
      query: (sql, values) => live(() => tx.query(sql, values), cut, tx),
      execute: (sql, values) => live(() => tx.execute(sql, values), cut, tx),
    }
  }
  return {
    db: {
      ...db,
      query: (sql, values) => live(() => db.query(sql, values)),
      execute: (sql, values) => live(() => db.execute(sql, values)),
      async transaction(work) {
        const done = await db.transaction(async (tx) => {
          const result = await work(guard(tx))
          return live(async () => result, cutOf(tx))
        })
        return live(async () => done)
      },
    },
    call: (work) => live(work),
    died: () => dead,
    gaps,
  }
}

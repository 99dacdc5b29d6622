/**
 * The pushes that wait become desired records while those that are desired already go out, so that the first lead of a large
 * order does not wait for its last. Whatever the CRM says meanwhile, it ends with everything enqueued, or with the signal: then
 * whoever holds the destination next goes on behind the last part.
 */
import type { Db } from '../../db/db.ts'
import { enqueueNext } from './enqueue.ts'

export interface EnqueueAhead {
  /**
   * Resolves once there is enough, asked after each part, or all is enqueued.
   * @returns true in the latter case. @throws what the database threw.
   */
  until(enough: () => Promise<boolean>): Promise<boolean>
  /** Resolves at the end, whichever it was. */
  readonly ended: Promise<unknown>
}

export function enqueueAhead(db: Db, destinationId: string, signal: AbortSignal): EnqueueAhead {
  let part = enqueueNext(db, destinationId)
  let over = false
  const enqueue = async () => {
    try {
      while (await part) {
        signal.throwIfAborted()
        part = enqueueNext(db, destinationId)
      }
    } finally {
      over = true
    }
  }
  const ended = Promise.allSettled([enqueue()])
  return {
    ended,
    async until(enough) {
      while (!over && !(await enough())) await part
      if (!over) return false
      const [end] = await ended
      if (end.status === 'rejected') throw end.reason
      return true
    },
  }
}

/**
 * Enqueues the records of waiting pushes while enqueued ones are already being sent, so that the first lead of a
 * large order does not wait for its last. It runs until everything is enqueued or the signal aborts, whatever the CRM
 * answers in between; the next holder of the destination then continues after the last part.
 */
import type { Db } from '../../db/db.ts'
import { enqueueNext } from './enqueue.ts'

export interface EnqueueAhead {
  /**
   * Resolves once `enough` returns true, checked after each part, or once all is enqueued.
   * @returns true in the latter case. @throws what the database threw.
   */
  until(enough: () => Promise<boolean>): Promise<boolean>
  /** Resolves at the end, however it came about. */
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

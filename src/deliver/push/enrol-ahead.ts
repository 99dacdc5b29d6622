/**
 * The pushes that wait become desired records while those that are desired already go out, so that the first lead of a large
 * order does not wait for its last. Whatever the CRM says meanwhile, it ends with everything enrolled, or with the signal: then
 * whoever holds the destination next goes on behind the last part.
 */
import type { Db } from '../../db/db.ts'
import { enrolNext } from './enrol.ts'

export interface EnrolAhead {
  /**
   * Resolves once there is enough, asked after each part, or all is enrolled.
   * @returns true in the latter case. @throws what the database threw.
   */
  until(enough: () => Promise<boolean>): Promise<boolean>
  /** Resolves at the end, whichever it was. */
  readonly ended: Promise<unknown>
}

export function enrolAhead(db: Db, destinationId: string, signal: AbortSignal): EnrolAhead {
  let part = enrolNext(db, destinationId)
  let over = false
  const enrol = async () => {
    try {
      while (await part) {
        signal.throwIfAborted()
        part = enrolNext(db, destinationId)
      }
    } finally {
      over = true
    }
  }
  const ended = Promise.allSettled([enrol()])
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

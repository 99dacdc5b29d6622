/**
 * A reading that costs more than an index lookup, reported at every scrape but read at most once a minute: counts over
 * tables that grow without limit. While one is read, the previous one is reported with its age; if a database fault
 * ends it, the previous one is kept.
 */
import { databaseFault } from '../../db/database-fault.ts'

export interface AgedReading {
  /**
   * @returns age of the reported reading in seconds; null where nothing was read yet. Waits only for the first reading.
   */
  age(): Promise<number | null>
  /** Discards the reading, for example after the database was unavailable. */
  forget(): void
}

const freshMs = 60_000
/** A scrape must not hang on a busy database. */
const firstMs = 3_000

/** @param read also sets the reported values. @param now in milliseconds. */
export function agedReading(read: () => Promise<unknown>, now: () => number = () => performance.now()): AgedReading {
  let readAt: number | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let fault: Error | undefined
  const begin = (): Promise<void> => {
    askedAt = now()
    return read()
      .then(() => {
        readAt = askedAt
      })
      .catch((error: unknown) => {
        fault = error instanceof Error ? error : new Error(String(error))
      })
      .finally(() => {
        reading = undefined
      })
  }
  return {
    async age() {
      if (!reading && now() - askedAt >= freshMs) reading = begin()
      if (readAt === undefined && reading) await within(firstMs, reading)
      const found = fault
      fault = undefined
      if (found !== undefined && !databaseFault(found)) throw found
      return readAt === undefined ? null : Math.max(0, now() - readAt) / 1000
    },
    forget() {
      readAt = undefined
      askedAt = Number.NEGATIVE_INFINITY
    },
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
    timer.unref()
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

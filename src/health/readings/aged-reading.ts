/**
 * A reading that costs more than a look into an index, told at every scrape and read at most once a minute: counts over
 * tables that grow without end. While one is read, the one before is told with its age; one that a database fault ends leaves it as it is.
 */
import { databaseFault } from '../../db/database-fault.ts'

export interface AgedReading {
  /** @returns seconds since what is told was read; null where nothing was read yet. Waits for the first reading alone. */
  age(): Promise<number | null>
  /** What was read counts no more, as after the database was away. */
  forget(): void
}

const freshMs = 60_000
/** A scrape must not hang on a busy database. */
const firstMs = 3_000

/** @param read also sets what is told. @param now in milliseconds. */
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

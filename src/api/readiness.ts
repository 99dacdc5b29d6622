/**
 * Whether this process can serve, asked by whoever likes and as often as they like: one probe is under way at a time,
 * its result is shared for a second, and one that does not end is given up, not joined by another.
 */
import type { KeyRing } from '../access/signing-keys.ts'
import type { Db } from '../db/db.ts'
import { requireWritable } from '../db/writable.ts'
import { AppError } from '../errors.ts'

/** Resolves where the process can serve. @throws AppError UNAVAILABLE, or what the database says, with the reason. */
export type Readiness = () => Promise<void>

export interface ReadinessBounds {
  readonly sharedMs: number
  readonly timeoutMs: number
}

/** What a process needs of its database: an answer, writes, and the key of what is sealed there. */
export const canServe = (db: Db, keyRing: KeyRing) => async (): Promise<void> => {
  await requireWritable(db)
  await keyRing.check(db)
}

/** @param ask best on a connection of its own: one that is shared with requests waits for them. */
export function createReadiness(
  ask: () => Promise<unknown>,
  { sharedMs, timeoutMs }: ReadinessBounds,
  nowMs: () => number = () => performance.now(),
): Readiness {
  let answer: Promise<void> | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let underWay = false

  return () => {
    const isFresh = nowMs() - askedAtMs < sharedMs
    if (answer && (isFresh || underWay)) return answer
    underWay = true
    askedAtMs = nowMs()
    const probe = ask().finally(() => {
      underWay = false
    })
    answer = within(probe, timeoutMs)
    return answer
  }
}

async function within(probe: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `The database did not answer within ${timeoutMs / 1000} s.`
      reject(new AppError('UNAVAILABLE', message, { retryAfterSeconds: 2, extra: { reason: 'database_silent' } }))
    }, timeoutMs)
  })
  try {
    await Promise.race([probe, late])
  } finally {
    clearTimeout(timer)
    // Given up, it may still fail later.
    probe.catch(() => {})
  }
}

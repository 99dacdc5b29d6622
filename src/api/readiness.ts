/**
 * Whether this process can serve, for any caller at any rate: one probe runs at a time, its result is shared for a
 * second, and one that does not end is abandoned, not joined by another.
 */
import type { KeyRing } from '../access/signing-keys.ts'
import type { Db } from '../db/db.ts'
import { requireWritable } from '../db/writable.ts'
import { withinAwake } from '../domain/awake-time.ts'
import { AppError } from '../errors.ts'

/** Resolves where the process can serve. @throws AppError UNAVAILABLE, or the database's error, with the reason. */
export type Readiness = () => Promise<void>

export interface ReadinessBounds {
  readonly sharedMs: number
  readonly timeoutMs: number
}

/** What a process needs of its database: a response, writes, and the key of what is sealed there. */
export const canServe = (db: Db, keyRing: KeyRing) => async (): Promise<void> => {
  await requireWritable(db)
  await keyRing.check(db)
}

/** @param ask best on a separate connection: one that is shared with requests waits for them. */
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

/** Time in which the loop was blocked does not count: the database's answer was waiting to be read. */
async function within(probe: Promise<unknown>, timeoutMs: number): Promise<void> {
  // Once abandoned, it may still fail later.
  probe.catch(() => {})
  await withinAwake(probe, timeoutMs, () => {
    const message = `The database did not answer within ${timeoutMs / 1000} s.`
    throw new AppError('UNAVAILABLE', message, { retryAfterSeconds: 2, extra: { reason: 'database_silent' } })
  })
}

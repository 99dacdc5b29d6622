/**
 * Whether this process can serve, asked by whoever likes and as often as they like: one probe is under way at a time,
 * its result is shared for a second, and one that does not end is given up, not joined by another.
 */
import type { KeyRing } from '../access/signing-keys.ts'
import type { Db } from '../db/db.ts'
import { requireWritable } from '../db/writable.ts'
import { withinAwake } from '../domain/awake-time.ts'
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

/** Time in which the loop was blocked is no silence of the database: its answer lay there unread. */
async function within(probe: Promise<unknown>, timeoutMs: number): Promise<void> {
  // Given up, it may still fail later.
  probe.catch(() => {})
  await withinAwake(probe, timeoutMs, () => {
    const message = `The database did not answer within ${timeoutMs / 1000} s.`
    throw new AppError('UNAVAILABLE', message, { retryAfterSeconds: 2, extra: { reason: 'database_silent' } })
  })
}

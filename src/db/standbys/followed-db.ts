/**
 * A database whose reads of the registers go to standbys, and all else to the primary. A read is asked of the standby with the
 * fewest at work; one that turns out to be behind, silent or away is left out, and the read goes on to the next server, at
 * last to the primary. So no read fails because a standby does, and none sees an older register than the one before it.
 */
import { codeOf } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'
import { databaseFaultReason } from '../database-fault.ts'
import type { Db } from '../db.ts'
import { noteCanceller } from './canceller.ts'
import { type StandbyWatch, versionsSeen } from './watch.ts'

export interface FollowedStandby {
  readonly reads: Db
  /** Carries the cancel requests of its reads: those of another server would end somebody else's statement. */
  readonly cancels: Db
}

/** The standby does not hold yet what this process has shown already. */
class BehindError extends Error {}

/** @param standbys at the places that `watch` knows them by. */
export function followedDb(primary: Db, standbys: readonly FollowedStandby[], watch: StandbyWatch): Db {
  const busy = ({ reads }: FollowedStandby): number => {
    const { open, idle, waiting } = reads.poolUsage()
    return open - idle + waiting
  }
  /** Those that may be read, the least busy first. */
  const candidates = () =>
    watch
      .usable()
      .flatMap((place) => {
        const standby = standbys[place]
        return standby ? [{ place, standby, at: busy(standby) }] : []
      })
      .toSorted((one, other) => one.at - other.at)

  async function read<T>(ask: (standby: FollowedStandby) => Promise<T>, askPrimary: () => Promise<T>): Promise<T> {
    for (const { place, standby } of candidates()) {
      try {
        return await unlessSilent(ask(standby), watch.silence(place))
      } catch (error) {
        if (!isOfTheStandby(error)) throw error
        watch.leaveOut(place)
      }
    }
    return askPrimary()
  }

  return {
    ...primary,
    query: (sql, values) =>
      read(
        ({ reads }) => reads.query(sql, values),
        () => primary.query(sql, values),
      ),
    readSnapshot: (timeoutMs, work) =>
      read(
        ({ reads, cancels }) =>
          reads.readSnapshot(timeoutMs, async (tx) => {
            noteCanceller(tx.client, cancels)
            const versions = await versionsSeen(tx)
            if (versions < watch.floor()) throw new BehindError('the standby is behind')
            watch.saw(versions)
            return work(tx)
          }),
        () =>
          primary.readSnapshot(timeoutMs, async (tx) => {
            watch.saw(await versionsSeen(tx))
            return work(tx)
          }),
      ),
  }
}

/** What a standby says of itself, and another server would not: it is away, replays over a read, or takes no writes. */
function isOfTheStandby(error: unknown): boolean {
  if (error instanceof BehindError) return true
  if (error instanceof AppError) return error.code === 'UNAVAILABLE'
  if (!(error instanceof Error)) return false
  const reason = databaseFaultReason(error)
  return codeOf(error) === '40001' || (reason !== undefined && reason !== 'statement_cancelled')
}

/** What is asked of a server that is gone may stay unanswered for long; its end is nobody's any more. */
async function unlessSilent<T>(work: Promise<T>, silence: AbortSignal): Promise<T> {
  let leave = () => {}
  const silent = new Promise<never>((_resolve, reject) => {
    leave = () => reject(new BehindError('the standby is silent'))
    silence.addEventListener('abort', leave, { once: true })
    if (silence.aborted) leave()
  })
  try {
    return await Promise.race([work, silent])
  } finally {
    silence.removeEventListener('abort', leave)
    work.catch(() => {})
  }
}

/**
 * A database that sends reads of the registers to standbys, and everything else to the primary. A read goes to the
 * least busy standby. If that is behind, silent or unavailable, it is skipped and the read goes to the next server,
 * finally to the primary. So no read fails because of a standby, and none sees an older register than the one before
 * it.
 */
import { codeOf } from '../../domain/fault-code.ts'
import { AppError } from '../../errors.ts'
import { databaseFaultReason } from '../database-fault.ts'
import type { Db } from '../db.ts'
import { noteCanceller } from './canceller.ts'
import { type StandbyWatch, versionsSeen } from './watch.ts'

export interface FollowedStandby {
  readonly reads: Db
  /** Sends the cancel requests of its reads: on another server, the same pid would be another caller's statement. */
  readonly cancels: Db
}

/** The standby does not have data yet that this process has already shown. */
class BehindError extends Error {}

/** @param standbys in the order in which `watch` numbers them. */
export function followedDb(primary: Db, standbys: readonly FollowedStandby[], watch: StandbyWatch): Db {
  const busy = ({ reads }: FollowedStandby): number => {
    const { open, idle, waiting } = reads.poolUsage()
    return open - idle + waiting
  }
  /** The usable standbys, least busy first. */
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

/** Errors specific to a standby: it is unavailable, its replay conflicts with a read, or it is read-only. */
function isOfTheStandby(error: unknown): boolean {
  if (error instanceof BehindError) return true
  if (error instanceof AppError) return error.code === 'UNAVAILABLE'
  if (!(error instanceof Error)) return false
  const reason = databaseFaultReason(error)
  return codeOf(error) === '40001' || (reason !== undefined && reason !== 'statement_cancelled')
}

/** A server that is gone may leave a query unanswered for long; its eventual outcome is ignored. */
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

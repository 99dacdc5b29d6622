/**
 * One token bucket per remote account, stored in PostgreSQL so that all workers share it. The vendor's headers adjust
 * it: a block holds until its end, an hour at most; a share of the day's quota stays with the customer; and if they
 * report a window, the bucket refills at a pace that never fills a window.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { CallGate, LimitReport, Pace } from '../../../connectors/call-gate.ts'
import { waitMsMax as blockMsMax } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import { usualCustomerShare } from './customer-share.ts'

export interface LimiterOptions {
  readonly remoteAccount: string
  readonly callsPerSecond: number
  /** Share of the day's calls that is left to the customer's other programs. */
  readonly customerShare?: number
  /** Longest wait inside a job; for a longer one the job is rescheduled. */
  readonly waitMsMax?: number
}

export interface Limiter extends CallGate {
  /** Stores what was observed since the last call. */
  flush(): Promise<void>
  /** Milliseconds until the next call may be made; takes no token. */
  waitMs(): Promise<number>
}

type Observed = LimitReport & { readonly blockedForMs?: number; readonly pace?: Pace }

/**
 * Shares of a window's calls: the steady rate, and the burst on top of it. The rest covers calls that are slow on
 * their way and arrive in the next window.
 */
const flowShare = 0.95
const burstShare = 0.02
/** A pace beyond this is not credible. */
const paceCallsMax = 10_000

const usedUp = "Panji's calls to the CRM are used up for now"

const takeSql = sqlFile(import.meta.url, 'limiter-take.sql')
const waitSql = sqlFile(import.meta.url, 'limiter-wait.sql')
const observeSql = sqlFile(import.meta.url, 'limiter-observe.sql')
const whySql = sqlFile(import.meta.url, 'limiter-why.sql')
const reopenSql = sqlFile(import.meta.url, 'limiter-reopen.sql')

/** For a manual retry: the next call finds out whether the CRM's daily quota is still used up. */
export async function reopenLimiter(db: Queryable, destinationId: string): Promise<void> {
  await db.execute(reopenSql, [destinationId])
}

export function createLimiter(db: Queryable, options: LimiterOptions): Limiter {
  const { remoteAccount, callsPerSecond } = options
  const usableShare = 1 - (options.customerShare ?? usualCustomerShare)
  const waitMsMax = options.waitMsMax ?? 5_000
  let observed: Observed | null = null
  let exists = false

  async function flush(): Promise<void> {
    if (!observed) return
    const { dailyUsed, dailyLimit, blockedForMs, pace } = observed
    observed = null
    const learnt = pace === undefined ? null : bucketOf(pace)
    const blockMs = blockedForMs === undefined ? null : Math.min(blockedForMs, blockMsMax)
    const reported = [dailyUsed, dailyLimit, blockMs, callsPerSecond, learnt?.perSecond, learnt?.burst]
    await db.execute(observeSql, [remoteAccount, ...reported])
  }

  return {
    flush,
    async waitMs() {
      const [row] = await db.query<{ waitMs: number | null }>(waitSql, [remoteAccount, usableShare])
      return Math.max(0, Math.ceil(row?.waitMs ?? 0))
    },
    observe(report) {
      observed = observed ? { ...observed, ...report } : report
    },
    async take(calls, signal) {
      await flush()
      if (!exists) {
        await db.execute(
          'INSERT INTO deliver.limiter (remote_account, tokens) VALUES ($1, $2) ON CONFLICT (remote_account) DO NOTHING',
          [remoteAccount, callsPerSecond],
        )
        exists = true
      }
      for (;;) {
        signal.throwIfAborted()
        const [row] = await db.query<{ waitMs: number }>(takeSql, [remoteAccount, callsPerSecond, calls, usableShare])
        const waitMs = Math.ceil(row?.waitMs ?? 0)
        if (waitMs <= 0) return
        if (waitMs > waitMsMax) {
          const [refusal] = await db.query<{ why: string }>(whySql, [remoteAccount])
          throw new AppError('CRM_UNAVAILABLE', refusal === undefined ? usedUp : `${usedUp}: ${refusal.why}`, {
            retry: { afterMs: waitMs, isQuota: true },
            retryAfterSeconds: Math.ceil(waitMs / 1000),
          })
        }
        await wait(waitMs, undefined, { signal })
      }
    },
  }
}

/** @returns null for a window that is not credible. */
function bucketOf({ calls, perMs }: Pace): { readonly perSecond: number; readonly burst: number } | null {
  if (!(calls >= 1 && calls <= paceCallsMax && perMs >= 100 && perMs <= blockMsMax)) return null
  return { perSecond: (calls * flowShare * 1000) / perMs, burst: Math.max(1, calls * burstShare) }
}

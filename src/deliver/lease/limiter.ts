/**
 * One token bucket per remote account, kept in PostgreSQL so that all workers share it. What the vendor's headers report
 * sets its pace: a block holds until its time, an hour at most, a share of the day's quota stays with the customer, and where
 * they name a window, the bucket fills as fast as no window is ever full.
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
  /** Longest wait inside a job; a longer one is handed to the queue. */
  readonly waitMsMax?: number
}

export interface Limiter extends CallGate {
  /** Stores what was observed since the last call. */
  flush(): Promise<void>
  /** Milliseconds until the next call may go out, without taking it. */
  waitMs(): Promise<number>
}

type Observed = LimitReport & { readonly blockedForMs?: number; readonly pace?: Pace }

/**
 * Of a window's calls: what flows, and what may come at once on top. The rest is for calls that were slow on their way and so
 * arrive in the next window.
 */
const flowShare = 0.95
const burstShare = 0.02
/** A pace that no vendor has is no report. */
const paceCallsMax = 10_000

const usedUp = "Panji's calls to the CRM are used up for now"

const takeSql = sqlFile(import.meta.url, 'limiter-take.sql')
const waitSql = sqlFile(import.meta.url, 'limiter-wait.sql')
const observeSql = sqlFile(import.meta.url, 'limiter-observe.sql')
const whySql = sqlFile(import.meta.url, 'limiter-why.sql')
const reopenSql = sqlFile(import.meta.url, 'limiter-reopen.sql')

/** A person asks for another try: the CRM is asked whether its quota of the day is still used up. */
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
    const told = [dailyUsed, dailyLimit, blockMs, callsPerSecond, learnt?.perSecond, learnt?.burst]
    await db.execute(observeSql, [remoteAccount, ...told])
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
          const [told] = await db.query<{ why: string }>(whySql, [remoteAccount])
          throw new AppError('CRM_UNAVAILABLE', told === undefined ? usedUp : `${usedUp}: ${told.why}`, {
            retry: { afterMs: waitMs, isQuota: true },
            retryAfterSeconds: Math.ceil(waitMs / 1000),
          })
        }
        await wait(waitMs, undefined, { signal })
      }
    },
  }
}

/** @returns null for a window that cannot be meant. */
function bucketOf({ calls, perMs }: Pace): { readonly perSecond: number; readonly burst: number } | null {
  if (!(calls >= 1 && calls <= paceCallsMax && perMs >= 100 && perMs <= blockMsMax)) return null
  return { perSecond: (calls * flowShare * 1000) / perMs, burst: Math.max(1, calls * burstShare) }
}

/**
 * What a failed session with a CRM means for its destination: how long no call is made, and when it counts as broken.
 * A broken destination is retried automatically, at growing intervals; the first success closes the breaker. A
 * used-up quota is waited for and does not count as a failure. Recording a failure twice only lengthens the wait.
 */
import { waitMsMax } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import type { Lease } from './lease.ts'

/** Consecutive transient failures after which a CRM counts as broken: about a minute. */
const failuresMax = 5

/** Seconds until the first retry, doubled with each failure, and the maximum. */
const waits = {
  /** An outage. */
  passing: { first: 2, longest: 60 },
  /** A person has to do something in the CRM or with the credentials. */
  standing: { first: 60, longest: 3_600 },
} as const

export interface StandingFailure {
  readonly code: string
  /** Shown to people; never contains a secret. */
  readonly message: string
}

export interface BreakerMove {
  readonly failure: StandingFailure
  /** True for the failure that broke the destination. */
  readonly opened: boolean
}

const openSql = sqlFile(import.meta.url, 'breaker-open.sql')
const closeSql = sqlFile(import.meta.url, 'breaker-close.sql')

/** Records a failure with its destination. @returns undefined if another holder has taken over. */
export async function noteFailure(db: Queryable, lease: Lease, error: unknown): Promise<BreakerMove | undefined> {
  const known =
    error instanceof AppError
      ? error
      : new AppError('INTERNAL', 'An unexpected failure; see the log', { retry: 'later' })
  const { code, message, retry } = known
  const failure = { code: vendorCodeOf(known) ?? code, message }
  const wait = retry === 'never' || isStanding(known) ? waits.standing : waits.passing
  const hinted = typeof retry === 'object' ? Math.min(retry.afterMs, waitMsMax) : null
  const breaksAt = isStanding(known) || retry === 'never' ? 1 : failuresMax
  const counted = typeof retry === 'object' && retry.isQuota ? 0 : 1
  const [row] = await db.query<{ opened: boolean }>(openSql, [
    lease.destinationId,
    lease.fence,
    JSON.stringify(failure),
    hinted,
    wait.first,
    wait.longest,
    breaksAt,
    counted,
  ])
  return row && { failure, opened: row.opened }
}

/** Records a success. @returns true if the account was notified of the breakage and not yet of the recovery. */
export async function noteSuccess(db: Queryable, lease: Lease): Promise<boolean> {
  const [row] = await db.query<{ closed: boolean }>(closeSql, [lease.destinationId, lease.fence])
  return row?.closed ?? false
}

/** A limit of the CRM itself, storage or licences, which only its owner can raise. */
const isStanding = ({ code }: AppError) => code === 'CRM_LIMIT_REACHED'

function vendorCodeOf({ extra }: AppError): string | undefined {
  const code = extra['vendorCode']
  return typeof code === 'string' ? code : undefined
}

/**
 * What a failed conversation with a CRM means for its destination: how long nobody calls, and from when it counts as broken.
 * A broken destination is retried automatically, less and less often; the first good answer closes the breaker. A quota that is used up is waited for and breaks
 * nothing. Run twice, a failure only waits longer.
 */
import { waitMsMax } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { AppError } from '../../errors.ts'
import type { Lease } from './lease.ts'

/** Failures in a row after which a CRM that should pass counts as broken: about a minute. */
const failuresMax = 5

/** Seconds until the next try after the first failure, doubled with each, and the longest. */
const waits = {
  /** An outage. */
  passing: { first: 2, longest: 60 },
  /** Somebody has to do something in the CRM or with the credentials. */
  standing: { first: 60, longest: 3_600 },
} as const

export interface StandingFailure {
  readonly code: string
  /** What a person reads; never a secret. */
  readonly message: string
}

export interface BreakerMove {
  readonly failure: StandingFailure
  /** True for the failure that broke the destination. */
  readonly opened: boolean
}

const openSql = sqlFile(import.meta.url, 'breaker-open.sql')
const closeSql = sqlFile(import.meta.url, 'breaker-close.sql')

/** Keeps a failure with its destination. @returns undefined where another holder has taken over. */
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

/** The CRM answered well. @returns true where the account was told that it fails, and not yet that it recovered. */
export async function noteSuccess(db: Queryable, lease: Lease): Promise<boolean> {
  const [row] = await db.query<{ closed: boolean }>(closeSql, [lease.destinationId, lease.fence])
  return row?.closed ?? false
}

/** A limit of the CRM's own, storage or licences, which only its owner can lift. */
const isStanding = ({ code }: AppError) => code === 'CRM_LIMIT_REACHED'

function vendorCodeOf({ extra }: AppError): string | undefined {
  const code = extra['vendorCode']
  return typeof code === 'string' ? code : undefined
}

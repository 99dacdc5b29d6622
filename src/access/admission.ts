/**
 * Admits a call: checks the current session and account of a token, and takes one unit of the burst limit and, where
 * the route has one, of the daily limit. One round trip for all waiting calls; `admit.sql` documents the invariant of
 * the counting.
 */

import { burstPerMinute, dailyLimits, type PlanName } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { gathered } from '../db/gathered.ts'
import { sqlFile } from '../db/sql-file.ts'
import { type AccountRole, scopesOfRole } from '../domain/account-role.ts'
import { limitDayOf } from '../domain/iso-date.ts'
import type { KeyScope } from '../domain/key-scope.ts'
import { shownInstant } from '../domain/shown-instant.ts'
import { AppError } from '../errors.ts'
import { refusedBy } from '../limits/refused-by.ts'
import type { AccessToken } from './access-token.ts'
import { comparableAddress } from './blocked-addresses.ts'
import type { ActingPerson } from './people.ts'

export type DailyLimitKind = 'search' | 'details' | 'screener'

export interface AccessLimits {
  readonly burstPerMinute: number
  readonly daily: Readonly<Record<PlanName, Readonly<Record<DailyLimitKind, number | null>>>>
}

export const planLimits: AccessLimits = { burstPerMinute, daily: dailyLimits }

export interface Viewer {
  readonly id: string
  readonly name: string
}

export interface AdmittedAccount {
  readonly accountId: string
  readonly sessionId: string
  /** The key that opened the session; null for a person or an operator's view. */
  readonly apiKeyId: string | null
  /** The signed-in person with their current role; null where a key opened the session. */
  readonly person: ActingPerson | null
  /** The account requires a second factor and this person has none: it must be added before anything else. */
  readonly mustAddSecondFactor: boolean
  /** The operator who is viewing the account read-only. */
  readonly viewer: Viewer | null
  readonly scopes: readonly KeyScope[]
  /** The standing order that the key is bound to; null if unbound. */
  readonly standingOrderId: string | null
  readonly email: string
  readonly username: string
  readonly plan: PlanName
  readonly isEnterprise: boolean
}

/** What is left of a limit; the numbers of the X-RateLimit headers. */
export interface LimitReading {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: Date
}

/** A unit of a daily limit; a failed call returns it. */
export interface DailyUnit {
  readonly accountId: string
  readonly kind: DailyLimitKind
  /** UTC day by the database's clock. */
  readonly day: string
}

export interface Admission {
  readonly account: AdmittedAccount
  readonly burst: LimitReading
  /** null where the route has no daily limit; `limit` is null where the plan has none. */
  readonly daily: { readonly limit: number | null; readonly remaining: number | null; readonly resetAt: Date } | null
  readonly unit: DailyUnit | null
  /** Set when a limit is used up: the call must be refused. */
  readonly exhausted: ExhaustedLimit | null
}

export interface ExhaustedLimit extends LimitReading {
  readonly which: 'burst' | 'daily'
  readonly message: string
  readonly retryAfterSeconds: number
}

interface AdmissionRow extends Omit<AdmittedAccount, 'viewer' | 'person'> {
  readonly personId: string | null
  readonly personName: string
  readonly personEmail: string
  readonly personRole: AccountRole
  readonly viewerId: string | null
  readonly viewerName: string | null
  /** Position of the call in its batch, from 1. */
  readonly n: number
  readonly verdict: 'admitted' | 'address_blocked' | 'suspended' | 'revoked' | 'expired'
  readonly dailyLimit: number | null
  /** null where no unit was left. */
  readonly burstUsed: number | null
  readonly dailyUsed: number | null
  /** The database's clock. */
  readonly nowMs: number
}

/**
 * @throws AppError ADDRESS_BLOCKED, ACCOUNT_SUSPENDED, TOKEN_EXPIRED, UNAUTHENTICATED; an exhausted limit is a value.
 */
export type Admit = (token: AccessToken, address: string, kind: DailyLimitKind | undefined) => Promise<Admission>

interface WaitingCall {
  readonly token: AccessToken
  readonly address: string
  readonly kind: DailyLimitKind | undefined
}

const admitStatement = { name: 'admit', text: sqlFile(import.meta.url, 'admit.sql') }

/**
 * One statement runs at a time, and calls that arrive in the meantime are admitted together by the next one. So calls
 * of one account do not queue for its counters one by one, a statement's fixed cost is shared, and each call is still
 * checked after it arrived.
 */
export function createAdmission(db: Queryable, limits: AccessLimits = planLimits): Admit {
  const dailyLimitsByPlan = JSON.stringify(limits.daily)
  const admitAll = async (calls: readonly WaitingCall[]) => {
    const rows = await db.query<AdmissionRow>(admitStatement, [
      calls.map(({ token }) => token.sessionId),
      calls.map(({ token }) => token.kid),
      calls.map(({ token }) => token.issuedAt),
      calls.map(({ token }) => token.expiresAt),
      calls.map(({ address }) => comparableAddress(address)),
      calls.map(({ kind }) => kind ?? null),
      limits.burstPerMinute,
      dailyLimitsByPlan,
    ])
    const rowOf = new Map(rows.map((row) => [row.n, row]))
    return calls.map((_, index) => rowOf.get(index + 1))
  }
  const admitOne = gathered(admitAll, { batchMax: 200, atOnce: 1 })
  return async (token, address, kind) =>
    admissionOf(await admitOne({ token, address, kind }), kind, limits.burstPerMinute)
}

const minuteMs = 60_000
const dayMs = 86_400_000
const nextTurn = (nowMs: number, periodMs: number) => new Date((Math.floor(nowMs / periodMs) + 1) * periodMs)

function admissionOf(row: AdmissionRow | undefined, kind: DailyLimitKind | undefined, burstLimit: number): Admission {
  refuse(row?.verdict ?? 'revoked')
  if (!row) throw new Error('an admitted call has no account')

  const { sessionId, apiKeyId, viewerId, viewerName, scopes, standingOrderId, accountId, nowMs } = row
  const { email, username, plan, isEnterprise, mustAddSecondFactor } = row
  const viewer = viewerId === null || viewerName === null ? null : { id: viewerId, name: viewerName }
  const person = personOf(row)
  const key = {
    sessionId,
    apiKeyId,
    viewer,
    person,
    scopes: person ? scopesOfRole[person.role] : scopes,
    standingOrderId,
    mustAddSecondFactor,
  }
  const account = { ...key, accountId, email, username, plan, isEnterprise }
  const burst = {
    limit: burstLimit,
    remaining: burstLimit - (row.burstUsed ?? burstLimit),
    resetAt: nextTurn(nowMs, minuteMs),
  }
  const refused = { account, burst, daily: null, unit: null }
  if (row.burstUsed === null) {
    const message = `More than ${burstLimit} requests in a minute. Slow down.`
    return { ...refused, exhausted: exhaustedLimit('burst', burst, message, nowMs) }
  }
  if (!kind) return { ...refused, exhausted: null }

  const limit = row.dailyLimit
  const resetAt = nextTurn(nowMs, dayMs)
  if (row.dailyUsed === null) {
    const reading = { limit: limit ?? 0, remaining: 0, resetAt }
    const message = `The daily limit of ${reading.limit} ${kind} requests is used up until ${shownInstant(resetAt)}.`
    return { ...refused, daily: reading, exhausted: exhaustedLimit('daily', reading, message, nowMs) }
  }
  const remaining = limit === null ? null : limit - row.dailyUsed
  const day = limitDayOf(new Date(nowMs))
  return { account, burst, daily: { limit, remaining, resetAt }, unit: { accountId, kind, day }, exhausted: null }
}

/** Uses the current role, not the one at sign-in. */
function personOf({ personId, personName: name, personEmail: email, personRole: role }: AdmissionRow) {
  return personId === null ? null : { personId, name, email, role }
}

function exhaustedLimit(
  which: ExhaustedLimit['which'],
  reading: LimitReading,
  message: string,
  nowMs: number,
): ExhaustedLimit {
  const retryAfterSeconds = Math.max(1, Math.ceil((reading.resetAt.getTime() - nowMs) / 1000))
  return { ...reading, remaining: 0, which, message, retryAfterSeconds }
}

function refuse(verdict: AdmissionRow['verdict']): void {
  switch (verdict) {
    case 'admitted':
      return
    case 'address_blocked':
      throw refusedBy('blockedAddress', 'The operator has blocked this address. Ask the operator to unblock it.')
    case 'suspended':
      throw new AppError('ACCOUNT_SUSPENDED', 'This account is suspended.')
    case 'expired':
      throw new AppError('TOKEN_EXPIRED', 'The access token has expired. Refresh it at POST /api/auth/refresh-token.')
    case 'revoked':
      throw new AppError('UNAUTHENTICATED', 'This session has ended. Log in at POST /api/auth/login.')
  }
}

export interface DetailUsage {
  readonly used: number
  readonly limit: number
  readonly remaining: number
  /** UTC day, YYYY-MM-DD. */
  readonly date: string
}

/** Today's detail requests, for the profile and the access statement. */
export async function detailUsage(
  db: Queryable,
  account: Pick<AdmittedAccount, 'accountId' | 'plan'>,
): Promise<DetailUsage> {
  const [row] = await db.query<{ used: number; date: string }>(
    `SELECT coalesce(max(used), 0) AS used, runtime.limit_day(now()) AS date FROM access.daily_usage
     WHERE account_id = $1 AND kind = 'details' AND day = runtime.limit_day(now())`,
    [account.accountId],
  )
  if (!row) throw new Error('an aggregate returned no row')
  const limit = dailyLimits[account.plan].details
  return { used: row.used, limit, remaining: Math.max(0, limit - row.used), date: row.date }
}

/**
 * Budgets per account and UTC day beside the limits of calls: records of feeds, unknown items, orders, bytes written.
 *
 * Invariant: what is taken in a day never passes the limit. The insert or update of the counter's row decides on its
 * newest version, so N parallel takings in any number of processes are exact; a taking is whole or not at all.
 */

import { type BudgetName, budgets } from '../../config/plans.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'
import { type QuotaAccount, quotaPlanOf, readQuotaAccount } from './quota-account.ts'

/** Of `access.daily_usage`. */
export const budgetKinds: Readonly<Record<BudgetName, string>> = {
  feedRecords: 'feed_records',
  unknownItems: 'unknown_items',
  quotedItems: 'quoted_items',
  orders: 'orders',
  orderedItems: 'ordered_items',
  keptAnswers: 'kept_answers',
  writtenBytes: 'written_bytes',
}

const words: Readonly<Record<BudgetName, string>> = {
  feedRecords: 'records of the feeds',
  unknownItems: 'ordered items that no register holds',
  quotedItems: 'quoted items',
  orders: 'orders',
  orderedItems: 'ordered items',
  keptAnswers: 'answers kept under an Idempotency-Key',
  writtenBytes: 'bytes of requests that store something',
}

export interface BudgetReading {
  /** Null: no limit. */
  readonly limit: number | null
  readonly used: number
  readonly remaining: number | null
  readonly resetAt: Date
  /** UTC day by the database's clock. */
  readonly day: string
}

export interface BudgetTaking extends BudgetReading {
  readonly taken: boolean
}

export const limitOf = (account: QuotaAccount, budget: BudgetName): number | null =>
  budgets[quotaPlanOf(account)][budget]

export interface UsageRow {
  readonly used: number
  readonly day: string
  readonly resetAt: Date
}

const today = 'runtime.limit_day(now())'
const clock = sql`${today} AS day, date_bin('1 day', now(), '1970-01-01T00:00:00Z') + interval '24 hours' AS "resetAt"`
/** Reads a counter of the account $1. @param kind the expression of its kind. */
export const readingText = (kind: string): string => sql`SELECT coalesce((SELECT used FROM access.daily_usage
           WHERE account_id = $1 AND kind = ${kind} AND day = ${today}), 0) AS used, ${clock}`
const readStatement = { name: 'budget-read', text: readingText('$2') }
/**
 * The account is held before its counters, as an erasure does, so that neither waits for the other in turn; its counters in the
 * order of their kinds. A counter without a limit stops at the largest integer instead of failing.
 */
const takeStatement = {
  name: 'budget-take',
  text: sql`INSERT INTO access.daily_usage AS d (account_id, kind, day, used, taken)
         SELECT account_id, asked.kind, ${today}, asked.amount, asked.amount
         FROM access.account, unnest($2::text[], $3::integer[], $4::integer[]) AS asked (kind, amount, most)
         WHERE account_id = $1 AND erased_at IS NULL AND (asked.most IS NULL OR asked.amount <= asked.most)
         ORDER BY asked.kind FOR KEY SHARE OF account
         ON CONFLICT (account_id, kind, day) DO UPDATE
           SET used = least(d.used::bigint + excluded.taken, 2147483647)::integer, taken = excluded.taken
           WHERE NOT EXISTS (
             SELECT FROM unnest($2::text[], $4::integer[]) AS asked (kind, most)
             WHERE asked.kind = d.kind AND d.used::bigint + excluded.taken > asked.most)
         RETURNING d.kind, used, ${clock}`,
}

export async function readBudget(
  db: Queryable,
  accountId: string,
  budget: BudgetName,
  limit: number | null,
): Promise<BudgetReading> {
  const [row] = await db.query<UsageRow>(readStatement, [accountId, budgetKinds[budget]])
  if (!row) throw new Error('the statement of a budget returns one row')
  return budgetReading(row, limit)
}

/** @throws AppError NOT_FOUND for an erased account. */
export async function takeBudget(
  db: Queryable,
  accountId: string,
  budget: BudgetName,
  amount: number,
  limit: number | null,
): Promise<BudgetTaking> {
  const [row] = await take(db, accountId, [[budget, amount, limit]])
  if (row) return { taken: true, ...budgetReading(row, limit) }
  await readQuotaAccount(db, accountId)
  return { taken: false, ...(await readBudget(db, accountId, budget, limit)) }
}

type Asked = readonly [budget: BudgetName, amount: number, limit: number | null]

/** @returns the counters that had room, none for an erased account. */
const take = (db: Queryable, accountId: string, asked: readonly Asked[]): Promise<(UsageRow & { kind: string })[]> =>
  db.query(takeStatement, [
    accountId,
    asked.map(([budget]) => budgetKinds[budget]),
    asked.map(([, amount]) => amount),
    asked.map(([, , limit]) => limit),
  ])

/** @throws AppError RATE_LIMITED with `budget`, `limit`, `used` and `reset`; nothing was taken then. */
export async function spendBudget(
  db: Queryable,
  account: QuotaAccount,
  budget: BudgetName,
  amount: number,
): Promise<BudgetReading> {
  const taking = await takeBudget(db, account.accountId, budget, amount, limitOf(account, budget))
  if (!taking.taken) throw budgetExhausted(budget, taking)
  return taking
}

/**
 * Spends of several budgets at once, in the caller's transaction: what the others had room for goes back with it.
 * @throws AppError RATE_LIMITED for the first of them that does not suffice
 */
export async function spendBudgets(
  tx: Tx,
  account: QuotaAccount,
  amounts: readonly (readonly [BudgetName, number])[],
): Promise<void> {
  const asked = amounts.map(([budget, amount]): Asked => [budget, amount, limitOf(account, budget)])
  const taken = new Set((await take(tx, account.accountId, asked)).map(({ kind }) => kind))
  const refused = asked.find(([budget]) => !taken.has(budgetKinds[budget]))
  if (!refused) return
  const [budget, , limit] = refused
  await readQuotaAccount(tx, account.accountId)
  throw budgetExhausted(budget, await readBudget(tx, account.accountId, budget, limit))
}

/** Gives back what was taken on `day` and not used after all. */
export async function giveBackBudget(
  db: Queryable,
  accountId: string,
  budget: BudgetName,
  amount: number,
  day: string,
): Promise<void> {
  await db.execute(
    `UPDATE access.daily_usage SET used = greatest(used - $3::integer, 0)
     WHERE account_id = $1 AND kind = $2 AND day = $4::date`,
    [accountId, budgetKinds[budget], amount, day],
  )
}

/** Takes all that is left, for a request that would have used more. */
export async function exhaustBudget(
  db: Queryable,
  accountId: string,
  budget: BudgetName,
  limit: number,
): Promise<BudgetReading> {
  await db.execute(
    sql`INSERT INTO access.daily_usage AS d (account_id, kind, day, used)
     SELECT account_id, $2, ${today}, $3 FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR KEY SHARE
     ON CONFLICT (account_id, kind, day) DO UPDATE SET used = greatest(d.used, $3)`,
    [accountId, budgetKinds[budget], limit],
  )
  return readBudget(db, accountId, budget, limit)
}

export function budgetExhausted(budget: BudgetName, { limit, used, resetAt }: BudgetReading, hint = ''): AppError {
  const message = `The daily budget of ${limit} ${words[budget]} does not suffice; ${used} are used.${hint}`
  return new AppError('RATE_LIMITED', message, {
    extra: { budget: budgetKinds[budget], limit, used, reset: resetAt.toISOString() },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - Date.now()) / 1000)),
  })
}

export function budgetReading({ used, day, resetAt }: UsageRow, limit: number | null): BudgetReading {
  return { limit, used, remaining: limit === null ? null : Math.max(0, limit - used), resetAt, day }
}

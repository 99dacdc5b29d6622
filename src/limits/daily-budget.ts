/**
 * Budgets per account and UTC day in addition to the call limits: feed records, unknown items, orders, bytes written.
 * `counter.ts` documents the invariant of the counting.
 */
import { type BudgetName, budgets } from '../../config/plans.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { shownInstant } from '../domain/shown-instant.ts'
import type { AppError } from '../errors.ts'
import { exhaustCount, readCount, type Taking, takeCounts, type UsageRow } from './counter.ts'
import { type QuotaAccount, quotaPlanOf, readQuotaAccount } from './quota-account.ts'
import { type RefusingLimit, refusedBy } from './refused-by.ts'

/** Kind in `access.daily_usage`. */
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
  feedRecords: 'feed records',
  unknownItems: 'ordered items that no register holds',
  quotedItems: 'quoted items',
  orders: 'orders',
  orderedItems: 'ordered items',
  keptAnswers: 'responses stored under an Idempotency-Key',
  writtenBytes: 'bytes of requests that store something',
}

export interface BudgetReading {
  /** null: no limit. */
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

export async function readBudget(
  db: Queryable,
  accountId: string,
  budget: BudgetName,
  limit: number | null,
): Promise<BudgetReading> {
  return budgetReading(await readCount(db, accountId, budgetKinds[budget]), limit)
}

/** @throws AppError NOT_FOUND for an erased account. */
export async function takeBudget(
  db: Queryable,
  accountId: string,
  budget: BudgetName,
  amount: number,
  limit: number | null,
): Promise<BudgetTaking> {
  const [row] = await takeCounts(db, accountId, [{ kind: budgetKinds[budget], amount, most: limit }])
  if (row) return { taken: true, ...budgetReading(row, limit) }
  await readQuotaAccount(db, accountId)
  return { taken: false, ...(await readBudget(db, accountId, budget, limit)) }
}

/** @throws AppError RATE_LIMITED with `budget`, `limit`, `used` and `reset`; then nothing was taken. */
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
 * Spends several budgets at once, in the caller's transaction, which rolls all of them back on failure. @throws
 * AppError RATE_LIMITED for the first insufficient one
 */
export async function spendBudgets(
  tx: Tx,
  account: QuotaAccount,
  amounts: readonly (readonly [BudgetName, number])[],
): Promise<void> {
  const takings = amounts.map(
    ([budget, amount]): Taking => ({ kind: budgetKinds[budget], amount, most: limitOf(account, budget) }),
  )
  const taken = new Set((await takeCounts(tx, account.accountId, takings)).map(({ kind }) => kind))
  const [refused] = amounts.map(([budget]) => budget).filter((budget) => !taken.has(budgetKinds[budget]))
  if (refused === undefined) return
  await readQuotaAccount(tx, account.accountId)
  throw budgetExhausted(refused, await readBudget(tx, account.accountId, refused, limitOf(account, refused)))
}

/** Takes all that is left, for a request that would have used more. */
export async function exhaustBudget(
  db: Queryable,
  accountId: string,
  budget: BudgetName,
  limit: number,
): Promise<BudgetReading> {
  await exhaustCount(db, accountId, budgetKinds[budget], limit)
  return readBudget(db, accountId, budget, limit)
}

const limitsOfBudgets: Readonly<Partial<Record<BudgetName, RefusingLimit>>> = {
  writtenBytes: 'writtenBytes',
  keptAnswers: 'keptAnswers',
}

export function budgetExhausted(budget: BudgetName, { limit, used, resetAt }: BudgetReading, hint = ''): AppError {
  const again = shownInstant(resetAt)
  const message = `The daily budget of ${limit} ${words[budget]} does not suffice: ${used} are used, and it starts anew at ${again}.${hint}`
  return refusedBy(limitsOfBudgets[budget] ?? 'dayBudgets', message, {
    extra: { budget: budgetKinds[budget], limit, used, reset: resetAt.toISOString() },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt.getTime() - Date.now()) / 1000)),
  })
}

export function budgetReading({ used, day, resetAt }: UsageRow, limit: number | null): BudgetReading {
  return { limit, used, remaining: limit === null ? null : Math.max(0, limit - used), resetAt, day }
}

/**
 * Finds the records of an order that are struck off, cancelled, deactivated or disqualified, and leaves them out. An
 * error that too few credits are left reveals as much as a quote, so it is charged to the same budget.
 */
import type { Db } from '../db/db.ts'
import { counted } from '../domain/counted.ts'
import { AppError } from '../errors.ts'
import { spendBudget } from '../limits/daily-budget.ts'
import type { QuotaAccount } from '../limits/quota-account.ts'
import { insufficientCredits } from './ledger.ts'
import type { OrderGround } from './order-ground.ts'
import type { OrderItem } from './order-items.ts'

export interface ChosenItems {
  readonly items: readonly OrderItem[]
  /** Indexes, among the chosen items, of those the account bought recently. */
  readonly owned: ReadonlySet<number>
  /** Indexes of the excluded items in the request. */
  readonly excluded: readonly number[]
}

export function chooseItems(
  { owned, inactive }: OrderGround,
  items: readonly OrderItem[],
  excludesInactive: boolean,
): ChosenItems {
  if (!excludesInactive) return { items, owned, excluded: [] }
  const kept = [...items.keys()].filter((index) => inactive[index] !== true)
  return {
    items: kept.flatMap((index) => items[index] ?? []),
    owned: new Set([...kept.keys()].filter((at) => owned.has(kept[at] ?? -1))),
    excluded: [...items.keys()].filter((index) => inactive[index] === true),
  }
}

/**
 * @param balance credits available; Infinity if the order is paid with money.
 * @throws AppError UNPROCESSABLE if no item is left, INSUFFICIENT_CREDITS, RATE_LIMITED
 */
export async function requireCredits(
  db: Db,
  account: QuotaAccount,
  { items, owned, excluded }: ChosenItems,
  balance: number,
): Promise<void> {
  const required = items.length - owned.size
  if (items.length > 0 && balance >= required) return
  if (excluded.length > 0) await spendBudget(db, account, 'quotedItems', items.length + excluded.length)
  if (items.length > 0) throw insufficientCredits(required, balance)
  throw new AppError(
    'UNPROCESSABLE',
    `Nothing was ordered: each of ${counted(excluded.length, 'item')} is struck off, cancelled, deactivated or disqualified.`,
  )
}

/**
 * Which records of an order are struck off, cancelled, deactivated or disqualified, and an order without them. Told that too few
 * credits are left for the others, the buyer learns what a quote says, so it uses the same budget.
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
  /** Indexes among them of what the account bought lately. */
  readonly owned: ReadonlySet<number>
  /** Indexes, as they were asked for, of what is left out. */
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
 * @param balance that must suffice; Infinity where the order is paid with money.
 * @throws AppError UNPROCESSABLE where nothing is left, INSUFFICIENT_CREDITS, RATE_LIMITED
 */
export async function requireCredits(
  db: Db,
  account: QuotaAccount,
  { items, owned, excluded }: ChosenItems,
  balance: number,
): Promise<void> {
  const asked = items.length - owned.size
  if (items.length > 0 && balance >= asked) return
  if (excluded.length > 0) await spendBudget(db, account, 'quotedItems', items.length + excluded.length)
  if (items.length > 0) throw insufficientCredits(asked, balance)
  throw new AppError(
    'UNPROCESSABLE',
    `Nothing was ordered: of ${counted(excluded.length, 'item')} each is struck off, cancelled, deactivated or disqualified.`,
  )
}

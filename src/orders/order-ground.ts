/**
 * Reads in one statement what decides whether an order can be placed, before anything is written. The order's
 * transaction reads all of it again, or enforces it by its writes.
 */
import { orderTerms } from '../../config/plans.ts'
import type { Db } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { fillSql } from '../db/sql-template.ts'
import { readingText, type UsageRow } from '../limits/counter.ts'
import { type BudgetReading, budgetKinds, budgetReading, limitOf } from '../limits/daily-budget.ts'
import { noAccount, type QuotaAccount, quotaAccountText } from '../limits/quota-account.ts'
import { itemRecords } from './item-records.ts'
import { balanceText } from './ledger.ts'
import type { OrderItem } from './order-items.ts'

export interface OrderGround {
  readonly account: QuotaAccount
  /** Credits that can be spent now. */
  readonly balance: number
  readonly unknownItems: BudgetReading
  /** Indexes of the items that the account bought recently. */
  readonly owned: ReadonlySet<number>
  /** For each item: does its register hold it? */
  readonly known: readonly boolean[]
  /** For each item: is it struck off, cancelled, deactivated or disqualified? */
  readonly inactive: readonly boolean[]
}

interface GroundRow extends QuotaAccount, UsageRow {
  readonly balance: number
  readonly owned: readonly number[]
  readonly known: readonly boolean[]
  readonly inactive: readonly boolean[]
}

const statement = {
  name: 'order-ground',
  text: fillSql(sqlFile(import.meta.url, 'order-ground.sql'), {
    account: quotaAccountText,
    budget: readingText('$5'),
    credit: balanceText,
    ...itemRecords,
  }),
}

/** @throws AppError NOT_FOUND for an erased account. */
export async function readOrderGround(db: Db, accountId: string, items: readonly OrderItem[]): Promise<OrderGround> {
  const [row] = await db.query<GroundRow>(statement, [
    accountId,
    items.map(({ type }) => type),
    items.map(({ identifier }) => identifier),
    orderTerms.ownedDays,
    budgetKinds.unknownItems,
  ])
  if (!row) throw noAccount()
  const account = { accountId: row.accountId, plan: row.plan, isEnterprise: row.isEnterprise }
  return {
    account,
    balance: row.balance,
    unknownItems: budgetReading(row, limitOf(account, 'unknownItems')),
    owned: new Set(row.owned.map((place) => place - 1)),
    known: row.known,
    inactive: row.inactive,
  }
}

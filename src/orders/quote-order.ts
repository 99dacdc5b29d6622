/**
 * What an order would bring and cost, before it is placed: counts per type, and nothing of any record. Every item that is
 * counted uses the daily budget of quotes, one that no register holds that of unknown items, too. Nothing else is written.
 */
import type { Db } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { fillSql } from '../db/sql-template.ts'
import type { EntityType } from '../domain/identity.ts'
import { budgetExhausted, exhaustBudget, limitOf, readBudget, spendBudget, takeBudget } from '../limits/daily-budget.ts'
import { readQuotaAccount } from '../limits/quota-account.ts'
import { itemRecords } from './item-records.ts'
import { creditBalance } from './ledger.ts'
import type { OrderItem } from './order-items.ts'
import { ownedItems } from './owned-items.ts'

export interface TypeQuote {
  readonly type: EntityType
  readonly asked: number
  readonly exist: number
  /** Struck off, cancelled, deactivated or disqualified. */
  readonly inactive: number
  readonly reachable: number
  readonly by_email: number
  readonly by_mobile: number
  readonly already_owned: number
  /** Nobody is left to contact: by preference lists that the account heeds, or by objections. */
  readonly suppressed: number
  /** What stays spent once the credits of the unreachable came back. */
  readonly credits_needed: number
  /** What must be there as the order is placed. */
  readonly credits_held: number
}

export interface Quote {
  readonly types: readonly TypeQuote[]
  readonly credits_needed: number
  readonly credits_held: number
  readonly credit_balance: number
}

const quoteItems = fillSql(sqlFile(import.meta.url, 'quote-items.sql'), itemRecords)

/**
 * @param excludesInactive what is inactive is counted as such, and neither as reachable nor as owned nor with a price.
 * @throws AppError RATE_LIMITED when a daily budget does not suffice; nothing was counted then.
 */
export async function quoteOrder(
  db: Db,
  accountId: string,
  items: readonly Pick<OrderItem, 'type' | 'identifier'>[],
  excludesInactive = false,
): Promise<Quote> {
  const account = await readQuotaAccount(db, accountId)
  const unknownMax = limitOf(account, 'unknownItems')
  const unknown = await readBudget(db, accountId, 'unknownItems', unknownMax)
  if (unknown.remaining === 0) throw budgetExhausted('unknownItems', unknown)
  if (items.length > 0) await spendBudget(db, account, 'quotedItems', items.length)
  const owned = await ownedItems(db, accountId, items)
  const types = await db.query<TypeQuote>(quoteItems, [
    items.map(({ type }) => type),
    items.map(({ identifier }) => identifier),
    accountId,
    [...owned].map((index) => index + 1),
    excludesInactive,
  ])
  const sum = (of: (quote: TypeQuote) => number) => types.reduce((total, quote) => total + of(quote), 0)
  const missing = sum(({ asked, exist }) => asked - exist)
  if (missing > 0) {
    const { taken } = await takeBudget(db, accountId, 'unknownItems', missing, unknownMax)
    if (!taken && unknownMax !== null) {
      throw budgetExhausted('unknownItems', await exhaustBudget(db, accountId, 'unknownItems', unknownMax))
    }
  }
  return {
    types,
    credits_needed: sum(({ credits_needed }) => credits_needed),
    credits_held: sum(({ credits_held }) => credits_held),
    credit_balance: await creditBalance(db, accountId),
  }
}

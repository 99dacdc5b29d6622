/**
 * What an order would contain and cost before it is placed: counts per type, and nothing about single records. Every
 * counted item uses the daily budget of quotes, and one that no register holds also that of unknown items. Nothing
 * else is written.
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
  /** Without a usable contact because of preference lists that the account follows, or objections. */
  readonly suppressed: number
  /** The final cost, after refunds for items without a contact. */
  readonly credits_needed: number
  /** The balance needed to place the order. */
  readonly credits_held: number
}

export interface Quote {
  readonly types: readonly TypeQuote[]
  readonly credits_needed: number
  readonly credits_held: number
  readonly credit_balance: number
}

const quoteItems = fillSql(sqlFile(import.meta.url, 'quote-items.sql'), itemRecords)

export interface QuoteTerms {
  /** Inactive records are only counted as inactive, not as reachable or owned, and have no price. */
  readonly excludesInactive?: boolean | undefined
  /**
   * Maps a count to what may be shown. The budget is charged by it as well, so that its remainder reveals no more
   * than the quote.
   */
  readonly shown?: (count: number) => number
}

/** @throws AppError RATE_LIMITED if a daily budget does not suffice; nothing was counted then. */
export async function quoteOrder(
  db: Db,
  accountId: string,
  items: readonly Pick<OrderItem, 'type' | 'identifier'>[],
  { excludesInactive = false, shown = (count) => count }: QuoteTerms = {},
): Promise<Quote> {
  const account = await readQuotaAccount(db, accountId)
  const unknownMax = limitOf(account, 'unknownItems')
  const unknown = await readBudget(db, accountId, 'unknownItems', unknownMax)
  if (unknown.remaining === 0) throw budgetExhausted('unknownItems', unknown)
  if (items.length > 0) await spendBudget(db, account, 'quotedItems', shown(items.length))
  const owned = await ownedItems(db, accountId, items)
  const counted = await db.query<TypeQuote>(quoteItems, [
    items.map(({ type }) => type),
    items.map(({ identifier }) => identifier),
    accountId,
    [...owned].map((index) => index + 1),
    excludesInactive,
  ])
  const missing = sumOf(counted, ({ asked, exist }) => asked - exist)
  if (missing > 0) {
    const { taken } = await takeBudget(db, accountId, 'unknownItems', missing, unknownMax)
    if (!taken && unknownMax !== null) {
      throw budgetExhausted('unknownItems', await exhaustBudget(db, accountId, 'unknownItems', unknownMax))
    }
  }
  const types = counted.map((quote) => shownQuote(quote, shown))
  return {
    types,
    credits_needed: sumOf(types, ({ credits_needed }) => credits_needed),
    credits_held: sumOf(types, ({ credits_held }) => credits_held),
    credit_balance: await creditBalance(db, accountId),
  }
}

const sumOf = (quotes: readonly TypeQuote[], of: (quote: TypeQuote) => number) =>
  quotes.reduce((total, quote) => total + of(quote), 0)

const shownQuote = ({ type, ...counts }: TypeQuote, shown: (count: number) => number): TypeQuote => ({
  type,
  asked: shown(counts.asked),
  exist: shown(counts.exist),
  inactive: shown(counts.inactive),
  reachable: shown(counts.reachable),
  by_email: shown(counts.by_email),
  by_mobile: shown(counts.by_mobile),
  already_owned: shown(counts.already_owned),
  suppressed: shown(counts.suppressed),
  credits_needed: shown(counts.credits_needed),
  credits_held: shown(counts.credits_held),
})

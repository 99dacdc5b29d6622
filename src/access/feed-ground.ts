/**
 * What a page of a feed depends on: what its account may read, and how many records of the day's budget it may return.
 * One round trip for all waiting calls; `feed-ground.sql` documents the invariant of the counting.
 */
import { endedGrantDays } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { gathered } from '../db/gathered.ts'
import { literal } from '../db/sql.ts'
import { sqlFile } from '../db/sql-file.ts'
import { fillSql } from '../db/sql-template.ts'
import type { EntityType } from '../domain/identity.ts'
import { type UsageRow, usageClock } from '../limits/counter.ts'
import { type BudgetReading, budgetKinds, budgetReading } from '../limits/daily-budget.ts'
import type { QuotaAccount } from '../limits/quota-account.ts'
import { type EffectiveScope, type GrantRow, grantsText, scopeOfGrants } from './entitlements.ts'
import { buysText, recordLimits } from './record-budget.ts'

interface PageAsked {
  readonly account: QuotaAccount
  readonly dataset: EntityType
  readonly records: number
}

export interface FeedGround {
  /** In India: a feed ends with it. */
  readonly today: string
  readonly scope: EffectiveScope
  /** The budget after the records were reserved; null where none were, and the call must reserve them itself. */
  readonly reserved: BudgetReading | null
}

interface GroundRow extends GrantRow, Omit<UsageRow, 'used'> {
  /** Position of the call in its batch, from 1. */
  readonly n: number
  readonly most: number | null
  readonly today: string
  /** null where nothing was reserved. */
  readonly used: number | null
  /** false where the account has none: then the row has no grant. */
  readonly isGrant: boolean
}

const statement = {
  name: 'feed-ground',
  text: fillSql(sqlFile(import.meta.url, 'feed-ground.sql'), {
    buys: buysText,
    grants: grantsText('call.account_id', 'call.dataset', '$7'),
    kind: literal(budgetKinds.feedRecords),
    clock: usageClock,
  }),
}

export function createFeedGround(db: Queryable): (page: PageAsked) => Promise<FeedGround> {
  const readAll = async (calls: readonly PageAsked[]) => {
    const limits = calls.map(({ account }) => recordLimits(account))
    const rows = await db.query<GroundRow>(statement, [
      calls.map(({ account }) => account.accountId),
      calls.map(({ dataset }) => dataset),
      calls.map(({ records }) => records),
      calls.map(({ account }) => account.isEnterprise),
      limits.map(({ usual }) => usual),
      limits.map(({ bought }) => bought),
      endedGrantDays,
    ])
    const rowsOf = Map.groupBy(rows, ({ n }) => n)
    return calls.map(({ account }, index) => groundOf(account, rowsOf.get(index + 1) ?? []))
  }
  return gathered(readAll, { batchMax: 200, atOnce: 1 })
}

function groundOf(account: QuotaAccount, rows: readonly GroundRow[]): FeedGround {
  const [first] = rows
  if (!first) throw new Error('the feed-ground statement must return a row for each call')
  const taken = first.used !== null ? { ...first, used: first.used } : undefined
  return {
    today: first.today,
    scope: scopeOfGrants(
      account,
      rows.filter(({ isGrant }) => isGrant),
    ),
    reserved: taken ? budgetReading(taken, taken.most) : null,
  }
}

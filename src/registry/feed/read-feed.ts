/**
 * One page of a feed of recently registered records: newest first, within a territory and a period, with the exact
 * number of matches. Page and total are consistent: one statement reads both, or reads the page and the register's
 * version at which the same scope was counted before.
 */
import type { Db, Queryable } from '../../db/db.ts'
import type { EntityType } from '../../domain/identity.ts'
import type { Scope } from '../../domain/scope.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { readWithTotal } from '../paging/total-cache.ts'
import { type FeedBound, type FeedFilter, filterBounds, partsOf } from './feed-bounds.ts'
import { type FeedStatement, feedStatement } from './feed-statement.ts'

export interface FeedQuery extends FeedFilter {
  /** What the account may see: the union of these; nothing if empty. */
  readonly scopes: readonly Scope[]
  readonly page: number
  readonly limit: number
}

export interface FeedPage<R> {
  readonly data: R[]
  readonly total: number
}

interface FeedRead<R> {
  readonly version: number
  readonly total: number | null
  readonly data: R[]
}

/** Reading a later page scans all pages before it. */
const quickPages = 100
/** The first count of a register with tens of millions of records takes a while, but must not take forever. */
const timeoutMs = 30_000

/**
 * `R` is the record whose columns `feed-record.ts` selects.
 * @throws AppError QUERY_TOO_EXPENSIVE if counting, or reading a late page, takes too long
 */
export async function readFeed<R>(db: Db, dataset: EntityType, query: FeedQuery): Promise<FeedPage<R>> {
  const bounds = filterBounds(dataset, query)
  const parts = partsOf(query.scopes)
  const offset = (query.page - 1) * query.limit
  const statement = (counts: boolean) => feedStatement(dataset, bounds, parts, { limit: query.limit, offset, counts })
  const { data, total } = await readWithTotal(db, keyOf(dataset, [bounds, ...parts]), {
    page: () => (query.page <= quickPages ? readOnce<R>(db, statement(false)) : boundedly<R>(db, statement(false))),
    pageAndTotal: () => boundedly<R>(db, statement(true)),
  })
  return { data, total }
}

/** Identifies what is counted: the same for every page with the same filters. */
const keyOf = (dataset: EntityType, lists: readonly (readonly FeedBound[])[]): string =>
  `feed:${dataset}:${JSON.stringify(lists.map((list) => list.map(({ name, values }) => [name, values])))}`

const boundedly = <R>(db: Db, statement: FeedStatement) =>
  boundedRead(db, (tx) => readOnce<R>(tx, statement), timeoutMs)

async function readOnce<R>(db: Queryable, { sql, values }: FeedStatement): Promise<FeedRead<R>> {
  const [read] = await db.query<FeedRead<R>>(sql, values)
  if (!read) throw new Error('the statement of a feed page returns one row')
  return read
}

/**
 * One page of a feed of recently registered records: newest first, within a territory and a window, with the exact
 * number of matches. Page and total speak of the same moment: one statement reads both, or the page and the registry
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
  /** What the account may see: the union of these; of none nothing. */
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

/** A page further on is read through all before it. */
const quickPages = 100
/** To count a register of tens of millions for the first time takes a while; nothing shall take for ever. */
const timeoutMs = 30_000

/**
 * `R` is the record whose columns `feed-record.ts` selects.
 * @throws AppError QUERY_TOO_EXPENSIVE where counting, or walking to a far page, takes too long
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

/** What is counted: the same for every page of the same bounds. */
const keyOf = (dataset: EntityType, lists: readonly (readonly FeedBound[])[]): string =>
  `feed:${dataset}:${JSON.stringify(lists.map((list) => list.map(({ name, values }) => [name, values])))}`

const boundedly = <R>(db: Db, statement: FeedStatement) =>
  boundedRead(db, (tx) => readOnce<R>(tx, statement), timeoutMs)

async function readOnce<R>(db: Queryable, { sql, values }: FeedStatement): Promise<FeedRead<R>> {
  const [read] = await db.query<FeedRead<R>>(sql, values)
  if (!read) throw new Error('the statement of a feed page returns one row')
  return read
}

/**
 * One page of a feed of recently registered records: newest first, within a territory and a window, with the exact
 * number of matches. Page and total speak of the same moment: one statement reads both, or the page and the registry
 * version at which the same scope was counted before.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { parseCompanyId } from '../../domain/company-id.ts'
import { parseDin } from '../../domain/din.ts'
import type { EntityType } from '../../domain/identity.ts'
import { placeKey, type Scope } from '../../domain/scope.ts'
import { mayOverlap, simplestUnion } from '../../domain/scope-union.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { readWithTotal } from '../paging/total-cache.ts'
import { type FeedBound, type FeedStatement, feedStatement } from './feed-statement.ts'

export interface FeedQuery {
  /** What the account may see: the union of these; of none nothing. */
  readonly scopes: readonly Scope[]
  /** What the caller asks for within it; the state, as those of the scopes, in the spelling of src/domain/states.ts. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly search?: string | undefined
  readonly state?: string | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
  /** In lower case, every spelling that is meant. */
  readonly statuses?: readonly string[] | undefined
  readonly businessTypes?: readonly string[] | undefined
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
 * `R` is the record whose columns `<dataset>-record.sql` selects.
 * @throws AppError QUERY_TOO_EXPENSIVE where counting, or walking to a far page, takes too long
 */
export async function readFeed<R>(db: Db, dataset: EntityType, query: FeedQuery): Promise<FeedPage<R>> {
  const bounds = askedBounds(dataset, query)
  const parts = partsOf(query.scopes)
  const offset = (query.page - 1) * query.limit
  const statement = (counts: boolean) => feedStatement(dataset, bounds, parts, { limit: query.limit, offset, counts })
  const { data, total } = await readWithTotal(db, keyOf(dataset, [bounds, ...parts]), {
    page: () => (query.page <= quickPages ? readOnce<R>(db, statement(false)) : boundedly<R>(db, statement(false))),
    pageAndTotal: () => boundedly<R>(db, statement(true)),
  })
  return { data, total }
}

/**
 * States come in the one spelling of src/domain/states.ts, which the index of the feed answers; other places in lower case.
 */
function askedBounds(dataset: EntityType, query: FeedQuery): FeedBound[] {
  const { from, to, state, districts, pincodes, statuses, businessTypes } = query
  const search = query.search?.trim() || null
  return [
    notBefore(from),
    notAfter(to),
    inState(state),
    inDistricts(districts),
    inPincodes(pincodes),
    { name: 'status', sql: (list) => `lower(f.status) = ANY (${list}::text[])`, values: given(statuses) },
    { name: 'business', sql: (list) => `lower(f.business_type) = ANY (${list}::text[])`, values: given(businessTypes) },
    { name: 'search', sql: isNamed, values: search === null ? null : [search, identifierOf(dataset, search)] },
  ]
}

/** The scopes as parts that share no row: each leaves out what an earlier one holds, where they may overlap. */
function partsOf(scopes: readonly Scope[]): FeedBound[][] {
  const union = simplestUnion(scopes)
  if (union.length === 0) return [[{ name: 'nothing', sql: () => 'false', values: [] }]]
  return union.map((scope, index) => [
    ...boundsOf(scope),
    ...union
      .slice(0, index)
      .filter((earlier) => mayOverlap(earlier, scope))
      .map((earlier) => outside(boundsOf(earlier))),
  ])
}

function boundsOf({ states, districts, pincodes, from, to }: Scope): FeedBound[] {
  const [state, ...further] = states ?? []
  return [
    notBefore(from),
    notAfter(to),
    // An index holds the newest of one state, in order.
    further.length === 0
      ? inState(state)
      : { name: 'states', sql: (list) => `f.state = ANY (${list}::text[])`, values: given(states) },
    inDistricts(districts),
    inPincodes(pincodes),
  ]
}

/** True also of a row whose state, district or pincode is not known, of which no condition on it is false. */
function outside(bounds: readonly FeedBound[]): FeedBound {
  const applied = bounds.filter(({ values }) => values !== null)
  return {
    name: 'outside',
    sql: (...parameters) => {
      const rest = [...parameters]
      const conditions = applied.map(({ sql, values }) => sql(...rest.splice(0, values?.length ?? 0)))
      return `(${conditions.join(' AND ') || 'true'}) IS NOT TRUE`
    },
    values: applied.flatMap(({ values }) => values ?? []),
  }
}

type Given<T> = T | null | undefined

const notBefore = (day: Given<string>): FeedBound => ({
  name: 'from',
  sql: (from) => `f.registered_on >= ${from}::date`,
  values: given(day),
  keepsOrder: true,
})
const notAfter = (day: Given<string>): FeedBound => ({
  name: 'to',
  sql: (to) => `f.registered_on <= ${to}::date`,
  values: given(day),
  keepsOrder: true,
})
const inState = (state: Given<string>): FeedBound => ({
  name: 'state',
  sql: (name) => `f.state = ${name}`,
  values: given(state),
  keepsOrder: true,
})
const inDistricts = (names: Given<readonly string[]>): FeedBound => ({
  name: 'districts',
  sql: (list) => `lower(f.district) = ANY (${list}::text[])`,
  values: given(names?.map(placeKey)),
})
const inPincodes = (pincodes: Given<readonly string[]>): FeedBound => ({
  name: 'pincodes',
  sql: (list) => `f.pincode = ANY (${list}::text[])`,
  values: given(pincodes),
})
const given = (value: unknown): readonly unknown[] | null => (value === null || value === undefined ? null : [value])
const isNamed = (text: string, identifier: string) =>
  `(f.identifier = ${identifier}
    OR CASE WHEN registry.name_key(${text}) = '' THEN strpos(lower(f.name), lower(${text})) > 0
            ELSE strpos(f.name_key, registry.name_key(${text})) > 0 END)`

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

/** The search text in the canonical spelling of an identifier, in case it is one. */
function identifierOf(dataset: EntityType, search: string): string {
  if (dataset === 'director') return parseDin(search) ?? search
  if (dataset === 'company') return parseCompanyId(search)?.value ?? search.toUpperCase()
  return search.toUpperCase()
}

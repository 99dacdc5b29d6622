/**
 * One page of a feed of recently registered records: newest first, within a territory and a window, with the exact
 * number of matches. Page and total speak of the same moment: one statement reads both, or the page and the registry
 * version at which the same scope was counted before.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { parseCompanyId } from '../../domain/company-id.ts'
import { parseDin } from '../../domain/din.ts'
import type { EntityType } from '../../domain/identity.ts'
import { type DateRange, placeKey, type Territory } from '../../domain/scope.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { readWithTotal } from '../paging/total-cache.ts'
import { type FeedBound, type FeedStatement, feedStatement } from './feed-statement.ts'

export interface FeedQuery {
  /** What the account may see. */
  readonly territory: Territory
  readonly window: DateRange
  /** What the caller asks for within it; the state, as those of the territory, in the spelling of src/domain/states.ts. */
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
  const bounds = boundsOf(dataset, query)
  const offset = (query.page - 1) * query.limit
  const statement = (counts: boolean) => feedStatement(dataset, bounds, { limit: query.limit, offset, counts })
  const { data, total } = await readWithTotal(db, keyOf(dataset, bounds), {
    page: () => (query.page <= quickPages ? readOnce<R>(db, statement(false)) : boundedly<R>(db, statement(false))),
    pageAndTotal: () => boundedly<R>(db, statement(true)),
  })
  return { data, total }
}

/**
 * States come in the one spelling of src/domain/states.ts, which the index of the feed answers; other places in lower case.
 */
function boundsOf(dataset: EntityType, query: FeedQuery) {
  const { territory, window, state, districts, pincodes, statuses, businessTypes } = query
  const search = query.search?.trim() || null
  return {
    from: { sql: (day) => `f.registered_on >= ${day}::date`, values: given(window.from), keepsOrder: true },
    to: { sql: (day) => `f.registered_on <= ${day}::date`, values: given(window.to), keepsOrder: true },
    states: { sql: (list) => `f.state = ANY (${list}::text[])`, values: given(territory.states) },
    districts: { sql: inDistricts, values: given(territory.districts?.map(placeKey)) },
    pincodes: { sql: inPincodes, values: given(territory.pincodes) },
    state: { sql: (name) => `f.state = ${name}`, values: given(state), keepsOrder: true },
    askedDistricts: { sql: inDistricts, values: given(districts?.map(placeKey)) },
    askedPincodes: { sql: inPincodes, values: given(pincodes) },
    status: { sql: (list) => `lower(f.status) = ANY (${list}::text[])`, values: given(statuses) },
    businessType: { sql: (list) => `lower(f.business_type) = ANY (${list}::text[])`, values: given(businessTypes) },
    search: { sql: isNamed, values: search === null ? null : [search, identifierOf(dataset, search)] },
  } satisfies Record<string, FeedBound>
}

const given = (value: unknown): readonly unknown[] | null => (value === null || value === undefined ? null : [value])
const inDistricts = (list: string) => `lower(f.district) = ANY (${list}::text[])`
const inPincodes = (list: string) => `f.pincode = ANY (${list}::text[])`
const isNamed = (text: string, identifier: string) =>
  `(f.identifier = ${identifier}
    OR CASE WHEN registry.name_key(${text}) = '' THEN strpos(lower(f.name), lower(${text})) > 0
            ELSE strpos(f.name_key, registry.name_key(${text})) > 0 END)`

/** What is counted: the same for every page of the same bounds. */
const keyOf = (dataset: EntityType, bounds: Readonly<Record<string, FeedBound>>): string =>
  `feed:${dataset}:${JSON.stringify(Object.entries(bounds).map(([name, { values }]) => [name, values]))}`

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

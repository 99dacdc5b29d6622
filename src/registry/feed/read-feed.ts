/**
 * One page of a feed of recently registered records: newest first, within a territory and a window, with the exact
 * number of matches. Page and total speak of the same moment: one statement reads both, and it counts only where the
 * registry version has moved on since the last count of the same scope.
 */
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { parseCompanyId } from '../../domain/company-id.ts'
import { parseDin } from '../../domain/din.ts'
import type { EntityType } from '../../domain/identity.ts'
import { type DateRange, placeKey, type Territory } from '../../domain/scope.ts'
import { readWithTotal } from '../total-cache.ts'

export interface FeedQuery {
  /** What the account may see. */
  readonly territory: Territory
  readonly window: DateRange
  /** What the caller asks for within it; the state, as those of the territory, in the spelling of config/states.ts. */
  readonly search?: string | undefined
  readonly state?: string | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
  readonly status?: string | undefined
  readonly businessType?: string | undefined
  readonly page: number
  readonly limit: number
}

export interface FeedPage<R> {
  readonly data: R[]
  readonly total: number
}

const template = sqlFile(import.meta.url, 'feed-page.sql')
const statementOf = (dataset: EntityType) =>
  template
    .replace('/* dataset */', dataset)
    .replace('/* record */', () => sqlFile(import.meta.url, `${dataset}-record.sql`))
const statements: Readonly<Record<EntityType, string>> = {
  company: statementOf('company'),
  director: statementOf('director'),
  gst: statementOf('gst'),
}

interface FeedRead<R> {
  readonly version: number
  readonly total: number | null
  readonly data: R[]
}

/** `R` is the record whose columns `<dataset>-record.sql` selects. */
export async function readFeed<R>(db: Db, dataset: EntityType, query: FeedQuery): Promise<FeedPage<R>> {
  const search = query.search?.trim() || null
  const bounds = [
    dataset,
    query.window.from,
    query.window.to,
    query.territory.states ? [...query.territory.states] : null,
    keysOf(query.territory.districts),
    query.territory.pincodes ? [...query.territory.pincodes] : null,
    query.state ?? null,
    keysOf(query.districts),
    query.pincodes ? [...query.pincodes] : null,
    query.status?.trim().toLowerCase() ?? null,
    query.businessType?.trim().toLowerCase() ?? null,
    search,
    search === null ? null : identifierOf(dataset, search),
  ]
  const { page, total } = await readWithTotal(db, `feed:${JSON.stringify(bounds)}`, async (knownVersion) => {
    const [read] = await db.query<FeedRead<R>>(statements[dataset], [
      ...bounds,
      query.limit,
      (query.page - 1) * query.limit,
      knownVersion,
    ])
    if (!read) throw new Error('the statement of a feed page returns one row')
    return read
  })
  return { data: page.data, total }
}

const keysOf = (names: readonly string[] | null | undefined) => names?.map(placeKey) ?? null

/** The search text in the canonical spelling of an identifier, in case it is one. */
function identifierOf(dataset: EntityType, search: string): string {
  if (dataset === 'director') return parseDin(search) ?? search
  if (dataset === 'company') return parseCompanyId(search)?.value ?? search.toUpperCase()
  return search.toUpperCase()
}

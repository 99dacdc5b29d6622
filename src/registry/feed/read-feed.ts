/**
 * One page of a feed of recently registered records: newest first, within a territory and a window, with the exact
 * number of matches. Page and total are one statement, so they speak of the same moment.
 */
import type { Queryable } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { parseCompanyId } from '../../domain/company-id.ts'
import { parseDin } from '../../domain/din.ts'
import type { EntityType } from '../../domain/identity.ts'
import { type DateRange, placeKey, type Territory } from '../../domain/scope.ts'

export interface FeedQuery {
  /** What the account may see. */
  readonly territory: Territory
  readonly window: DateRange
  /** What the caller asks for within it. */
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
const projections: Readonly<Record<EntityType, string>> = {
  company: sqlFile(import.meta.url, 'company-record.sql'),
  director: sqlFile(import.meta.url, 'director-record.sql'),
  gst: sqlFile(import.meta.url, 'gst-record.sql'),
}

/** `R` is the record whose columns `<dataset>-record.sql` selects. */
export async function readFeed<R>(db: Queryable, dataset: EntityType, query: FeedQuery): Promise<FeedPage<R>> {
  const search = query.search?.trim() || null
  const [page] = await db.query<FeedPage<R>>(
    template.replace('/* record */', () => projections[dataset]),
    [
      dataset,
      query.window.from,
      query.window.to,
      keysOf(query.territory.states),
      keysOf(query.territory.districts),
      query.territory.pincodes ? [...query.territory.pincodes] : null,
      query.state === undefined ? null : placeKey(query.state),
      keysOf(query.districts),
      query.pincodes ? [...query.pincodes] : null,
      query.status?.trim().toLowerCase() ?? null,
      query.businessType?.trim().toLowerCase() ?? null,
      search,
      search === null ? null : identifierOf(dataset, search),
      query.limit,
      (query.page - 1) * query.limit,
    ],
  )
  return page ?? { data: [], total: 0 }
}

const keysOf = (names: readonly string[] | null | undefined) => names?.map(placeKey) ?? null

/** The search text in the canonical spelling of an identifier, in case it is one. */
function identifierOf(dataset: EntityType, search: string): string {
  if (dataset === 'director') return parseDin(search) ?? search
  if (dataset === 'company') return parseCompanyId(search)?.value ?? search.toUpperCase()
  return search.toUpperCase()
}

/**
 * The statement of one feed page, put together from the bounds that apply: those that do not would be planned too, and
 * planning is most of what a page costs.
 */
import type { Sql } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'
import { applied, type FeedBound, partSelects } from './feed-bounds.ts'

export interface PageAsked {
  readonly limit: number
  readonly offset: number
  readonly counts: boolean
}

export interface FeedStatement {
  readonly sql: Sql
  readonly values: readonly unknown[]
}

const template = sqlFile(import.meta.url, 'feed-page.sql')
const recordOf: Readonly<Record<EntityType, string>> = {
  company: sqlFile(import.meta.url, 'company-record.sql'),
  director: sqlFile(import.meta.url, 'director-record.sql'),
  gst: sqlFile(import.meta.url, 'gst-record.sql'),
}

/**
 * @param bounds apply to every row of the page.
 * @param parts the union that may be read: a row is in the feed when it is within all bounds of any part. None of two
 * parts may hold the same row; one bound of a part may exclude what an earlier one holds.
 */
export function feedStatement(
  dataset: EntityType,
  bounds: readonly FeedBound[],
  parts: readonly (readonly FeedBound[])[],
  page: PageAsked,
): FeedStatement {
  const values: unknown[] = [dataset]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const common = applied(bounds)
  const each = parts.map(applied)
  const selects = partSelects(dataset, 'f.identifier, f.registered_on', common, each, parameter)
  const isPrepared =
    isPreparable(page) &&
    parts.length <= preparedPartsMax &&
    [...common, ...each.flat()].every(({ keepsOrder }) => keepsOrder)
  // A plan made for any number of rows would sort them all.
  const limits = isPrepared
    ? ` LIMIT ${page.limit}`
    : ` LIMIT ${parameter(page.limit)} OFFSET ${parameter(page.offset)}`
  const text = fillSql(template, {
    scoped: selects.join('\n  UNION ALL '),
    newest: newestOf(selects, () => (isPrepared ? String(page.limit) : parameter(page.limit + page.offset))),
    page: limits,
    total: page.counts ? '(SELECT count(*) FROM scoped)' : 'NULL::bigint',
    record: recordOf[dataset],
  })
  return { sql: isPrepared ? { name: nameOf(dataset, page, [common, ...each]), text } : text, values }
}

/**
 * A single part is read by an index that has the page's order. Of several each gives its newest by an index of its own,
 * as many as the page may need, and those are merged: an OR of them would be read and sorted whole.
 */
function newestOf(selects: readonly string[], rowsOf: () => string): string {
  if (selects.length === 1) return 'scoped'
  const rows = rowsOf()
  const newest = selects.map((select) => `(${select} ORDER BY registered_on DESC, identifier LIMIT ${rows})`)
  return `(${newest.join('\n  UNION ALL ')}) AS newest`
}

/** Each connection keeps what is prepared, so only the common sizes of a first page are, and of few parts. */
const isPreparable = ({ limit, offset, counts }: PageAsked): boolean => offset === 0 && !counts && limit % 10 === 0
const preparedPartsMax = 10

const nameOf = (dataset: EntityType, { limit }: PageAsked, lists: readonly (readonly FeedBound[])[]): string =>
  ['feed', dataset, limit, ...lists.map((list) => list.map(({ name }) => name).join('+'))].join(' ')

/**
 * The statement of one feed page, composed only of the filters that apply: the others would be planned too, and
 * planning is most of a page's cost.
 */

import { createHash } from 'node:crypto'
import type { Sql } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'
import { countedSelects, isCounted } from './counted-feed.ts'
import { conditionsOf, type FeedBound, type NewestPlan, newestPlan, partSelects } from './feed-bounds.ts'
import { feedRecords } from './feed-record.ts'

export interface PageAsked {
  readonly limit: number
  readonly offset: number
  readonly counts: boolean
}

export interface FeedStatement {
  readonly sql: Sql
  readonly values: readonly unknown[]
}

type Parameter = (value: unknown) => string

const template = sqlFile(import.meta.url, 'feed-page.sql')
const recordsOf = { company: feedRecords('company'), director: feedRecords('director'), gst: feedRecords('gst') }

/**
 * @param bounds filters of every row of the page.
 * @param parts the union that may be read: a row is in the feed if it passes all filters of any part. The parts must be
 *   disjoint, or the total would count a row twice; so a filter of a part may exclude an earlier part.
 */
export function feedStatement(
  dataset: EntityType,
  bounds: readonly FeedBound[],
  parts: readonly (readonly FeedBound[])[],
  page: PageAsked,
): FeedStatement {
  const values: unknown[] = [dataset]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const plans = parts.map((part) => newestPlan(part, bounds, page.limit + page.offset))
  const isPrepared =
    isPreparable(page) &&
    plans.length <= preparedPartsMax &&
    plans.every(({ others }) => others.every(({ keepsOrder }) => keepsOrder))
  const fromCounts = isCounted(bounds, parts)
  const scoped = () => partSelects(dataset, 'f.identifier, f.registered_on', bounds, parts, parameter)
  const { page: rows, record } = pageOf(dataset, plans, page, isPrepared, parameter)
  const tables = [
    ...(page.counts && !fromCounts ? [sql`scoped AS NOT MATERIALIZED (\n  ${scoped().join('\n  UNION ALL ')}\n)`] : []),
    ...(rows === undefined ? [] : [sql`page AS (\n  ${rows}\n)`]),
  ]
  const text = fillSql(template, {
    with: tables.length === 0 ? '' : sql`WITH ${tables.join(', ')}\n`,
    total: page.counts
      ? totalOf(fromCounts ? countedSelects(dataset, 'f.records', bounds, parts, parameter) : [])
      : 'NULL::bigint',
    record,
  })
  return { sql: isPrepared ? { name: nameOf(text), text } : text, values }
}

/** @param counted selects of counts; empty if the rows themselves are to be counted. */
const totalOf = (counted: readonly string[]): string =>
  counted.length === 0
    ? '(SELECT count(*) FROM scoped)'
    : sql`(SELECT coalesce(sum(records), 0)::bigint FROM (${counted.join(' UNION ALL ')}) AS counted)`

const inFeedOrder = 'ORDER BY registered_on DESC, identifier'

/**
 * The records of the page, preceded by the rows that they are read for. A first page of one part needs no such step:
 * its records are read directly with their rows. Otherwise reading records of skipped rows would be wasted.
 */
function pageOf(
  dataset: EntityType,
  plans: readonly NewestPlan[],
  { limit, offset }: PageAsked,
  isPrepared: boolean,
  parameter: Parameter,
): { readonly page?: string; readonly record: string } {
  const [only] = plans
  const limits = isPrepared ? sql` LIMIT ${limit}` : sql` LIMIT ${parameter(limit)} OFFSET ${parameter(offset)}`
  if (only && plans.length === 1 && !only.place && offset === 0) {
    const where = sql` WHERE true${conditionsOf(only.others, parameter)}`
    return { record: recordsOf[dataset]({ rows: sql`feed.${dataset}`, where, limits }) }
  }
  // A plan for an arbitrary number of rows would sort all of them.
  const rows = isPrepared ? String(limit) : parameter(limit + offset)
  const newest = plans.map((plan) => newestOf(dataset, plan, rows, parameter)).join('\n  UNION ')
  return {
    page: sql`SELECT identifier, registered_on FROM (${newest}) AS newest ${inFeedOrder}${limits}`,
    record: recordsOf[dataset]({ rows: 'page' }),
  }
}

/**
 * The newest rows of one part, as many as the page may need, from an index in their order: an OR of the parts, or a
 * list of places, would be read and sorted completely. Rows of two parts come from both, and once from their union.
 */
function newestOf(dataset: EntityType, { place, others }: NewestPlan, rows: string, parameter: Parameter): string {
  const conditions = conditionsOf(others, parameter)
  const select = (where: string) =>
    sql`(SELECT f.identifier, f.registered_on FROM feed.${dataset} f WHERE ${where}${conditions} ${inFeedOrder} LIMIT ${rows})`
  if (!place) return select('true')
  // As a subselect the list has no length known to the planner: one plan serves all lists, instead of one for each.
  const list = sql`(SELECT ${parameter(place.values?.[0])}::text[])`
  return sql`(SELECT n.identifier, n.registered_on FROM unnest(${list}) AS listed(place)
    CROSS JOIN LATERAL ${select(`${place.placedBy} = listed.place`)} AS n ${inFeedOrder} LIMIT ${rows})`
}

/**
 * Each connection stores its prepared statements, so only the common sizes of a first page with few parts are prepared.
 */
const isPreparable = ({ limit, offset, counts }: PageAsked): boolean => offset === 0 && !counts && limit % 10 === 0
const preparedPartsMax = 10

/**
 * Derived from the text, since a prepared statement's name must identify one text; PostgreSQL compares 63 bytes of
 * names.
 */
const nameOf = (text: string): string => `feed ${createHash('sha256').update(text).digest('base64url')}`

/**
 * The statement of one feed page, put together from the bounds that apply: those that do not would be planned too, and
 * planning is most of what a page costs.
 */
import type { Sql } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import { fillSql } from '../../db/sql-template.ts'
import type { EntityType } from '../../domain/identity.ts'

/** A condition on a row `f` of the feed; `null` where it does not apply. */
export interface FeedBound {
  readonly sql: (...parameters: readonly string[]) => string
  readonly values: readonly unknown[] | null
  /** Whatever its values are, an index holds the rows within it in the order of the page. */
  readonly keepsOrder?: true
}

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

export function feedStatement(
  dataset: EntityType,
  bounds: Readonly<Record<string, FeedBound>>,
  page: PageAsked,
): FeedStatement {
  const values: unknown[] = [dataset]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const applied = Object.entries(bounds).filter(([, bound]) => bound.values !== null)
  const conditions = applied.map(([, bound]) => ` AND ${bound.sql(...(bound.values ?? []).map(parameter))}`)
  const isPrepared = isPreparable(page) && applied.every(([, bound]) => bound.keepsOrder)
  // A plan made for any number of rows would sort them all.
  const limits = isPrepared
    ? ` LIMIT ${page.limit}`
    : ` LIMIT ${parameter(page.limit)} OFFSET ${parameter(page.offset)}`
  const text = fillSql(template, {
    dataset,
    bounds: conditions.join(''),
    page: limits,
    total: page.counts ? '(SELECT count(*) FROM scoped)' : 'NULL::bigint',
    record: recordOf[dataset],
  })
  const name = ['feed', dataset, page.limit, ...applied.map(([bound]) => bound)].join(' ')
  return { sql: isPrepared ? { name, text } : text, values }
}

/** Each connection keeps what is prepared, so only the common sizes of a first page are. */
const isPreparable = ({ limit, offset, counts }: PageAsked): boolean => offset === 0 && !counts && limit % 10 === 0

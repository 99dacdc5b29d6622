/**
 * A name as people type it in, identifiers out, best first, in stages: the record whose identifier was typed, names
 * that begin so, names that hold all the words, names that hold the last one as a beginning, and only where these find nothing, names alike. Each stage runs only
 * where the ones before leave the page unfilled, and none ranks more than `candidatesMax` records, so a very common word
 * costs no more than a rare one. Both sides go through registry.name_key.
 */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { parseCompanyId } from '../../domain/company-id.ts'
import { parseDin } from '../../domain/din.ts'
import { parseGstin } from '../../domain/gstin.ts'
import type { EntityType } from '../../domain/identity.ts'
import type { Conditions } from '../paging/conditions.ts'
import { registerTables } from '../register-table.ts'
import { type NameSearch, prefixLengthMin, walkHitsMin, walkRowsMax } from './name-asked.ts'
import { firstNamesHolding, namesBeginning, namesHolding, namesHoldingBeginning } from './name-stages.ts'
import { lexeme } from './name-words.ts'
import { namesAlike } from './names-alike.ts'

/** What a name finds: the best first, and where more than `candidatesMax` fit, the others in the order of their identifier. */
export interface NameFound {
  readonly ids: readonly string[]
  /** Names in all that fit. Of names that are only alike, those that are offered. */
  readonly total: number
}

/** `tx` must be a transaction: the search sets how it is planned. `count` counts what a condition finds, or knows it. */
export async function searchByName(
  tx: Queryable,
  search: NameSearch,
  count: (where: Conditions) => Promise<number>,
): Promise<NameFound> {
  const exact = await byIdentifier(tx, search)
  if (exact.length > 0) return { ids: pageOf(search, exact), total: exact.length }

  // Every stage has its index. The planner sees a LIMIT and a word that many names hold, and would read the table from
  // its start; with a further condition that no such row satisfies it would read it to its end.
  const [row] = await tx.query<{ key: string; isCommon: boolean | null }>(
    sql`SELECT asked.key, set_config('enable_seqscan', 'off', true), ${walkRowsMax}::float8 * w.names > ${walkHitsMin} * c.reltuples AS "isCommon"
     FROM (SELECT registry.name_key($1) AS key) AS asked
     JOIN pg_class c ON c.oid = $3::text::regclass
     LEFT JOIN registry.name_word w ON w.entity = $2 AND w.word = asked.key`,
    [search.name, search.entity, registerTables[search.entity].table],
  )
  const words = (row?.key ?? '').split(' ').filter(Boolean)
  const fitting = () => (words.length === 0 ? namesAsWritten(search) : namesFitting(search, words))
  if (search.name.trim() === '') return { ids: [], total: 0 }
  const total = await count(fitting())
  if (total === 0 && words.length > 0) {
    const alike = await namesAlike(tx, search, words)
    return { ids: pageOf(search, alike), total: alike.length }
  }
  const stages = [namesBeginning, ...(row?.isCommon ? [firstNamesHolding] : []), namesHolding, namesHoldingBeginning]
  const ranked = new Set<string>()
  const isEnough = () => search.after === undefined && ranked.size >= search.offset + search.limit
  for (const stage of words.length === 0 ? [] : stages) {
    for (const id of await stage(tx, search, words)) ranked.add(id)
    if (isEnough()) break
  }
  const ids = pageOf(search, [...ranked])
  if (ids.length === search.limit || isEnough()) return { ids, total }
  return { ids: [...ids, ...(await others(tx, search, fitting(), [...ranked], search.limit - ids.length))], total }
}

/** Of the ranked names, those of the page; none where the page follows a name beyond them. */
function pageOf({ offset, limit, after }: NameSearch, ranked: readonly string[]): string[] {
  if (after === undefined) return ranked.slice(offset, offset + limit)
  const place = ranked.indexOf(after)
  return place < 0 ? [] : ranked.slice(place + 1, place + 1 + limit)
}

/** Names that fit beyond the ranked ones: every page goes on where the one before ended. */
async function others(
  tx: Queryable,
  search: NameSearch,
  where: Conditions,
  ranked: readonly string[],
  limit: number,
): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const isBeyond = search.after !== undefined && !ranked.includes(search.after)
  where.add(ranked, (list) => sql`${key} <> ALL (${list}::text[])`)
  where.add(isBeyond ? search.after : undefined, (id) => `${key} > ${id}`)
  const offset = search.after === undefined ? Math.max(0, search.offset - ranked.length) : 0
  const rows = await tx.query<{ id: string }>(
    sql`SELECT ${key} AS id FROM ${table} r WHERE ${where.sql} ORDER BY ${key}
     LIMIT ${where.bind(limit)} OFFSET ${where.bind(offset)}`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

/** What the stages find together: names that begin so, and names that hold all the words, the last as a beginning. */
function namesFitting(search: NameSearch, words: readonly string[]): Conditions {
  const where = search.conditions()
  const name = where.bind(words.join(' '))
  const last = words.at(-1) ?? ''
  const terms = words.map((word, index) => lexeme(word, index === words.length - 1 && last.length >= prefixLengthMin))
  return where.add(
    terms.join(' & '),
    (query) =>
      sql`starts_with(r.name_key, ${name}::text) OR to_tsvector('simple', r.name_key) @@ to_tsquery('simple', ${query}::text)`,
  )
}

/** A text that the key of a name leaves nothing of, such as `LLP`: names that hold it as they are written. */
function namesAsWritten(search: NameSearch): Conditions {
  const { name } = registerTables[search.entity]
  return search
    .conditions()
    .add(search.name.trim().toLowerCase(), (text) => sql`strpos(lower(${name}), ${text}::text) > 0`)
}

async function byIdentifier(tx: Queryable, search: NameSearch): Promise<string[]> {
  const identifier = identifierIn(search.entity, search.name)
  if (identifier === undefined) return []
  const { table, key } = registerTables[search.entity]
  const where = search.conditions().add(identifier, (value) => `${key} = ${value}`)
  const rows = await tx.query<{ id: string }>(sql`SELECT ${key} AS id FROM ${table} r WHERE ${where.sql}`, where.values)
  return rows.map(({ id }) => id)
}

function identifierIn(entity: EntityType, text: string): string | undefined {
  if (entity === 'company') return parseCompanyId(text)?.value
  if (entity === 'director') return parseDin(text.trim())
  const reading = parseGstin(text)
  return reading.ok ? reading.value : undefined
}

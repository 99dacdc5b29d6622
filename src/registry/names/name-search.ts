/**
 * Finds identifiers by a name as people type it, best first, in stages: the record with the identifier typed, names
 * that begin with the text, names with all the words, names with the last word as a prefix, and only if these find
 * nothing, similar names. A stage runs only if the previous ones leave the page unfilled, and none ranks more than
 * `candidatesMax` records, so a very common word costs no more than a rare one. Both sides are normalized by
 * registry.name_key.
 */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { parseCompanyId } from '../../domain/company-id.ts'
import { parseDin } from '../../domain/din.ts'
import { parseGstin } from '../../domain/gstin.ts'
import type { EntityType } from '../../domain/identity.ts'
import type { Conditions } from '../paging/conditions.ts'
import { registerTables } from '../register-table.ts'
import { type NameSearch, prefixLengthMin, walkHitsMin, walkRowsMax } from './name-query.ts'
import { firstNamesHolding, namesBeginning, namesHolding, namesHoldingBeginning } from './name-stages.ts'
import { lexeme } from './name-words.ts'
import { namesAlike } from './names-alike.ts'

/** The matches of a name: the best first; beyond `candidatesMax`, the others in the order of their identifier. */
export interface NameFound {
  readonly ids: readonly string[]
  /** All matching names. For similar names, only those offered. */
  readonly total: number
}

/**
 * `tx` must be a transaction, since the search sets planner options. `count` counts the matches of a condition, or
 * knows the number.
 */
export async function searchByName(
  tx: Queryable,
  search: NameSearch,
  count: (where: Conditions) => Promise<number>,
): Promise<NameFound> {
  const exact = await byIdentifier(tx, search)
  if (exact.length > 0) return { ids: pageOf(search, exact), total: exact.length }

  // Every stage has an index. But given a LIMIT and a common word, the planner would scan the table from its start, and
  // with a further condition that no such row meets, to its end.
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

/** The ranked names of the page; none if the page follows a name beyond them. */
function pageOf({ offset, limit, after }: NameSearch, ranked: readonly string[]): string[] {
  if (after === undefined) return ranked.slice(offset, offset + limit)
  const place = ranked.indexOf(after)
  return place < 0 ? [] : ranked.slice(place + 1, place + 1 + limit)
}

/** Matching names beyond the ranked ones: every page continues where the previous one ended. */
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

/** The union of the stages: names that begin with the text, and names with all the words, the last as a prefix. */
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

/** For a text whose key is empty, such as `LLP`: names that contain it as written. */
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

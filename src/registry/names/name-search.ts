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
import { lexeme, wordsAlike, wordsBeginning } from './name-words.ts'

export const candidatesMax = 500
/** Shorter words stand for themselves: as a beginning they would match a good part of the register. */
const prefixLengthMin = 3
/** Names less alike than this (0 to 1, by trigrams) are not offered. */
const similarityMin = 0.3
/** Names that are looked through for a common word, in their order, and how many of them should hold it. */
const walkRowsMax = 5_000
const walkHitsMin = 100
/** Spellings of the register that stand for one misspelt word. */
const spellingsPerWord = 8
/** Where no word of the register is like one asked for, names count that share this many letters with its beginning. */
const stemLength = 4

export interface NameSearch {
  readonly entity: EntityType
  readonly name: string
  /** Further conditions that every hit satisfies. */
  readonly conditions: () => Conditions
  readonly limit: number
  readonly offset: number
  /** The identifier that the page follows; `offset` then says nothing. */
  readonly after?: string | undefined
}

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

/** The name itself first, then names that begin so, the shortest first. */
async function namesBeginning(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const where = search.conditions()
  const name = where.bind(words.join(' '))
  // In the order of the index, so that the candidates are its next entries and nothing is sorted.
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM (
       SELECT ${key} AS id, r.name_key
       FROM ${table} r WHERE ${where.sql} AND starts_with(r.name_key, ${name}::text)
       ORDER BY r.name_key USING ~<~, ${key} LIMIT ${candidatesMax}
     ) AS candidate ORDER BY name_key <> ${name}::text, length(name_key), name_key, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

/**
 * Names that hold a common word, among the first names of the register in their order: enough of them do, and gathering
 * every name that holds it, as the word index would, takes a hundred times as long.
 */
async function firstNamesHolding(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const where = search.conditions()
  const holdsWord = where.bind(lexeme(words.join(' '), false))
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM (
       SELECT ${key} AS id, r.name_key
       FROM (SELECT * FROM ${table} r ORDER BY r.name_key USING ~<~ LIMIT ${walkRowsMax}) AS r
       WHERE ${where.sql} AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', ${holdsWord}::text)
       LIMIT ${candidatesMax}
     ) AS candidate ORDER BY length(name_key), name_key, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

/** Names that hold every word, in any order. */
function namesHolding(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  return namesMatching(tx, search, words.map((word) => lexeme(word, false)).join(' & '))
}

/**
 * The same with words that begin with the last one. The words are named where they are known and few: the index answers
 * some words sooner than a beginning, which for a common word it has to gather whole.
 */
async function namesHoldingBeginning(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const last = words.at(-1) ?? ''
  if (last.length < prefixLengthMin) return []
  const longer = await wordsBeginning(tx, search.entity, last)
  if (longer?.length === 0) return []
  const ends = longer?.map((word) => lexeme(word, false)) ?? [lexeme(last, true)]
  const others = words.slice(0, -1).map((word) => lexeme(word, false))
  return namesMatching(tx, search, [...others, `(${ends.join(' | ')})`].join(' & '))
}

/** The shortest names first. */
async function namesMatching(tx: Queryable, search: NameSearch, query: string): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const where = search.conditions()
  const holdsWords = where.bind(query)
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM (
       SELECT ${key} AS id, r.name_key
       FROM ${table} r WHERE ${where.sql} AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', ${holdsWords}::text)
       LIMIT ${candidatesMax}
     ) AS candidate ORDER BY length(name_key), name_key, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

/**
 * Names of words spelt like those asked for: of all of them, and where there is none, of any of them. The first letters
 * may be wrong too, because the words of the register are compared as a whole.
 */
async function namesAlike(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const long = words.filter((word) => word.length >= prefixLengthMin)
  if (long.length === 0) return []
  const found = await wordsAlike(tx, search.entity, long, spellingsPerWord)
  // A word that the register has is taken to be meant, as long as another may be the misspelt one.
  const isKnown = long.map((word, index) => found[index]?.includes(word) === true)
  const spellings = found.map((alike, index) =>
    isKnown[index] && !isKnown.every(Boolean) ? alike.filter((word) => word === long[index]) : alike,
  )
  const terms = long.map((word, index) => {
    const alike = (spellings[index] ?? []).map((each) => lexeme(each, false))
    return `(${(alike.length > 0 ? alike : [lexeme(word.slice(0, stemLength), true)]).join(' | ')})`
  })
  // A name of words that are all spelt alike is alike, however long it is; a shared beginning alone says little.
  const allSpelt = spellings.every((alike) => alike.length > 0)
  const ofAll = await rankedByLikeness(tx, search, words, terms.join(' & '), allSpelt ? 0 : similarityMin)
  if (ofAll.length > 0 || terms.length === 1) return ofAll
  return rankedByLikeness(tx, search, words, terms.join(' | '), similarityMin)
}

async function rankedByLikeness(
  tx: Queryable,
  search: NameSearch,
  words: readonly string[],
  query: string,
  likenessMin: number,
): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const where = search.conditions()
  const name = where.bind(words.join(' '))
  const candidates = where.bind(query)
  const enough = where.bind(likenessMin)
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM (
       SELECT ${key} AS id, similarity(r.name_key, ${name}::text) AS likeness
       FROM ${table} r WHERE ${where.sql} AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', ${candidates}::text)
       LIMIT ${candidatesMax}
     ) AS candidate
     WHERE likeness >= ${enough}::real ORDER BY likeness DESC, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

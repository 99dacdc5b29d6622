/**
 * A name as people type it in, identifiers out, best first, in stages: names that begin so, names that hold all the
 * words, and only where both find nothing, names alike. No stage ranks more than `candidatesMax` records, so a very
 * common word costs no more than a rare one. Both sides go through registry.name_key.
 */
import type { Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import type { Conditions } from './conditions.ts'
import { registerTables } from './register-table.ts'

export const candidatesMax = 500
/** Shorter words stand for themselves: as a beginning they would match a good part of the register. */
const prefixLengthMin = 3
/** Names less alike than this (0 to 1, by trigrams) are not offered. */
const similarityMin = 0.3
/** Misspellings rarely touch the first letters; candidates for likeness share these with one of the words. */
const stemLength = 4

export interface NameSearch {
  readonly entity: EntityType
  readonly name: string
  /** Further conditions that every hit satisfies. */
  readonly conditions: () => Conditions
  readonly limit: number
  readonly offset: number
}

export async function searchByName(tx: Queryable, search: NameSearch): Promise<string[]> {
  const [row] = await tx.query<{ key: string }>('SELECT registry.name_key($1) AS key', [search.name])
  const words = (row?.key ?? '').split(' ').filter(Boolean)
  if (words.length === 0) return []
  const found = await literalMatches(tx, search, words)
  const hits = found.length > 0 ? found : await likeMatches(tx, search, words)
  return hits.slice(search.offset, search.offset + search.limit)
}

/** The name itself first, then names that begin so, then names that hold every word, the last one as a beginning. */
async function literalMatches(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const where = search.conditions()
  const name = where.bind(words.join(' '))
  const last = words.length - 1
  const holdsWords = where.bind(
    words.map((word, index) => lexeme(word, index === last && word.length >= prefixLengthMin)).join(' & '),
  )
  const rows = await tx.query<{ id: string }>(
    `WITH beginning AS (
       SELECT ${key} AS id, r.name_key, CASE WHEN r.name_key = ${name}::text THEN 0 ELSE 1 END AS stage
       FROM ${table} r WHERE ${where.sql} AND starts_with(r.name_key, ${name}::text)
       ORDER BY r.name_key, ${key} LIMIT ${candidatesMax}
     ), holding AS (
       SELECT ${key} AS id, r.name_key, 2 AS stage
       FROM ${table} r WHERE ${where.sql} AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', ${holdsWords}::text)
       LIMIT ${candidatesMax}
     )
     SELECT id FROM (SELECT * FROM beginning UNION ALL SELECT * FROM holding) AS hit
     GROUP BY id, name_key ORDER BY min(stage), length(name_key), name_key, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

async function likeMatches(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const { table, key } = registerTables[search.entity]
  const stems = words
    .filter((word) => word.length >= prefixLengthMin)
    .map((word) => lexeme(word.slice(0, stemLength), true))
  if (stems.length === 0) return []
  const where = search.conditions()
  const name = where.bind(words.join(' '))
  const shareStem = where.bind(stems.join(' | '))
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM (
       SELECT ${key} AS id, similarity(r.name_key, ${name}::text) AS likeness
       FROM ${table} r WHERE ${where.sql} AND to_tsvector('simple', r.name_key) @@ to_tsquery('simple', ${shareStem}::text)
       LIMIT ${candidatesMax}
     ) AS candidate
     WHERE likeness >= ${similarityMin} ORDER BY likeness DESC, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

/** One word of a tsquery, quoted so that none of its characters is an operator. */
const lexeme = (word: string, isBeginning: boolean): string =>
  `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isBeginning ? ':*' : ''}`

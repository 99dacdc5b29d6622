/** The stages of a search by name: each returns identifiers, best first, at most `candidatesMax`. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { registerTables } from '../register-table.ts'
import { comparedForm, legalFormAsked } from './legal-forms.ts'
import { candidatesMax, type NameSearch, prefixLengthMin, walkRowsMax } from './name-query.ts'
import { lexeme, wordsBeginning } from './name-words.ts'

/**
 * The exact name first, of several that differ in their legal form the one with the form that was typed, then names that
 * begin with it, the shortest first.
 */
export async function namesBeginning(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  const { table, key, name: written } = registerTables[search.entity]
  const where = search.conditions()
  const name = where.bind(words.join(' '))
  const form = legalFormAsked('ENDS_WITH', search.name)
  const isOtherForm = form
    ? sql`name_key = ${name}::text AND ${comparedForm('written')} !~ ${where.bind(form.pattern)}::text, `
    : ''
  // In the order of the index, so that the candidates are its next entries and nothing is sorted.
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM (
       SELECT ${key} AS id, r.name_key, ${written} AS written
       FROM ${table} r WHERE ${where.sql} AND starts_with(r.name_key, ${name}::text)
       ORDER BY r.name_key USING ~<~, ${key} LIMIT ${candidatesMax}
     ) AS candidate ORDER BY name_key <> ${name}::text, ${isOtherForm}length(name_key), name_key, id`,
    where.values,
  )
  return rows.map(({ id }) => id)
}

/**
 * Names with a common word, among the first names of the register in order: enough of them contain it, and collecting
 * all of them through the word index takes a hundred times as long.
 */
export async function firstNamesHolding(
  tx: Queryable,
  search: NameSearch,
  words: readonly string[],
): Promise<string[]> {
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

/** Names with every word, in any order. */
export function namesHolding(tx: Queryable, search: NameSearch, words: readonly string[]): Promise<string[]> {
  return namesMatching(tx, search, words.map((word) => lexeme(word, false)).join(' & '))
}

/**
 * The same with the last word as a prefix. If its completions are known and few, they are listed: the index finds a few
 * words faster than a prefix, all of whose matches it has to collect for a common word.
 */
export async function namesHoldingBeginning(
  tx: Queryable,
  search: NameSearch,
  words: readonly string[],
): Promise<string[]> {
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

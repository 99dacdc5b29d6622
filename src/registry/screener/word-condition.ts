/** Equality over a vocabulary: every matching spelling, by the register's words or by the key of each word. */
import { sql } from '../../db/sql.ts'
import { readWord, spellingsOf } from '../words/words.ts'
import type { Literal } from './ast.ts'
import type { Field } from './fields.ts'
import type { Output, WordPiece } from './pieces.ts'

type WordsAsked = Omit<WordPiece, 'name'>

/** The meaning of an equality over a vocabulary; undefined if the field has none. */
export function wordsAsked(field: Field, literals: readonly Literal[]): WordsAsked | undefined {
  const { vocabulary } = field
  if (vocabulary === undefined || vocabulary === 'state') return undefined
  const unknown = literals.filter(({ value }) => readWord(vocabulary, value) === undefined)
  const spellings = literals.flatMap(({ value }) => {
    const word = readWord(vocabulary, value)
    return word === undefined ? [value] : spellingsOf(vocabulary, word)
  })
  return { field: { ...field, vocabulary }, spellings: [...new Set(spellings)], unknown }
}

/** Two ways to the same result: by the register's words if they are known, else by the key of each record's word. */
export function isOneOf(words: WordsAsked, out: Output): string {
  const { column, kind } = words.field
  const spelt = sql`${out.bind(words.spellings)}::text[]`
  const held = sql`${out.bindWords(words)}::text[]`
  const keys = sql`ANY (ARRAY(SELECT ingest.word_key(word) FROM unnest(${spelt}) AS word))`
  const byKey =
    kind === 'list'
      ? sql`EXISTS (SELECT FROM unnest(${column}) AS member WHERE ingest.word_key(member) = ${keys})`
      : sql`ingest.word_key(${column}) = ${keys}`
  const byWord = kind === 'list' ? `${column} && ${held}` : sql`${column} = ANY (${held})`
  return sql`CASE WHEN ${held} IS NULL THEN ${byKey} ELSE ${byWord} END`
}

/**
 * A query's conditions on words, and the words in the register. If these are of the version being read, an equality
 * over a vocabulary compares with the words themselves; otherwise with the key of every record's word, which has the
 * same result and is slower.
 */
import type { Queryable } from '../../db/db.ts'
import type { RegisterState } from '../paging/total-cache.ts'
import { columnOf, heldWords, isHeld, isUnfilled } from '../words/word-counts.ts'
import { wordLike } from '../words/words.ts'
import type { ScreenerType } from './fields.ts'
import { queryMistake } from './mistake.ts'
import type { WordPiece } from './pieces.ts'
import { noSuchValue } from './resolve-value.ts'

/** Each piece costs a short read; further ones are compared record by record. */
const piecesMax = 16

/** The register's words that each equality matches, by its name. */
export async function readWordsMeant(
  tx: Queryable,
  entity: ScreenerType,
  pieces: readonly WordPiece[],
  { version, heldVersion }: RegisterState,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  if (version !== heldVersion) return found
  for (const { name, field, spellings } of pieces.slice(0, piecesMax)) {
    const rows = await tx.query<{ word: string }>(
      `SELECT word FROM registry.held_word WHERE entity = $1 AND column_name = $2
         AND ingest.word_key(word) = ANY (ARRAY(SELECT ingest.word_key(asked) FROM unnest($3::text[]) AS asked))`,
      [entity, columnOf(field.column), spellings],
    )
    // Never empty: nothing equals an empty set of words, and everything differs from it, even a missing value.
    found.set(name, [...new Set([...rows.map(({ word }) => word), ...spellings.slice(0, 1)])])
  }
  return found
}

/**
 * A word outside the vocabulary is accepted if a record contains it, or if no record contains any word at all.
 * @throws AppError QUERY_SYNTAX for any other, with a suggestion
 */
export async function refuseUnheldWords(
  tx: Queryable,
  entity: ScreenerType,
  query: string,
  pieces: readonly WordPiece[],
  state: RegisterState,
): Promise<void> {
  for (const { field, unknown } of pieces) {
    for (const literal of unknown.slice(0, piecesMax)) {
      const column = columnOf(field.column)
      const held = (await heldWords(tx, entity, column)).map(({ word }) => word)
      const isList = field.kind === 'list'
      if (await isHeld(tx, entity, column, literal.value, state, isList)) continue
      const meant = wordLike(field.vocabulary, literal.value, held)
      if (meant === undefined && (await isUnfilled(tx, entity, column, isList))) continue
      throw queryMistake(query, noSuchValue(field, literal, { meant, held }))
    }
  }
}

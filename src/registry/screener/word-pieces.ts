/**
 * The conditions of a query over words, and the words that the register holds. Where those are of the version that is
 * read, an equality over a vocabulary is answered by the words themselves; else by the key of every record's word, which
 * is the same truth and slower.
 */
import type { Queryable } from '../../db/db.ts'
import type { RegisterState } from '../paging/total-cache.ts'
import { columnOf, heldWords, isHeld, isUnfilled } from '../words/held-words.ts'
import { wordLike } from '../words/words.ts'
import type { ScreenerType } from './fields.ts'
import { queryMistake } from './mistake.ts'
import type { WordPiece } from './pieces.ts'
import { noSuchValue } from './resolve-value.ts'

/** Each piece costs a short read; the others are compared record by record. */
const piecesMax = 16

/** The words of the register that each equality means, by its name. */
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
    // Never empty: nothing is equal to no words, and unequal to them even where a value is missing.
    found.set(name, [...new Set([...rows.map(({ word }) => word), ...spellings.slice(0, 1)])])
  }
  return found
}

/**
 * A word that the vocabulary does not know is searched where a record holds it, and where no record holds any word at all.
 * @throws AppError QUERY_SYNTAX for any other, with the word that was probably meant
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

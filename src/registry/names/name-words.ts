/**
 * Searches the words that occur in names instead of the names: which words contain a piece, which are spelt like
 * another. The results are conditions for the word index of the names, as tsquery text.
 */
import type { Queryable } from '../../db/db.ts'
import type { EntityType } from '../../domain/identity.ts'

/** If more words contain a piece, it is so common that scanning all names costs no more. */
export const wordsMax = 1_000
/** One term for all words that match the pattern; none if there are too many. */
export async function wordsHolding(
  tx: Queryable,
  entity: EntityType,
  pattern: string,
  piece: string,
): Promise<string[]> {
  const [row] = await tx.query<{ words: number; query: string | null; unreadable: boolean | null }>(
    `SELECT count(*) AS words, string_agg('(' || query::text || ')', ' | ') AS query,
            bool_or(numnode(query) = 0) AS unreadable
     FROM (SELECT phraseto_tsquery('simple', word) AS query FROM registry.name_word
           WHERE entity = $1 AND word LIKE $2 LIMIT $3) AS held`,
    [entity, pattern, wordsMax + 1],
  )
  if (!row || row.words > wordsMax || row.unreadable === true) return []
  // No word contains it: use a lexeme that no name has.
  return [row.query === null ? lexeme(piece, false) : `(${row.query})`]
}

/** The longer words with this prefix; undefined if not all are known or there are too many. */
export async function wordsBeginning(
  tx: Queryable,
  entity: EntityType,
  beginning: string,
): Promise<readonly string[] | undefined> {
  if (!/^[a-z0-9]+$/.test(beginning)) return undefined
  const [row] = await tx.query<{ words: string[] }>(
    `SELECT ARRAY(SELECT word FROM registry.name_word
                  WHERE entity = $1 AND word LIKE $2 || '%' AND word <> $2 LIMIT $3) AS words
     FROM registry.version JOIN registry.name_word_state known USING (entity, version) WHERE entity = $1`,
    [entity, beginning, wordsMax + 1],
  )
  return row && row.words.length <= wordsMax ? row.words : undefined
}

/** For each word of a name, the register's spellings of similar words, most similar first; empty if there are none. */
export async function wordsAlike(
  tx: Queryable,
  entity: EntityType,
  words: readonly string[],
  perWord: number,
): Promise<string[][]> {
  const rows = await tx.query<{ alike: string[] }>(
    `SELECT ARRAY(SELECT w.word FROM registry.name_word w
                  WHERE w.entity = $1 AND w.word % asked.word AND abs(length(w.word) - length(asked.word)) <= 3
                  ORDER BY similarity(w.word, asked.word) DESC, w.word LIMIT $3) AS alike
     FROM unnest($2::text[]) WITH ORDINALITY AS asked (word, place) ORDER BY asked.place`,
    [entity, words, perWord],
  )
  return rows.map(({ alike }) => alike)
}

/** One word of a tsquery, quoted so that none of its characters is an operator. */
export const lexeme = (word: string, isBeginning: boolean): string =>
  `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isBeginning ? ':*' : ''}`

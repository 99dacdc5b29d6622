/**
 * The words that a register holds, counted by a job after each merge (registry.held_word). Where they are those of the
 * version that is read, an equality over a vocabulary is answered by the words themselves; else by the key of every
 * record's word, which is the same truth and slower.
 */
import type { Queryable } from '../../db/db.ts'
import type { EntityType } from '../../domain/identity.ts'
import type { RegisterState } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'
import { noSuchValue } from '../screener/check.ts'
import type { ScreenerType } from '../screener/fields.ts'
import type { WordPiece } from '../screener/pieces.ts'
import { wordLike } from './words.ts'

export interface HeldWord {
  readonly word: string
  /** Open records that hold it. */
  readonly records: number
}

/** Each piece costs a short read; the others are compared record by record. */
const piecesMax = 16

/** The values of a compiled query with the words filled in that its equalities mean. */
export async function withHeldWords(
  tx: Queryable,
  entity: ScreenerType,
  pieces: readonly WordPiece[],
  values: readonly unknown[],
  { version, heldVersion }: RegisterState,
): Promise<readonly unknown[]> {
  if (pieces.length === 0 || version !== heldVersion) return values
  const filled = [...values]
  for (const { field, spellings, at } of pieces.slice(0, piecesMax)) {
    const rows = await tx.query<{ word: string }>(
      `SELECT word FROM registry.held_word WHERE entity = $1 AND column_name = $2
         AND ingest.word_key(word) = ANY (ARRAY(SELECT ingest.word_key(asked) FROM unnest($3::text[]) AS asked))`,
      [entity, columnOf(field.column), spellings],
    )
    // Never empty: nothing is equal to no words, and unequal to them even where a value is missing.
    filled[at] = [...new Set([...rows.map(({ word }) => word), ...spellings.slice(0, 1)])]
  }
  return filled
}

/**
 * A value that no record holds and that is nearly a word is taken for a slip; any other is searched as it stands.
 * @throws AppError QUERY_SYNTAX
 */
export async function refuseSlips(
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
      const meant = wordLike(field.vocabulary, literal.value, held)
      if (meant === undefined || (await isHeld(tx, entity, column, literal.value, state, field.kind === 'list')))
        continue
      throw noSuchValue(query, field, literal, meant)
    }
  }
}

export const columnOf = (sql: string): string => sql.replace(/^r\./, '')

/** The commonest first. Of the newest version that was counted, which may not be the newest. */
export function heldWords(tx: Queryable, entity: EntityType, column: string): Promise<HeldWord[]> {
  return tx.query<HeldWord>(
    `SELECT word, records FROM registry.held_word WHERE entity = $1 AND column_name = $2 ORDER BY records DESC, word`,
    [entity, column],
  )
}

/** By column, the commonest word of each first. */
export async function heldWordsByColumn(
  tx: Queryable,
  entity: EntityType,
  columns: readonly string[],
): Promise<ReadonlyMap<string, readonly HeldWord[]>> {
  const rows = await tx.query<HeldWord & { column: string }>(
    `SELECT column_name AS column, word, records FROM registry.held_word
     WHERE entity = $1 AND column_name = ANY ($2::text[]) ORDER BY records DESC, word`,
    [entity, columns],
  )
  return Map.groupBy(rows, ({ column }) => column)
}

/** Whether an open record holds the word, in any case, spacing and punctuation. */
export async function isHeld(
  tx: Queryable,
  entity: EntityType,
  column: string,
  word: string,
  { version, heldVersion }: Pick<RegisterState, 'version' | 'heldVersion'>,
  isList = false,
): Promise<boolean> {
  const [known] = await tx.query(
    `SELECT 1 FROM registry.held_word
     WHERE entity = $1 AND column_name = $2 AND ingest.word_key(word) = ingest.word_key($3) LIMIT 1`,
    [entity, column, word],
  )
  if (known !== undefined || version === heldVersion) return known !== undefined
  const holds = isList
    ? `EXISTS (SELECT FROM unnest(r.${column}) AS member WHERE ingest.word_key(member) = ingest.word_key($1))`
    : `ingest.word_key(r.${column}) = ingest.word_key($1)`
  const [row] = await tx.query(
    `SELECT 1 FROM ${registerTables[entity].table} r WHERE r.closed_on IS NULL AND ${holds} LIMIT 1`,
    [word],
  )
  return row !== undefined
}

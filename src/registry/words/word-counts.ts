/** The words that occur in a register, counted by a job after each merge (registry.held_word). */

import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import type { RegisterState } from '../paging/total-cache.ts'
import { registerTables } from '../register-table.ts'

export interface HeldWord {
  readonly word: string
  /** Open records that contain it. */
  readonly records: number
}

export const columnOf = (sql: string): string => sql.replace(/^r\./, '')

/** Most common first. As of the last counted version, which may not be the newest. */
export function heldWords(tx: Queryable, entity: EntityType, column: string): Promise<HeldWord[]> {
  return tx.query<HeldWord>(
    `SELECT word, records FROM registry.held_word WHERE entity = $1 AND column_name = $2 ORDER BY records DESC, word`,
    [entity, column],
  )
}

const spelledStatement = {
  name: 'held-as-spelled',
  text: 'SELECT 1 FROM registry.held_word WHERE entity = $1 AND column_name = $2 AND word = ANY($3::text[]) LIMIT 1',
}

/**
 * Whether it contains any of them in exactly this spelling: one lookup, while other spellings take a comparison with
 * every word.
 */
export async function isSpelledSo(
  tx: Queryable,
  entity: EntityType,
  column: string,
  words: readonly string[],
): Promise<boolean> {
  return (await tx.query(spelledStatement, [entity, column, words])).length > 0
}

/** By column, the most common word of each first. */
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

/** Whether an open record contains the word, in any case, spacing and punctuation. */
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
    ? sql`EXISTS (SELECT FROM unnest(r.${column}) AS member WHERE ingest.word_key(member) = ingest.word_key($1))`
    : sql`ingest.word_key(r.${column}) = ingest.word_key($1)`
  const [row] = await tx.query(
    sql`SELECT 1 FROM ${registerTables[entity].table} r WHERE r.closed_on IS NULL AND ${holds} LIMIT 1`,
    [word],
  )
  return row !== undefined
}

/** Whether no record has a value in the column; then its words cannot be checked. */
export async function isUnfilled(tx: Queryable, entity: EntityType, column: string, isList = false): Promise<boolean> {
  const filled = isList ? sql`cardinality(r.${column}) > 0` : sql`r.${column} IS NOT NULL`
  const rows = await tx.query(
    sql`SELECT 1 FROM ${registerTables[entity].table} r WHERE r.closed_on IS NULL AND ${filled} LIMIT 1`,
  )
  return rows.length === 0
}

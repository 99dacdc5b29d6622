/**
 * Words of a vocabulary, joined. The spellings that config lists are matched as they stand, which is a hash join on the
 * cell itself; only what misses is looked up by its word key, because making that key costs more than the join.
 */

import { literal, sql } from '../../../db/sql.ts'
import type { CheckLayers } from '../layers.ts'

/** Joins ingest.alias by an exact key. @returns the expression of the value, over the join layer. */
export function joinKey(layers: CheckLayers, alias: string, kind: string, key: string): string {
  layers.joins.set(
    alias,
    sql`LEFT JOIN ingest.alias ${alias} ON ${alias}.kind = ${literal(kind)} AND ${alias}.key = ${key}`,
  )
  return `${alias}.value`
}

/**
 * The vocabulary's word for a cell of layer p; null for an unknown word. The second join stands for a look-up in a
 * sub-select, which would keep the planner from working in parallel; its key is null, and free, where the first hit.
 */
export function joinWord(layers: CheckLayers, alias: string, vocabulary: string, cell: string): string {
  const exact = joinKey(layers, alias, `exact ${vocabulary}`, cell)
  const loose = joinKey(
    layers,
    `${alias}_loose`,
    vocabulary,
    sql`CASE WHEN ${exact} IS NULL THEN ingest.word_key(${cell}) END`,
  )
  return sql`coalesce(${exact}, ${loose})`
}

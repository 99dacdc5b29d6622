/**
 * Joins the words of a vocabulary. The spellings in config are matched exactly, by a hash join on the cell itself; only
 * the others are looked up by word key, because computing the key costs more than the join.
 */

import { literal, sql } from '../../../db/sql.ts'
import type { CheckLayers } from '../layers.ts'

/**
 * Joins ingest.alias by an exact key.
 * @returns the expression of the value, over the join layer.
 */
export function joinKey(layers: CheckLayers, alias: string, kind: string, key: string): string {
  layers.joins.set(
    alias,
    sql`LEFT JOIN ingest.alias ${alias} ON ${alias}.kind = ${literal(kind)} AND ${alias}.key = ${key}`,
  )
  return `${alias}.value`
}

/**
 * The vocabulary's word for a cell of layer p; null for an unknown word. The second join replaces a lookup in a
 * subselect, which would prevent parallel plans; its key is null, and free, if the first join hit.
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

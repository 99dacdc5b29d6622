/** Counts of the checked table, in one pass over it, since a large one is read from disk each time. */

import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import { listAliases } from './aliases.ts'
import { vocabularyOf } from './vocabulary-of.ts'

export interface CheckedSummary {
  readonly usable: number
  readonly repaired: Readonly<Record<string, number>>
  /** Column → unknown word → rows. */
  readonly unknownWords: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Partitions that usable rows belong to. */
  readonly scopes: readonly string[]
}

const wordsMax = 50

/** `words`: the columns of the checked table with words of a vocabulary. */
export async function readSummary(
  tx: Queryable,
  source: Source,
  table: string,
  words: readonly string[],
): Promise<CheckedSummary> {
  const columns = [...words, 'repair', 'scope_name']
  const counts = await tx.query<{ name: string | null; value: string | null; rows: number }>(
    sql`SELECT CASE ${columns.map((column) => sql`WHEN GROUPING(${column}) = 0 THEN ${literal(column)}`).join(' ')} END AS name,
            coalesce(${columns.join(', ')}) AS value, count(*) AS rows
     FROM ${table} WHERE fault IS NULL
     GROUP BY GROUPING SETS (${columns.map((column) => `(${column})`).join(', ')}, ()) ORDER BY rows DESC`,
  )
  const isKnown = knownWords(source)
  const of = (column: string) =>
    counts.flatMap(({ name, value, rows }) => (name === column && value !== null ? [{ value, rows }] : []))
  return {
    usable: counts.find(({ name }) => name === null)?.rows ?? 0,
    repaired: byKind(of('repair')),
    unknownWords: Object.fromEntries(
      words.flatMap((column) => {
        const unknown = of(column).filter(({ value }) => !isKnown(column, value))
        return unknown.length === 0 ? [] : [[column, pairsOf(unknown.slice(0, wordsMax))]]
      }),
    ),
    scopes: of('scope_name').map(({ value }) => value),
  }
}

interface Counted {
  readonly value: string
  readonly rows: number
}

const pairsOf = (counts: readonly Counted[]): Record<string, number> =>
  Object.fromEntries(counts.map(({ value, rows }) => [value, rows]))

/** A row's repair kinds are one text, separated by spaces. */
function byKind(counts: readonly Counted[]): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const { value, rows } of counts) {
    for (const kind of value.split(' ')) kinds[kind] = (kinds[kind] ?? 0) + rows
  }
  return kinds
}

function knownWords(source: Source): (column: string, word: string) => boolean {
  const known = new Set(listAliases().map(({ kind, value }) => `${kind} ${value}`))
  return (column, word) => {
    const vocabulary = vocabularyOf(source, column)
    return vocabulary === undefined || known.has(`${vocabulary} ${word}`)
  }
}

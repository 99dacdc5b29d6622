/**
 * The components of a merge's statements, from names declared in `config/sources`. All statements have the same
 * parameters: $1 run_id, $2 as_of, $3 the partitions for which a newer snapshot has been applied.
 */

import type { Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import type { Coverage } from '../../check/coverage.ts'
import { keepsPart } from '../../check/rules/rules.ts'

export interface Column {
  readonly name: string
  /** The value after checked row `c`, given the existing row `t`, if any. */
  readonly next: string
}

export interface MergeTarget {
  readonly source: Source
  /** Name of the checked table. */
  readonly checked: string
  /** Columns that the file's header covers, including the key. */
  readonly written: readonly string[]
  /** The same without the key. */
  readonly columns: readonly Column[]
  /** The search form of a record's names. */
  readonly search: Column | undefined
  /** All columns of a new row, in the order of its values. */
  readonly all: readonly string[]
  /** The partition of an existing row `t`. */
  readonly scope: string
  /** True for a checked row `c` that the run applies. */
  readonly usable: string
}

export function mergeTarget(source: Source, coverage: ReadonlyMap<string, Coverage>, checked: string): MergeTarget {
  const written = Object.entries(source.columns)
    .filter(([name, rule]) => coverage.get(name) !== 'absent' && rule.kind !== 'name-key')
    .map(([name]) => name)
  const isAbroad = abroad(source, coverage)
  const next = (name: string): string => {
    const value = nextValue(source, name, coverage)
    return isAbroad && source.columns[name]?.kind === 'place'
      ? sql`CASE WHEN ${isAbroad} THEN t.${name} ELSE ${value} END`
      : value
  }
  const search = searchKey(source, coverage, next)
  return {
    source,
    checked,
    written,
    columns: written.filter((name) => name !== source.key).map((name) => ({ name, next: next(name) })),
    search,
    all: [...written, ...(search ? [search.name] : []), 'fingerprint', 'first_run_id', 'last_run_id', 'as_of'],
    scope: scopeOf(source),
    usable: `c.fault IS NULL AND NOT (coalesce(c.scope_name, '*') = ANY($3::text[]))`,
  }
}

export const scopeOf = (source: Source): string => (source.scope ? sql`t.${source.scope}::text` : `'*'`)

/** For a new record `t` is empty, so everything comes from `c`. */
function nextValue(source: Source, name: string, coverage: ReadonlyMap<string, Coverage>): string {
  switch (coverage.get(name)) {
    case 'fill':
      return sql`coalesce(t.${name}, c.${name})`
    case 'value':
      return sql`coalesce(c.${name}, t.${name})`
    case 'part':
    case 'removed':
      return sql`CASE WHEN t.${source.key} IS NOT NULL AND (${keepsPart(source, name, coverage)}) THEN t.${name} ELSE c.${name} END`
    default:
      return `c.${name}`
  }
}

/**
 * True for a record `t` of an address abroad, of which a file without countries says nothing: it is read as one in India.
 * Undefined for other files.
 */
function abroad({ place, columns }: Source, coverage: ReadonlyMap<string, Coverage>): string | undefined {
  const [country] =
    Object.entries(columns).find(([, rule]) => rule.kind === 'text' && rule.from === place?.country) ?? []
  if (country === undefined || coverage.get(country) !== 'absent') return undefined
  return sql`ingest.word_key(t.${country}) IN (SELECT key FROM ingest.alias WHERE kind = 'country')`
}

/**
 * The check computes the search form of the names in the file; for names that the file lacks, those of the record are
 * used.
 */
function searchKey(
  source: Source,
  coverage: ReadonlyMap<string, Coverage>,
  next: (name: string) => string,
): Column | undefined {
  for (const [column, rule] of Object.entries(source.columns)) {
    if (rule.kind !== 'name-key') continue
    const covered = rule.of.filter((name) => coverage.get(name) === 'covered')
    if (covered.length === rule.of.length) return { name: column, next: `c.${column}` }
    const known = rule.of.filter((name) => coverage.get(name) !== 'absent')
    if (known.length === 0) return undefined
    const nextNames = rule.of.map((name) => (known.includes(name) ? next(name) : `t.${name}`))
    const changed = known.map((name) => sql`t.${name} IS DISTINCT FROM ${next(name)}`)
    return {
      name: column,
      next: sql`CASE WHEN t.${source.key} IS NULL THEN c.${column}
                  WHEN ${changed.join(' OR ')} THEN registry.name_key(coalesce(${[...nextNames, `''`].join(', ')}))
                  ELSE t.${column} END`,
    }
  }
  return undefined
}

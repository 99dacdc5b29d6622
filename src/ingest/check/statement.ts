/**
 * Builds the one query that checks a staged snapshot: from text cells to typed columns with faults and repairs.
 *
 * The text is composed of fixed fragments and of names declared in `config/sources`; nothing from the file becomes part
 * of it. Layers: fields (trimmed cells) → prepared (read once, used often) → joined (vocabularies, PIN directory) →
 * named (places) → values (target columns) → faults. Each layer ends with OFFSET '0', which keeps the planner from
 * computing an expression once per use; as a plain number it would also prevent parallel plans.
 */

import type { Source } from '../../../config/sources/source.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Coverage } from './coverage.ts'
import { CheckLayers, type CheckOptions, snake } from './layers.ts'
import { addPlace } from './rules/place-layers.ts'
import { addRule, coverageOf } from './rules/rules.ts'
import { vocabularyOf } from './vocabulary-of.ts'

/**
 * Increment after a change of src/domain/contact or its libraries, so that rows with odd contact cells are read again.
 */
const contactReaders = 2

export interface CheckStatement {
  /**
   * The checking query over the staged rows that meet `where` (over s); each result has its row's place in the staged
   * table.
   */
  select(fingerprint: string, where: string): string
  /**
   * Everything that determines how a cell is read; statements with the same rules give the same row for the same cells.
   */
  readonly rules: string
  readonly coverage: ReadonlyMap<string, Coverage>
  readonly vocabularyColumns: readonly string[]
  /** The register's columns that it fills. */
  readonly columns: readonly string[]
}

export function checkStatement(source: Source, options: CheckOptions): CheckStatement {
  const layers = new CheckLayers(options)
  const coverage = coverageOf(source, options.positions)
  const place = source.place && addPlace(layers, source.place, options.hasPinDirectory)
  for (const [column, rule] of Object.entries(source.columns)) {
    if (coverage.get(column) !== 'absent') addRule(layers, column, rule, { source, place })
  }
  const written = [...layers.values.keys(), ...layers.composed.keys()].filter((name) => !name.startsWith('f_'))
  const columns = written.filter((name) => Object.hasOwn(source.columns, name))
  const scope = source.scope && columns.includes(source.scope) ? sql`checked.${source.scope}::text` : 'NULL::text'
  const outer = sql`
SELECT checked.ordinal, checked.place, checked.fingerprint, ${columns.map((name) => `checked.${name}`).join(', ')}, ${scope} AS scope_name,
       ${chain(layers.faults, (fault) => literal(fault.code))} AS fault,
       ${chain(layers.faults, (fault) => fault.message)} AS fault_message,
       ${repairsOf(layers)} AS repair${[...layers.unread].map((name) => `, checked.${name}`).join('')}
FROM (SELECT typed.*${list(layers.composed)} FROM (
  SELECT places.ordinal, places.place, places.fingerprint, ${[...layers.fields].map((name) => `places.f_${snake(name)}`).join(', ')}${list(layers.values)} FROM (
    SELECT joined.*${list(layers.named)} FROM (
      SELECT prepared.*${list(layers.joined)} FROM (
        SELECT cells.*${list(layers.prepared)} FROM (`
  const inner = `) cells OFFSET '0') prepared
      ${[...layers.joins.values()].join('\n      ')} OFFSET '0') joined OFFSET '0') places OFFSET '0') typed OFFSET '0') checked`
  const fields = [...layers.fields].sort()
  return {
    select: (fingerprint, where) => sql`${outer}
          SELECT s.ordinal, s.ctid AS place, ${fingerprint} AS fingerprint, ${fields.map((name) => cell(layers, name)).join(', ')}
          FROM ${options.stageTable} s ${where} OFFSET '0'${inner}`,
    rules: JSON.stringify([
      source.name,
      fields.filter((name) => layers.has(name)),
      outer,
      inner,
      ...(layers.unread.size > 0 ? [contactReaders] : []),
    ]),
    coverage,
    columns,
    vocabularyColumns: columns.filter((name) => vocabularyOf(source, name) !== undefined),
  }
}

function positionOf(layers: CheckLayers, field: string): string {
  const position = layers.positions.get(field)
  return position === undefined ? 'NULL::text' : `s.c${position}`
}

function cell(layers: CheckLayers, field: string): string {
  const value = layers.has(field) ? sql`ingest.clean(${positionOf(layers, field)})` : 'NULL::text'
  return sql`${value} AS f_${snake(field)}`
}

const list = (expressions: ReadonlyMap<string, string>): string =>
  [...expressions].map(([alias, value]) => sql`,\n    ${value} AS ${alias}`).join('')

const chain = <T extends { readonly when: string }>(cases: readonly T[], then: (item: T) => string): string =>
  cases.length === 0
    ? 'NULL::text'
    : sql`CASE ${cases.map((item) => sql`WHEN ${item.when} THEN ${then(item)}`).join('\n            ')} END`

/** All repair kinds of a row, separated by spaces. */
function repairsOf({ repaired }: CheckLayers): string {
  const each = repaired.map((repair) =>
    chain([repair], ({ kind }) => (typeof kind === 'string' ? literal(kind) : kind.sql)),
  )
  return each.length > 1 ? sql`nullif(concat_ws(' ', ${each.join(', ')}), '')` : (each[0] ?? 'NULL::text')
}

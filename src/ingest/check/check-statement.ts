/**
 * Builds the one statement that checks a staged snapshot: `CREATE UNLOGGED TABLE ingest.checked_<run> AS SELECT …`.
 *
 * The text is put together from fixed fragments and from names declared in `config/registries`; nothing of the file
 * enters it. Layers: fields (trimmed cells) → prepared (read once, used often) → joined (vocabularies, PIN directory)
 * → named (places) → values (target columns) → faults. Each layer ends with OFFSET '0', which keeps the planner from
 * computing an expression once per use; as a plain number it would also keep it from working in parallel.
 */
import type { Registry } from '../../../config/registries/registry.ts'
import type { RejectCode } from '../reject-codes.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import type { DateOrderDecision, DateOrders } from './date-order.ts'
import { addPlace } from './place-sql.ts'
import { addRule } from './rule-sql.ts'

export interface Fault {
  readonly code: RejectCode
  /** Over the layer of values (c). */
  readonly when: string
  readonly message: string
}

export interface Healing {
  /** One kind, or an expression over (c) of several, separated by spaces. */
  readonly kind: string | { readonly sql: string }
  /** Over the layer of values (c). */
  readonly when: string
}

export class CheckLayers {
  readonly fields = new Set<string>()
  readonly prepared = new Map<string, string>()
  readonly joins = new Map<string, string>()
  readonly joined = new Map<string, string>()
  readonly named = new Map<string, string>()
  readonly values = new Map<string, string>()
  readonly composed = new Map<string, string>()
  /** Over the layer `named` (n); set by the place reader. */
  cityValue = 'NULL::text'
  readonly faults: Fault[] = []
  readonly healings: Healing[] = []
  readonly positions: ReadonlyMap<string, number>
  readonly #dateOrders: DateOrders
  readonly hasNicList: boolean

  constructor(options: CheckOptions) {
    this.positions = options.positions
    this.#dateOrders = options.dateOrders
    this.hasNicList = options.hasNicList
  }

  has(field: string): boolean {
    return this.positions.has(field)
  }

  /** The trimmed cell of a field, as every layer above sees it. */
  field(name: string): string {
    this.fields.add(name)
    return `f_${snake(name)}`
  }

  /** Undefined where no date of the field needs an order of day and month. */
  dateOrder(field: string): DateOrderDecision | undefined {
    return this.#dateOrders.get(field)
  }

  prepare(alias: string, sql: string): string {
    this.prepared.set(alias, sql)
    return alias
  }
}

export interface CheckOptions {
  readonly runId: number
  readonly positions: ReadonlyMap<string, number>
  /** False while reference.pincode is empty: districts then come from the text alone. */
  readonly hasPinDirectory: boolean
  readonly hasNicList: boolean
  readonly dateOrders: DateOrders
}

export interface CheckStatement {
  readonly sql: string
  readonly table: string
  readonly coverage: ReadonlyMap<string, Coverage>
  readonly vocabularyColumns: readonly string[]
}

export function checkStatement(registry: Registry, options: CheckOptions): CheckStatement {
  const layers = new CheckLayers(options)
  const coverage = coverageOf(registry, options.positions)
  if (registry.place) addPlace(layers, registry.place, options.hasPinDirectory)
  for (const [column, rule] of Object.entries(registry.columns)) {
    if (coverage.get(column) !== 'absent') addRule(layers, column, rule, registry)
  }
  const table = `ingest.checked_${options.runId}`
  const written = [...layers.values.keys(), ...layers.composed.keys()].filter((name) => !name.startsWith('f_'))
  const columns = written.filter((name) => Object.hasOwn(registry.columns, name))
  const scope = registry.scope && columns.includes(registry.scope) ? `c.${registry.scope}::text` : 'NULL::text'
  const sql = `
CREATE UNLOGGED TABLE ${table} WITH (autovacuum_enabled = off) AS
SELECT c.ordinal, ${columns.map((name) => `c.${name}`).join(', ')}, ${scope} AS scope_name,
       ${chain(layers.faults, (fault) => `'${fault.code}'`)} AS fault,
       ${chain(layers.faults, (fault) => fault.message)} AS fault_message,
       ${healingsOf(layers)} AS healing
FROM (SELECT v.*${list(layers.composed)} FROM (
  SELECT n.ordinal, ${[...layers.fields].map((name) => `n.f_${snake(name)}`).join(', ')}${list(layers.values)} FROM (
    SELECT j.*${list(layers.named)} FROM (
      SELECT p.*${list(layers.joined)} FROM (
        SELECT f.*${list(layers.prepared)} FROM (
          SELECT s.ordinal, ${[...layers.fields].map((name) => cell(layers, name)).join(', ')}
          FROM ingest.stage_${options.runId} s OFFSET '0') f OFFSET '0') p
      ${[...layers.joins.values()].join('\n      ')} OFFSET '0') j OFFSET '0') n OFFSET '0') v OFFSET '0') c`
  const vocabularyColumns = columns.filter((name) => registry.columns[name]?.kind === 'word')
  return { sql, table, coverage, vocabularyColumns }
}

function cell(layers: CheckLayers, field: string): string {
  const position = layers.positions.get(field)
  const value = position === undefined ? 'NULL::text' : `ingest.clean(s.c${position})`
  return `${value} AS f_${snake(field)}`
}

const list = (expressions: ReadonlyMap<string, string>): string =>
  [...expressions].map(([alias, sql]) => `,\n    ${sql} AS ${alias}`).join('')

const chain = <T extends { readonly when: string }>(cases: readonly T[], then: (item: T) => string): string =>
  cases.length === 0
    ? 'NULL::text'
    : `CASE ${cases.map((item) => `WHEN ${item.when} THEN ${then(item)}`).join('\n            ')} END`

/** The kinds of all healings of a row, separated by spaces. */
function healingsOf({ healings }: CheckLayers): string {
  const each = healings.map((healing) =>
    chain([healing], ({ kind }) => (typeof kind === 'string' ? `'${kind}'` : kind.sql)),
  )
  return each.length > 1 ? `nullif(concat_ws(' ', ${each.join(', ')}), '')` : (each[0] ?? 'NULL::text')
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The second pass: compiles a resolved tree into the condition of a WHERE clause and its values, taking into account
 * what is sold to the caller, the words of names and the words in the register. The SQL consists of fragments of this
 * file and of field-sql.ts and of columns from the field table; user input is always a bound parameter with a cast.
 *
 * A record is found only if the whole condition is true for it. A condition on a missing value is not true, and neither
 * is its negation: only IS NULL finds records without a value. An empty list is missing. NOT is pushed down to the
 * conditions (De Morgan), so that this holds for lists too.
 */
import { sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import type { ComparisonOperator, Literal, MatchOperator } from './ast.ts'
import { bound, comparing } from './field-sql.ts'
import type { Field, ResolvedCondition, ResolvedQuery, ScreenerType } from './fields.ts'
import type { CompiledQuery, NamePiece, Output, WordPiece } from './pieces.ts'
import { createGuard, type Days } from './withhold.ts'

/**
 * @param sold what the caller's date conditions may not find; null: no restriction.
 * @param values extended by the query's values.
 */
export function compileQuery(
  type: ScreenerType,
  node: ResolvedQuery,
  sold: SoldRegistrations | null = null,
  values: unknown[] = [],
): CompiledQuery {
  const namePieces: NamePiece[] = []
  const wordPieces: WordPiece[] = []
  const places = new Map<string, number>()
  const bind = (value: unknown): string => `$${values.push(value)}`
  const later =
    <P>(pieces: (P & { readonly name: string })[]) =>
    (piece: P): string => {
      const name = `later ${places.size}`
      places.set(name, values.length)
      pieces.push({ ...piece, name })
      return bind(null)
    }
  const guard = createGuard(type, node, sold, bind)
  const out: Output = { bind, bindPiece: later(namePieces), bindWords: later(wordPieces) }
  const walk = (each: ResolvedQuery, negated: boolean, days: Days): string => {
    if ('term' in each) return walk(each.term, !negated, days)
    if (!('terms' in each)) return guard.narrow(each, negated, days, compileCondition(each, negated, out))
    if (each.terms.length === 0) return negated ? 'false' : 'true'
    const isOr = (each.kind === 'and') === negated
    const met = isOr ? days : guard.meeting(each, negated, days)
    return `(${each.terms.map((term) => walk(term, negated, met)).join(isOr ? ' OR ' : ' AND ')})`
  }
  const condition = walk(node, false, guard.days)
  return { condition, values, places, namePieces, wordPieces, withheld: guard.withheld(), counts: guard.counts() }
}

/** What a condition tests, however it is written: `!=`, NOT IN, IS NOT NULL and a false flag are negations. */
type Test =
  | { readonly kind: 'equal'; readonly values: readonly Literal[] }
  | { readonly kind: 'ordered'; readonly op: Exclude<ComparisonOperator, '==' | '!='>; readonly value: Literal }
  | { readonly kind: 'between'; readonly low: Literal; readonly high: Literal }
  | { readonly kind: 'match'; readonly op: MatchOperator; readonly value: Literal }
  | { readonly kind: 'null' }

function testOf(condition: ResolvedCondition): { readonly test: Test; readonly isTurned: boolean } {
  if (condition.kind === 'in') return { test: { kind: 'equal', values: condition.values }, isTurned: condition.negated }
  if (condition.kind === 'null') return { test: condition, isTurned: condition.negated }
  if (condition.kind !== 'compare') return { test: condition, isTurned: false }
  const { op, value } = condition
  if (op !== '==' && op !== '!=') return { test: { kind: 'ordered', op, value }, isTurned: false }
  const isFalse = condition.field.known.kind === 'flag' && value.value === 'false'
  return { test: { kind: 'equal', values: [value] }, isTurned: (op === '!=') !== isFalse }
}

function compileCondition(condition: ResolvedCondition, negated: boolean, out: Output): string {
  const { known } = condition.field
  const { test, isTurned } = testOf(condition)
  const isNegated = negated !== isTurned
  return test.kind === 'null'
    ? isMissing(known, isNegated)
    : truth(known, isNegated, holds(known, test, isNegated, out))
}

const isMissing = ({ kind, column, presence }: Field, negated: boolean): string =>
  kind === 'list'
    ? `(${negated ? isFilled(column) : sql`NOT (${isFilled(column)})`})`
    : `(${presence ?? column} ${negated ? 'IS NOT NULL' : 'IS NULL'})`

const isFilled = (column: string): string => sql`cardinality(${column}) > 0`

/** One truth table for a condition and its negation: neither is true for a missing value. */
function truth({ kind, column, presence }: Field, negated: boolean, holds: string): string {
  const wanted = negated ? sql`NOT (${holds})` : holds
  if (kind === 'list') return negated ? sql`(${wanted} AND ${isFilled(column)})` : `(${holds})`
  return presence === undefined ? `(${wanted})` : sql`(${presence} IS NOT NULL AND ${wanted})`
}

/** The positive condition; `negated` says whether the caller negates it. */
function holds(field: Field, test: Exclude<Test, { kind: 'null' }>, negated: boolean, out: Output): string {
  const { equals, matches, ordered } = comparing[field.kind]
  switch (test.kind) {
    case 'equal':
      return equals(field, test.values, out)
    case 'match':
      return matches(field, test, negated, out)
    case 'ordered':
      return sql`${ordered(field.column)} ${test.op} ${bound(field, test.value, out)}`
    case 'between':
      return sql`${ordered(field.column)} BETWEEN ${bound(field, test.low, out)} AND ${bound(field, test.high, out)}`
  }
}

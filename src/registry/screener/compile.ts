/**
 * A checked tree in, the condition of a WHERE clause and its values out. The SQL is joined from fragments of this
 * file and columns of the field table; every word of the user travels as a bound parameter with a cast.
 *
 * A record is found only when the whole condition is true of it. A condition on a missing value is not true, and
 * neither is its negation: IS NULL is the only way to records without a value. A list without members is missing.
 * NOT is pushed down to the conditions (De Morgan), so that this holds for lists too.
 */
import { sql } from '../../db/sql.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import type { ComparisonOperator, Condition, Literal, MatchOperator, Node } from './ast.ts'
import { type Field, fieldNamed, type ScreenerType } from './fields.ts'
import { isNamed, matchesName, matchText } from './name-condition.ts'
import type { CompiledQuery, NamePiece, Output, WordPiece } from './pieces.ts'
import { createGuard } from './withhold.ts'
import { isOneOf, wordsAsked } from './word-condition.ts'

/** @param sold what the caller's conditions on dates may not find; null: nothing. @param values are added to. */
export function compileQuery(
  type: ScreenerType,
  node: Node,
  sold: SoldRegistrations | null = null,
  values: unknown[] = [],
): CompiledQuery {
  const namePieces: NamePiece[] = []
  const wordPieces: WordPiece[] = []
  const bind = (value: unknown): string => `$${values.push(value)}`
  const bindPiece: Output['bindPiece'] = (op, text) => {
    namePieces.push({ op, text, at: values.length })
    return bind(null)
  }
  const bindWords: Output['bindWords'] = (piece) => {
    wordPieces.push({ ...piece, at: values.length })
    return bind(null)
  }
  const guard = createGuard(type, node, sold, bind)
  const condition = compileNode(type, node, false, { bind, bindPiece, bindWords, guard })
  return { condition, values, namePieces, wordPieces, withheld: guard.withheld(), counts: guard.counts() }
}

function compileNode(type: ScreenerType, node: Node, negated: boolean, out: Output): string {
  switch (node.kind) {
    case 'and':
    case 'or': {
      if (node.terms.length === 0) return negated ? 'false' : 'true'
      const joint = (node.kind === 'and') === negated ? ' OR ' : ' AND '
      return `(${node.terms.map((term) => compileNode(type, term, negated, out)).join(joint)})`
    }
    case 'not':
      return compileNode(type, node.term, !negated, out)
    case 'compare':
    case 'match':
    case 'in':
    case 'between':
    case 'null': {
      const field = fieldNamed(type, node.field.name)
      if (!field) throw new Error(`${node.field.name} was not checked`)
      const sql = field.kind === 'list' ? onList(field, node, negated, out) : onScalar(field, node, negated, out)
      return out.guard.narrow(field, node, negated, sql)
    }
  }
}

const castOf = (field: Field): string => {
  switch (field.kind) {
    case 'number':
      return '::numeric'
    case 'integer':
      return '::bigint'
    case 'date':
      return '::date'
    case 'text':
    case 'name':
    case 'identifier':
    case 'code':
    case 'list':
    case 'flag':
      return '::text'
  }
}
const sqlComparison: Readonly<Record<ComparisonOperator, string>> = {
  '==': '=',
  '!=': '<>',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
}
/** One truth table for a condition and its negation: neither is true of a missing value. */
function truth(field: Field, negated: boolean, holds: string): string {
  const wanted = negated ? sql`NOT (${holds})` : holds
  return field.presence === undefined ? `(${wanted})` : sql`(${field.presence} IS NOT NULL AND ${wanted})`
}

function onScalar(field: Field, condition: Condition, negated: boolean, out: Output): string {
  if (field.kind === 'flag' && condition.kind === 'compare') {
    const isTrue = (condition.op === '==') === (condition.value.value === 'true')
    return truth(field, negated === isTrue, field.column)
  }
  const asked = wordsAsked(field, condition)
  if (asked) return truth(field, negated !== asked.negated, isOneOf(asked, out))
  const cast = castOf(field)
  const column = field.column
  const one = (literal: Literal): string => `${out.bind(literal.value)}${cast}`
  // Codes are ordered by their digits, whatever the database's collation.
  const ordered = field.kind === 'code' ? `${column} COLLATE "C"` : column
  switch (condition.kind) {
    case 'compare': {
      if (field.kind === 'name' && (condition.op === '==' || condition.op === '!=')) {
        return truth(field, negated !== (condition.op === '!='), isNamed(field, [condition.value], out))
      }
      const left = condition.op === '==' || condition.op === '!=' ? column : ordered
      return truth(field, negated, `${left} ${sqlComparison[condition.op]} ${one(condition.value)}`)
    }
    case 'match':
      return truth(
        field,
        negated,
        field.kind === 'name'
          ? matchesName(field, condition, negated, out)
          : matchScalar(field, condition.op, one(condition.value)),
      )
    case 'in':
      if (field.kind === 'name') {
        return truth(field, negated !== condition.negated, isNamed(field, condition.values, out))
      }
      return truth(field, negated !== condition.negated, sql`${column} = ANY (${many(field, condition.values, out)})`)
    case 'between':
      return truth(field, negated, sql`${ordered} BETWEEN ${one(condition.low)} AND ${one(condition.high)}`)
    case 'null':
      return `(${field.presence ?? column} ${negated === condition.negated ? 'IS NULL' : 'IS NOT NULL'})`
  }
}

/** Names are folded already, identifiers and codes are stored in one case; only free text needs lower(). */
function matchScalar(field: Field, op: MatchOperator, needle: string): string {
  if (field.kind === 'text') return matchText(op, sql`lower(${field.column})`, sql`lower(${needle})`)
  return matchText(op, field.column, field.kind === 'identifier' ? sql`upper(${needle})` : needle)
}

/** The positive forms of == and IN are those that the GIN indexes of the list columns answer. */
function onList(field: Field, condition: Condition, negated: boolean, out: Output): string {
  const { column } = field
  const asked = wordsAsked(field, condition)
  const present = sql`cardinality(${column}) > 0`
  const held = (holds: string, isNegated: boolean): string =>
    isNegated ? sql`(NOT (${holds}) AND ${present})` : `(${holds})`
  if (asked) return held(isOneOf(asked, out), negated !== asked.negated)
  switch (condition.kind) {
    case 'compare': {
      const holds = sql`${column} @> ARRAY[${out.bind(condition.value.value)}::text]`
      return held(holds, negated !== (condition.op === '!='))
    }
    case 'in':
      return held(`${column} && ${many(field, condition.values, out)}`, negated !== condition.negated)
    case 'match': {
      const matched = matchText(condition.op, 'lower(member)', sql`lower(${out.bind(condition.value.value)}::text)`)
      return held(sql`EXISTS (SELECT FROM unnest(${column}) AS member WHERE ${matched})`, negated)
    }
    case 'null':
      return negated === condition.negated ? sql`(NOT (${present}))` : `(${present})`
    case 'between':
      throw new Error(`${field.name} was not checked`)
  }
}

const many = (field: Field, literals: readonly Literal[], out: Output): string =>
  `${out.bind(literals.map((literal) => literal.value))}${castOf(field)}[]`

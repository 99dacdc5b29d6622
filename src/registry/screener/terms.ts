/**
 * A checked query as the conditions that it joins by AND, each with its own text, as filters show them; joined by AND
 * again, the texts are the query. A term with OR, or a negation of more than one comparison, is not a filter and stays
 * query text.
 */
import { type Condition, type Literal, type Node, termsIn } from './ast.ts'
import { fieldNamed, type ScreenerType } from './fields.ts'
import { printCondition, printQuery } from './print.ts'
import { quoted } from './tokens.ts'
import { inLakhAndCrore } from './written-values.ts'

export interface Term {
  /** null for a term that is not a filter. */
  readonly field: string | null
  readonly operator: string
  /** Relative days stay relative. */
  readonly values: readonly string[]
  /** As a person would write it: `has_mobile`, `paidUpCapital > 10 lakh`, `dateOfIncorporation IN this month`. */
  readonly text: string
}

export const termsOf = (type: ScreenerType, node: Node): readonly Term[] =>
  termsIn(node).map((term) => termOf(type, term))

/** The condition that a field has this value; null means records without one. */
export const isValue = (field: string, value: string | null): string =>
  value === null ? `${field} IS NULL` : `${field} == ${quoted(value)}`

/** The condition that a field has a code of this heading. */
export const beginsWith = (field: string, heading: string): string => `${field} STARTS_WITH ${quoted(heading)}`

function termOf(type: ScreenerType, node: Node): Term {
  const text = textOf(type, node)
  const flag = flagOf(type, node)
  if (flag) return { field: flag.name, operator: '==', values: [String(flag.wanted)], text }
  const term = (condition: Condition, operator: string, literals: readonly Literal[]): Term => {
    return {
      field: condition.field.name,
      operator,
      values: literals.map(({ value, written }) => written ?? value),
      text,
    }
  }
  switch (node.kind) {
    case 'compare':
    case 'match':
      return term(node, node.op, [node.value])
    case 'in':
      return term(node, node.negated ? 'NOT IN' : 'IN', node.values)
    case 'between':
      return isOnePeriod(node) ? term(node, 'IN', [node.low]) : term(node, 'BETWEEN', [node.low, node.high])
    case 'null':
      return term(node, node.negated ? 'IS NOT NULL' : 'IS NULL', [])
    case 'and':
    case 'or':
    case 'not':
      return { field: null, operator: '', values: [], text: node.kind === 'or' ? `(${text})` : text }
  }
}

/** `IN this month` was resolved to the range from its first to its last day. */
const isOnePeriod = ({ low, high }: Condition & { readonly kind: 'between' }): boolean =>
  low.written !== undefined && low.at === high.at

/** A flag can be written in four ways, with two meanings. */
function flagOf(type: ScreenerType, node: Node): { readonly name: string; readonly wanted: boolean } | undefined {
  if (node.kind === 'not') {
    const flag = flagOf(type, node.term)
    return flag && { ...flag, wanted: !flag.wanted }
  }
  if (node.kind !== 'compare' || fieldNamed(type, node.field.name)?.kind !== 'flag') return undefined
  return { name: node.field.name, wanted: (node.op === '==') === (node.value.value === 'true') }
}

function textOf(type: ScreenerType, node: Node): string {
  const flag = flagOf(type, node)
  if (flag) return flag.wanted ? flag.name : `NOT ${flag.name}`
  return printQuery(node, (condition) => written(type, condition))
}

function written(type: ScreenerType, condition: Condition): string {
  const { name } = condition.field
  const kind = fieldNamed(type, name)?.kind
  if (kind === 'flag') return textOf(type, condition)
  if (condition.kind === 'between' && isOnePeriod(condition)) return `${name} IN ${condition.low.written}`
  return printCondition(condition, kind === 'number' ? ({ value }) => inLakhAndCrore(value) : asWritten)
}

const asWritten = ({ kind, value, written }: Literal): string => written ?? (kind === 'text' ? quoted(value) : value)

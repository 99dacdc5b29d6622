/** Prints a tree as canonical text: one spacing, one quoting, parentheses wherever AND, OR and NOT meet. */
import type { Condition, Literal, Node } from './ast.ts'
import { quoted } from './tokens.ts'

/** @param print formats one condition. */
export function printQuery(node: Node, print: (condition: Condition) => string = canonicalCondition): string {
  const inParentheses = (term: Node): string =>
    term.kind === 'and' || term.kind === 'or' ? `(${printQuery(term, print)})` : printQuery(term, print)
  switch (node.kind) {
    case 'and':
      return node.terms.map(inParentheses).join(' AND ')
    case 'or':
      return node.terms.map(inParentheses).join(' OR ')
    case 'not':
      return `NOT ${inParentheses(node.term)}`
    case 'compare':
    case 'match':
    case 'in':
    case 'between':
    case 'null':
      return print(node)
  }
}

/** @param print formats one value. */
export function printCondition(condition: Condition, print: (literal: Literal) => string): string {
  const { name } = condition.field
  switch (condition.kind) {
    case 'compare':
    case 'match':
      return `${name} ${condition.op} ${print(condition.value)}`
    case 'in':
      return `${name} ${condition.negated ? 'NOT IN' : 'IN'} [${condition.values.map(print).join(', ')}]`
    case 'between':
      return `${name} BETWEEN ${print(condition.low)} AND ${print(condition.high)}`
    case 'null':
      return `${name} IS ${condition.negated ? 'NOT NULL' : 'NULL'}`
  }
}

const canonicalCondition = (condition: Condition): string =>
  printCondition(condition, ({ kind, value }) => (kind === 'text' ? quoted(value) : value))

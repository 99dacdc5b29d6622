/** A tree in, its canonical text out: one spacing, one quoting, parentheses wherever AND, OR and NOT meet. */
import type { Condition, Literal, Node } from './ast.ts'
import { quoted } from './tokens.ts'

export function printQuery(node: Node): string {
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
      return printCondition(node)
  }
}

const inParentheses = (node: Node): string =>
  node.kind === 'and' || node.kind === 'or' ? `(${printQuery(node)})` : printQuery(node)

function printCondition(condition: Condition): string {
  const { name } = condition.field
  switch (condition.kind) {
    case 'compare':
    case 'match':
      return `${name} ${condition.op} ${printLiteral(condition.value)}`
    case 'in':
      return `${name} ${condition.negated ? 'NOT IN' : 'IN'} [${condition.values.map(printLiteral).join(', ')}]`
    case 'between':
      return `${name} BETWEEN ${printLiteral(condition.low)} AND ${printLiteral(condition.high)}`
    case 'null':
      return `${name} IS ${condition.negated ? 'NOT NULL' : 'NULL'}`
  }
}

const printLiteral = (literal: Literal): string => (literal.kind === 'text' ? quoted(literal.value) : literal.value)

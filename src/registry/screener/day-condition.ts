/** Rewrites a condition on relative days as one on the first or the last of them. */
import type { ComparisonOperator, FieldRef, Literal, Node } from './ast.ts'
import type { Period } from './relative-days.ts'

export interface DaysLiteral {
  readonly period: Period
  readonly written: string
  readonly at: number
}

export const firstDay = ({ period, ...literal }: DaysLiteral): Literal => ({
  kind: 'text',
  value: period.from,
  ...literal,
})
export const lastDay = ({ period, ...literal }: DaysLiteral): Literal => ({
  kind: 'text',
  value: period.to,
  ...literal,
})

/** `>` a month means after its last day, `>=` from its first day on, `==` within it. */
export function comparedWith(field: FieldRef, op: ComparisonOperator, days: DaysLiteral): Node {
  switch (op) {
    case '>=':
    case '<':
      return { kind: 'compare', field, op, value: firstDay(days) }
    case '>':
    case '<=':
      return { kind: 'compare', field, op, value: lastDay(days) }
    case '==':
      return within(field, days)
    case '!=':
      return { kind: 'not', term: within(field, days) }
  }
}

export function within(field: FieldRef, days: DaysLiteral): Node {
  if (days.period.from === days.period.to) return { kind: 'compare', field, op: '==', value: firstDay(days) }
  return { kind: 'between', field, low: firstDay(days), high: lastDay(days) }
}

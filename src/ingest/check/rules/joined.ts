/** Columns of the same table put together, as a key that no single one of them is. */
import { literal } from '../../../db/literal.ts'
import type { RuleKind } from './rule-kind.ts'

export const joined: RuleKind<'joined'> = {
  coverage: () => 'covered',
  sql(layers, column, rule) {
    const parts = rule.columns.map((part) => `coalesce(typed.${part}::text, '')`)
    layers.composed.set(column, parts.join(` || ${literal(rule.separator)} || `))
  },
}

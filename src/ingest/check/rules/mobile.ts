/** A mobile number in one spelling. */
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const mobile: RuleKind<'mobile'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, `ingest.read_mobile(n.${field})`)
    // A number that nobody can call is worth no reject, but its loss is counted.
    layers.healings.push({ kind: 'mobile_dropped', when: `c.${column} IS NULL AND c.${field} IS NOT NULL` })
  },
}

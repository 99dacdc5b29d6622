/** A mobile number in one spelling. */
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const mobile: RuleKind<'mobile'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, `ingest.read_mobile(places.${field})`)
    // A number that nobody can call is worth no reject, but its loss is counted.
    layers.healings.push({ kind: 'mobile_dropped', when: `checked.${column} IS NULL AND checked.${field} IS NOT NULL` })
  },
}

/** The NIC list that the digits of industry are of. */
import { vintageOf } from './derivations.ts'
import type { RuleKind } from './rule-kind.ts'

export const nicVintage: RuleKind<'nic-vintage'> = {
  coverage: (rule, { has }) => (has(rule.dateFrom) ? 'part' : 'fill'),
  sql(layers, column, rule) {
    layers.joined.set('vintage', vintageOf(layers, rule.from, rule.dateFrom))
    layers.values.set(column, `CASE WHEN places.nic_digits IS NOT NULL THEN places.vintage::smallint END`)
  },
}

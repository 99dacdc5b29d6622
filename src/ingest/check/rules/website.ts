/** The address of a website: its host has no case, its path has; a cell that names no host is none. */
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const website: RuleKind<'website'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, `ingest.website(places.${field})`)
    layers.healings.push({
      kind: 'website_dropped',
      when: `checked.${column} IS NULL AND checked.${field} IS NOT NULL`,
    })
  },
}

/** The address of a website: its host has no case, its path has; a cell that names no host is none. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const website: RuleKind<'website'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, sql`ingest.website(places.${field})`)
    layers.repaired.push({
      kind: 'website_dropped',
      when: sql`checked.${column} IS NULL AND checked.${field} IS NOT NULL`,
    })
  },
}

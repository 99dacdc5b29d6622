/** The address of a website: the host ignores case, the path does not; a cell without a host is not an address. */
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

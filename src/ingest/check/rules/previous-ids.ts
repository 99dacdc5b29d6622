/** Former identifiers of a company. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const previousIds: RuleKind<'previous-ids'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, sql`ingest.company_ids(places.${field})`)
    // A malformed former identifier does not reject the company; it is left out and counted.
    layers.repaired.push({
      kind: 'previous_id_dropped',
      when: sql`checked.${field} IS NOT NULL
      AND coalesce(cardinality(checked.${column}), 0) < cardinality(regexp_split_to_array(checked.${field}, '[,;|/]'))`,
    })
  },
}

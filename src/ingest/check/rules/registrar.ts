/** The registrar of companies: `RoC-Mumbai` of older files is `ROC Mumbai` of newer ones. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const registrar: RuleKind<'registrar'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const cell = `places.${layers.field(rule.from)}`
    layers.values.set(
      column,
      sql`CASE WHEN ${cell} LIKE 'ROC %' THEN ${cell} ELSE regexp_replace(${cell}, '^roc[-\\s]+', 'ROC ', 'i') END`,
    )
  },
}

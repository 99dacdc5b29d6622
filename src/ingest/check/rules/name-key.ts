/** The search form of the first of several columns that is not empty. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const nameKey: RuleKind<'name-key'> = {
  coverage: (rule, { coverageOf }) => coveredIf(rule.of.some((column) => coverageOf(column) !== 'absent')),
  sql(layers, column, rule) {
    const names = rule.of.filter((name) => layers.values.has(name)).map((name) => `typed.${name}`)
    layers.composed.set(column, sql`registry.name_key(coalesce(${[...names, `''`].join(', ')}))`)
  },
}

/** A whole number up to a maximum; `12.0` counts, as spreadsheets write it. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import { addUnreadable, missing, notOneOf } from './faults.ts'
import type { RuleKind } from './rule-kind.ts'

export const integer: RuleKind<'integer'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from) || rule.fallback !== undefined),
  sql(layers, column, rule) {
    const cell = `places.${layers.field(rule.from)}`
    const number = sql`ingest.read_number(${cell})`
    const value = sql`CASE WHEN ${number} <= ${rule.max} THEN ${number} END`
    layers.values.set(
      column,
      rule.fallback === undefined ? value : sql`CASE WHEN ${cell} IS NULL THEN ${rule.fallback} ELSE ${value} END`,
    )
    addUnreadable(layers, column, rule.from, 'number')
    if (rule.required) layers.faults.push(missing(column, rule.from))
    if (rule.oneOf) layers.faults.push(notOneOf(column, rule.oneOf))
  },
}

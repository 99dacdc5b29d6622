/** An amount in INR, to the paisa. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import { addUnreadable } from './faults.ts'
import type { RuleKind } from './rule-kind.ts'

export const amount: RuleKind<'amount'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    layers.values.set(column, sql`ingest.read_amount(places.${layers.field(rule.from)})::numeric(20, 2)`)
    addUnreadable(layers, column, rule.from, 'amount')
  },
}

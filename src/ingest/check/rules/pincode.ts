/** A PIN that every record must have. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import { addUnreadable, missing } from './faults.ts'
import type { RuleKind } from './rule-kind.ts'

export const pincode: RuleKind<'pincode'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    layers.values.set(column, sql`ingest.read_pincode(places.${layers.field(rule.from)})`)
    addUnreadable(layers, column, rule.from, 'number')
    layers.faults.push(missing(column, rule.from))
  },
}

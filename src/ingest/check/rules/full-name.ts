/** A person's name, composed of its parts if the source has no full name. */
import { sql } from '../../../db/sql.ts'
import { coveredByAll } from '../coverage.ts'
import { missing } from './faults.ts'
import type { RuleKind } from './rule-kind.ts'

export const fullName: RuleKind<'full-name'> = {
  coverage: (rule, { has }) => (has(rule.from) ? 'covered' : coveredByAll(rule.parts.map(has))),
  addsNothing: (column) => sql`string_to_array(c.${column}, ' ') <@ string_to_array(t.${column}, ' ')`,
  sql(layers, column, rule) {
    const whole = `places.${layers.field(rule.from)}`
    const parts = rule.parts.map((part) => `places.${layers.field(part)}`)
    layers.values.set(column, sql`coalesce(${whole}, nullif(concat_ws(' ', ${parts.join(', ')}), ''))`)
    layers.faults.push(missing(column, rule.from))
  },
}

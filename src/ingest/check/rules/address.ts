/** An address: the whole of it, or its parts in their order. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const address: RuleKind<'address'> = {
  coverage: (rule, { has }) => coveredIf(rule.fields.some(has)),
  sql(layers, column, rule) {
    // The first field is the whole address; a source without it has the parts alone.
    const [whole = '', ...parts] = rule.fields
    const found = parts.filter((field) => layers.has(field)).map((field) => `places.${layers.field(field)}`)
    const together = sql`nullif(concat_ws(', ', ${['NULL', ...found].join(', ')}), '')`
    layers.values.set(column, layers.has(whole) ? sql`coalesce(places.${layers.field(whole)}, ${together})` : together)
  },
}

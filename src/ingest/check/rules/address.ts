/** An address: the whole, or its parts in order. */
import { sql } from '../../../db/sql.ts'
import { coveredByAll } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const address: RuleKind<'address'> = {
  coverage({ whole, parts, placeParts }, { has }) {
    if (!parts.some(has)) return has(whole) ? 'value' : 'absent'
    return coveredByAll([...parts, ...placeParts].map(has))
  },
  // The row adds nothing if the record already has its parts.
  addsNothing: (column) =>
    sql`c.${column} IS NULL OR string_to_array(c.${column}, ', ') <@ string_to_array(t.${column}, ', ')`,
  sql(layers, column, { whole, parts, placeParts }) {
    const present = (fields: readonly string[]) =>
      ['NULL', ...fields.filter((field) => layers.has(field)).map((field) => `places.${layers.field(field)}`)].join(
        ', ',
      )
    // A place alone is not an address.
    const together = sql`CASE WHEN num_nonnulls(${present(parts)}) > 0 THEN concat_ws(', ', ${present([...parts, ...placeParts])}) END`
    layers.values.set(column, layers.has(whole) ? sql`coalesce(places.${layers.field(whole)}, ${together})` : together)
  },
}

/** An address or a number in another party's list, in the form in which contacts are stored. */
import { sql } from '../../../db/sql.ts'
import type { RuleKind } from './rule-kind.ts'

export const contactValue: RuleKind<'contact-value'> = {
  coverage: () => 'covered',
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, sql`ingest.contact_value(places.${field})`)
    layers.faults.push({
      code: 'identifier_malformed',
      when: sql`checked.${column} IS NULL`,
      message: sql`coalesce('"' || left(checked.${field}, 80) || '"', 'an empty cell') || ' is neither an address nor a number'`,
    })
  },
}

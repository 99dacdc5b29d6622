/** An address or a number that somebody else's list names, in the form in which contacts are kept. */
import type { RuleKind } from './rule-kind.ts'

export const contactValue: RuleKind<'contact-value'> = {
  coverage: () => 'covered',
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    layers.values.set(column, `ingest.contact_value(places.${field})`)
    layers.faults.push({
      code: 'identifier_malformed',
      when: `checked.${column} IS NULL`,
      message: `coalesce('"' || left(checked.${field}, 80) || '"', 'an empty cell') || ' is neither an address nor a number'`,
    })
  },
}

/** The identifier of the type that another field names. */
import { sql } from '../../../db/sql.ts'
import { readers } from './identifier.ts'
import type { RuleKind } from './rule-kind.ts'

export const anyIdentifier: RuleKind<'any-identifier'> = {
  coverage: () => 'covered',
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    const entity = layers.field(rule.entityFrom)
    const cell = `places.${field}`
    layers.values.set(
      column,
      sql`CASE lower(places.${entity}) WHEN 'company' THEN ${readers['company-id'].reader(cell)}
          WHEN 'director' THEN ${readers.din.reader(cell)} WHEN 'gst' THEN ${readers.gstin.reader(cell)} END`,
    )
    layers.faults.push({
      code: 'identifier_malformed',
      when: sql`checked.${column} IS NULL`,
      message: sql`coalesce('"' || left(checked.${field}, 80) || '"', 'an empty cell') || ' is no identifier of this entity'`,
    })
    layers.repaired.push({ kind: 'identifier_spelling', when: `checked.${column} <> checked.${field}` })
  },
}

/** A part of a person's name, cut from the full one where the source has no such field. */
import { sql } from '../../../db/sql.ts'
import type { CheckLayers } from '../layers.ts'
import type { RuleKind, RuleOf } from './rule-kind.ts'

export const namePart: RuleKind<'name-part'> = {
  coverage: (rule, { has }) => (has(rule.from) ? 'covered' : has(rule.fullFrom) ? 'part' : 'absent'),
  // A name that is the same is not cut anew; where a file with the parts cut it, that stands.
  tellsNothing: () => sql`t.full_name = c.full_name AND t.last_name IS NOT NULL`,
  sql(layers, column, rule) {
    layers.values.set(column, partOf(layers, rule))
  },
}

function partOf(layers: CheckLayers, rule: RuleOf<'name-part'>): string {
  if (layers.has(rule.from)) return `places.${layers.field(rule.from)}`
  const full = `places.${layers.field(rule.fullFrom)}`
  switch (rule.part) {
    case 'first':
      return sql`split_part(${full}, ' ', 1)`
    case 'last':
      return sql`CASE WHEN ${full} LIKE '% %' THEN split_part(${full}, ' ', -1) END`
    case 'middle':
      return sql`nullif(btrim(substring(${full} FROM '^\\S+\\s+(.*)\\s+\\S+$')), '')`
  }
}

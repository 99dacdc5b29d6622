/** Several values in one cell: trimmed members in their order, each once; an empty cell is an empty list. */

import { literal, sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

export const list: RuleKind<'list'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const cell = `places.${layers.field(rule.from)}`
    layers.values.set(
      column,
      sql`CASE WHEN ${cell} IS NULL THEN '{}'::text[] ELSE (
      SELECT coalesce(array_agg(member ORDER BY position), '{}') FROM (
        SELECT btrim(part) AS member, min(position) AS position
        FROM unnest(string_to_array(${cell}, ${literal(rule.separator)})) WITH ORDINALITY AS parts(part, position)
        WHERE btrim(part) <> '' GROUP BY 1) AS members) END`,
    )
  },
}

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
      // A cell that names one is spared the statement of its own, which costs microseconds a row.
      sql`CASE WHEN ${cell} IS NULL THEN '{}'::text[]
      WHEN strpos(${cell}, ${literal(rule.separator)}) = 0 THEN array_remove(ARRAY[btrim(${cell})], '')
      ELSE ARRAY(
        SELECT btrim(part) FROM unnest(string_to_array(${cell}, ${literal(rule.separator)})) WITH ORDINALITY AS parts(part, position)
        WHERE btrim(part) <> '' GROUP BY 1 ORDER BY min(position)) END`,
    )
  },
}

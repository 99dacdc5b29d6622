/** A cell's text in the case that the column uses, or the replacement for an empty one. */

import { literal, sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import { missing, notOneOf } from './faults.ts'
import type { RuleKind } from './rule-kind.ts'

export const text: RuleKind<'text'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from) || rule.fallback !== undefined),
  sql(layers, column, rule) {
    const cell = `places.${layers.field(rule.from)}`
    const cased =
      rule.letterCase === 'title'
        ? sql`ingest.title_case(${cell})`
        : rule.letterCase === 'lower'
          ? sql`lower(${cell})`
          : cell
    layers.values.set(column, rule.fallback === undefined ? cased : sql`coalesce(${cased}, ${literal(rule.fallback)})`)
    if (rule.required) layers.faults.push(missing(column, rule.from))
    if (rule.oneOf) layers.faults.push(notOneOf(column, rule.oneOf))
  },
}

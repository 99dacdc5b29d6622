/** Columns of the same table put together, as a key that no single one of them is. */

import { literal, sql } from '../../../db/sql.ts'
import type { RuleKind } from './rule-kind.ts'

export const joined: RuleKind<'joined'> = {
  coverage: () => 'covered',
  sql(layers, column, rule, { source }) {
    const parts = rule.columns.map((part) => sql`coalesce(typed.${part}::text, '')`)
    const isThere = (part: string) => {
      const own = source.columns[part]
      return own?.kind === 'text' && layers.has(own.from)
    }
    const optional = (rule.optional ?? [])
      .filter(isThere)
      .map((part) => sql` || coalesce(${literal(rule.separator)} || left(typed.${part}::text, 60), '')`)
    layers.composed.set(column, parts.join(` || ${literal(rule.separator)} || `) + optional.join(''))
  },
}

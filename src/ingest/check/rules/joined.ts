/** Columns of the same table joined into a key, since none of them is a key alone. */

import { literal, sql } from '../../../db/sql.ts'
import type { RuleKind } from './rule-kind.ts'

export const joined: RuleKind<'joined'> = {
  coverage: () => 'covered',
  sql(layers, column, rule, { source }) {
    // For a date that the file does not have, the key has the same part as for an empty cell.
    const isTyped = (part: string) => {
      const own = source.columns[part]
      return own?.kind !== 'date' || layers.has(own.from)
    }
    const parts = rule.columns.map((part) => (isTyped(part) ? sql`coalesce(typed.${part}::text, '')` : sql`''`))
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

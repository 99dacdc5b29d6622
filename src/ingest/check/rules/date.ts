/** A day that a cell names, and the faults of cells that name none or two. */
import { literal, sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { DateOrderDecision } from '../date-order.ts'
import { type CheckLayers, snake } from '../layers.ts'
import type { RuleKind } from './rule-kind.ts'

export const date: RuleKind<'date'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, { from }) {
    const field = layers.field(from)
    layers.values.set(column, `places.${preparedDate(layers, from)}`)
    const unread = sql`checked.${column} IS NULL AND checked.${field} IS NOT NULL`
    const decision = layers.dateOrder(from)
    if (decision?.order === null) {
      layers.faults.push({
        code: 'date_ambiguous',
        when: sql`${unread} AND ingest.date_order(checked.${field}) = 'either'`,
        message: sql`'"' || left(checked.${field}, 80) || ${literal(`" in ${column} can be two days: ${whyOpen(decision)}; write it as YYYY-MM-DD`)}`,
      })
    }
    layers.faults.push({
      code: 'date_unreadable',
      when: unread,
      message: sql`'"' || left(checked.${field}, 80) || ${literal(`" in ${column} is no day, written ${spellingsOf(decision)}`)}`,
    })
  },
}

export function preparedDate(layers: CheckLayers, from: string): string {
  const order = layers.dateOrder(from)?.order ?? 'undecided'
  return layers.prepare(`d_${snake(from)}`, sql`ingest.read_date(${layers.field(from)}, ${literal(order)})`)
}

function whyOpen({ by }: DateOrderDecision): string {
  return by === 'both'
    ? 'other dates of this file show both orders of day and month'
    : 'no date of this file shows whether day or month stands first'
}

function spellingsOf(decision: DateOrderDecision | undefined): string {
  switch (decision?.order) {
    case 'dmy':
      return 'YYYY-MM-DD or DD-MM-YYYY'
    case 'mdy':
      return 'YYYY-MM-DD or MM-DD-YYYY'
    default:
      return 'YYYY-MM-DD'
  }
}

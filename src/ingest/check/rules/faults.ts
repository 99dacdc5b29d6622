/** Faults shared by several kinds of rules. */

import { literal, sql } from '../../../db/sql.ts'
import type { CheckLayers, Fault } from '../layers.ts'

export function missing(column: string, from: string): Fault {
  return {
    code: 'value_missing',
    when: sql`checked.${column} IS NULL`,
    message: literal(`${column} is empty (${from})`),
  }
}

export function notOneOf(column: string, words: readonly (string | number)[]): Fault {
  const allowed = words.map((word) => (typeof word === 'string' ? literal(word) : String(word)))
  return {
    code: 'value_not_allowed',
    when: sql`checked.${column} NOT IN (${allowed.join(', ')})`,
    message: sql`'"' || left(checked.${column}::text, 80) || ${literal(`" is none of ${words.join(', ')} (${column})`)}`,
  }
}

/** A non-empty cell that cannot be read rejects the row: a null would be a silent loss. */
export function addUnreadable(layers: CheckLayers, column: string, from: string, what: 'amount' | 'number'): void {
  const field = layers.field(from)
  layers.faults.push({
    code: `${what}_unreadable`,
    when: sql`checked.${column} IS NULL AND checked.${field} IS NOT NULL`,
    message: sql`'"' || left(checked.${field}, 80) || ${literal(`" in ${column} is no ${readable[what]}`)}`,
  })
}

const readable = {
  amount: 'amount in rupees; write it in digits, such as 100000 or 1,00,000.00',
  number: 'whole number; write it in digits',
} as const

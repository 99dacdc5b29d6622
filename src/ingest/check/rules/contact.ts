/**
 * E-mail addresses and telephone numbers. A cell of plain form is read in SQL; any other goes out beside the row, in
 * `unread_…`, and is read by the libraries afterwards: see ../read-contacts.ts. Both lanes give the same for the same cell.
 */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import { type CheckLayers, snake } from '../layers.ts'
import type { RuleKind, RuleOf } from './rule-kind.ts'

type Part = RuleOf<'contact'>['part']

/** What one reader reads together. */
export type ContactFamily = 'emails' | 'phones'

export const familyOf = (part: Part): ContactFamily => (part === 'emails' || part === 'email' ? 'emails' : 'phones')

export const contact: RuleKind<'contact'> = {
  coverage: (rule, { has }) => coveredIf(rule.from.some(has)),
  sql(layers, column, { part, from }) {
    const family = familyOf(part)
    const cells = from.map((field) => ({
      cell: `places.${layers.field(field)}`,
      plain: plainOf(layers, family, field),
    }))
    layers.values.set(
      column,
      valueOfPart(
        part,
        cells.map(({ plain }) => plain),
      ),
    )
    const odd = cells.map(({ cell, plain }) => sql`${cell} IS NOT NULL AND ${plain} IS NULL`)
    layers.values.set(
      layers.leaveUnread(family),
      sql`CASE WHEN ${odd.join(' OR ')} THEN ARRAY[${cells.map(({ cell }) => cell).join(', ')}] END`,
    )
  },
}

function plainOf(layers: CheckLayers, family: ContactFamily, field: string): string {
  const reader = family === 'emails' ? 'ingest.plain_email' : 'ingest.plain_mobile'
  return `places.${layers.prepare(`plain_${snake(field)}`, `${reader}(${layers.field(field)})`)}`
}

/** Of a row whose cells are all plain; landlines have no plain form, for their area codes are too many. */
function valueOfPart(part: Part, [first = 'NULL', second]: readonly string[]): string {
  switch (part) {
    case 'email':
    case 'mobile':
      return second === undefined ? first : sql`coalesce(${first}, ${second})`
    case 'emails':
    case 'mobiles': {
      const alone = sql`CASE WHEN ${first} IS NOT NULL THEN ARRAY[${first}] END`
      if (second === undefined) return alone
      return sql`CASE WHEN ${second} IS NULL OR ${second} = ${first} THEN ${alone}
              ELSE array_remove(ARRAY[${first}, ${second}], NULL) END`
    }
    case 'landlines':
      return 'NULL::text[]'
    case 'phone':
      return 'NULL::text'
  }
}

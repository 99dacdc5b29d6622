/**
 * E-mail addresses and telephone numbers. A cell in plain form is read in SQL; any other goes into `unread_…` of its
 * row and is read by the libraries afterwards, see ../read-contacts.ts. Both paths give the same result for the same
 * cell.
 */
import { sql } from '../../../db/sql.ts'
import { coveredByAll } from '../coverage.ts'
import { type CheckLayers, snake } from '../layers.ts'
import type { RuleKind, RuleOf } from './rule-kind.ts'

type Part = RuleOf<'contact'>['part']

/** Parts that are read together. */
export type ContactFamily = 'emails' | 'phones'

export const familyOf = (part: Part): ContactFamily => (part === 'emails' || part === 'email' ? 'emails' : 'phones')

export const contact: RuleKind<'contact'> = {
  coverage: (rule, { has }) => coveredByAll(rule.from.map(has)),
  // Adds nothing if the record already has the number, from whichever cell.
  addsNothing: (column, { part }) =>
    sql`c.${column} IS NULL OR ${isList(part) ? sql`c.${column} <@ t.${column}` : sql`c.${column} = ANY (t.${listOf[part]})`}`,
  sql(layers, column, { part, from }) {
    const family = familyOf(part)
    const readers: readonly Reader[] = readersOf[family]
    const cells = from.map((field) => ({
      cell: `places.${layers.field(field)}`,
      plain: readers.map((reader) => plainOf(layers, reader, field)),
    }))
    const at = readers.indexOf(readerOf[part])
    layers.values.set(
      column,
      valueOfPart(
        part,
        cells.map(({ plain }) => plain[at] ?? 'NULL'),
      ),
    )
    const odd = cells.map(({ cell, plain }) => sql`${cell} IS NOT NULL AND coalesce(${plain.join(', ')}) IS NULL`)
    layers.values.set(
      layers.leaveUnread(family),
      sql`CASE WHEN ${odd.join(' OR ')} THEN ARRAY[${cells.map(({ cell }) => cell).join(', ')}] END`,
    )
  },
}

const listOf = { email: 'emails', mobile: 'mobiles', phone: 'landlines' } as const
const isList = (part: Part): part is Exclude<Part, keyof typeof listOf> => !(part in listOf)

/** Readers of plain cells, as inlined SQL, so that a cell costs no function call. */
const readersOf = { emails: ['email'], phones: ['mobile', 'landline'] } as const satisfies Record<
  ContactFamily,
  readonly string[]
>
type Reader = (typeof readersOf)[ContactFamily][number]

const readerOf: Readonly<Record<Part, Reader>> = {
  email: 'email',
  emails: 'email',
  mobile: 'mobile',
  mobiles: 'mobile',
  phone: 'landline',
  landlines: 'landline',
}

const plainOf = (layers: CheckLayers, reader: Reader, field: string): string =>
  sql`places.${layers.prepare(`plain_${reader}_${snake(field)}`, sql`ingest.plain_${reader}(${layers.field(field)})`)}`

/** For a row whose cells are all plain. */
function valueOfPart(part: Part, [first = 'NULL', second]: readonly string[]): string {
  if (part === 'email' || part === 'mobile' || part === 'phone') {
    return second === undefined ? first : sql`coalesce(${first}, ${second})`
  }
  const alone = sql`CASE WHEN ${first} IS NOT NULL THEN ARRAY[${first}] END`
  if (second === undefined) return alone
  return sql`CASE WHEN ${second} IS NULL OR ${second} = ${first} THEN ${alone}
              ELSE array_remove(ARRAY[${first}, ${second}], NULL) END`
}

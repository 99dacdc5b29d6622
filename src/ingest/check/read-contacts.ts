/**
 * Reads the contact cells that SQL could not read from the checked table, writes what the libraries make of them into
 * the same rows, and counts invalid contacts as repairs. One pass in the check's transaction: a run that is killed
 * starts over. Plain cells are not affected, so a large file costs only as much as its odd cells.
 */

import type { ColumnRule, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { readEmails } from '../../domain/contact/email-addresses.ts'
import { readPhones } from '../../domain/contact/phone-numbers.ts'
import { type ContactFamily, familyOf } from './rules/contact.ts'

type ContactRule = ColumnRule & { readonly kind: 'contact' }

interface FamilyColumns {
  readonly family: ContactFamily
  readonly columns: readonly { readonly name: string; readonly rule: ContactRule }[]
  /** The fields of the cells, in the order of the rule. */
  readonly fields: readonly string[]
}

type Lists = Readonly<Record<'emails' | 'mobiles' | 'landlines', readonly string[]>>

interface Outcome {
  readonly lists: Lists
  readonly repaired: readonly string[]
}

const rowsPerFetch = 5000

/** @param columns the columns that the statement writes. */
export async function readContacts(tx: Tx, source: Source, table: string, columns: readonly string[]): Promise<void> {
  for (const family of familiesOf(source, columns)) {
    const unread = `unread_${family.family}`
    await tx.execute(
      sql`DECLARE unread_cells NO SCROLL CURSOR FOR
       SELECT ctid::text AS place, ${unread} AS cells FROM ${table} WHERE ${unread} IS NOT NULL`,
    )
    for (;;) {
      const rows = await tx.query<{ place: string; cells: (string | null)[] }>(
        sql`FETCH ${rowsPerFetch} FROM unread_cells`,
      )
      if (rows.length === 0) break
      await writeRead(tx, table, family, rows)
    }
    await tx.execute('CLOSE unread_cells')
  }
}

function familiesOf(source: Source, written: readonly string[]): FamilyColumns[] {
  const columns = Object.entries(source.columns).flatMap(([name, rule]) =>
    rule.kind === 'contact' && written.includes(name) ? [{ name, rule: rule as ContactRule }] : [],
  )
  return (['emails', 'phones'] as const).flatMap((family) => {
    const own = columns.filter(({ rule }) => familyOf(rule.part) === family)
    return own[0] ? [{ family, columns: own, fields: own[0].rule.from }] : []
  })
}

async function writeRead(
  tx: Tx,
  table: string,
  { family, columns, fields }: FamilyColumns,
  rows: readonly { readonly place: string; readonly cells: readonly (string | null)[] }[],
): Promise<void> {
  const outcomes = rows.map(({ cells }) => (family === 'emails' ? emailsOf(fields, cells) : phonesOf(fields, cells)))
  const assignments = columns.map(({ name, rule }) => `${name} = ${outcomeOf(rule.part)}`)
  await tx.execute(
    sql`UPDATE ${table} c SET ${assignments.join(', ')},
            repair = nullif(concat_ws(' ', c.repair, nullif(outcome.repaired, '')), '')
     FROM jsonb_to_recordset($1::jsonb)
       AS outcome (place tid, emails text[], mobiles text[], landlines text[], repaired text)
     WHERE c.ctid = outcome.place`,
    [
      JSON.stringify(
        outcomes.map(({ lists, repaired }, index) => ({
          place: rows[index]?.place,
          emails: orNull(lists.emails),
          mobiles: orNull(lists.mobiles),
          landlines: orNull(lists.landlines),
          repaired: repaired.join(' '),
        })),
      ),
    ],
  )
}

const orNull = (list: readonly string[]): readonly string[] | null => (list.length === 0 ? null : list)

function outcomeOf(part: ContactRule['part']): string {
  switch (part) {
    case 'email':
      return 'outcome.emails[1]'
    case 'mobile':
      return 'outcome.mobiles[1]'
    case 'phone':
      return 'outcome.landlines[1]'
    default:
      return `outcome.${part}`
  }
}

function emailsOf(fields: readonly string[], cells: readonly (string | null)[]): Outcome {
  const read = cells.map((cell) => readEmails(cell ?? ''))
  const emails = distinct(read.flatMap(({ addresses }) => addresses))
  return {
    lists: { emails, mobiles: [], landlines: [] },
    repaired: repairsOf(fields, read, emails.length > 1 && 'email_split'),
  }
}

function phonesOf(fields: readonly string[], cells: readonly (string | null)[]): Outcome {
  const read = cells.map((cell) => readPhones(cell ?? ''))
  const of = (type: string) =>
    distinct(read.flatMap(({ phones }) => phones.flatMap((phone) => (phone.type === type ? [phone.number] : []))))
  const hasSplit = read.some(({ phones }) => phones.length > 1)
  return {
    lists: { emails: [], mobiles: of('mobile'), landlines: of('landline') },
    repaired: repairsOf(fields, read, hasSplit && 'phone_split'),
  }
}

/** `email_dropped`, `mobile_dropped` or `phone_dropped`, by the field whose cell contains an invalid contact. */
function repairsOf(
  fields: readonly string[],
  read: readonly { readonly hasJunk: boolean }[],
  split: string | false,
): string[] {
  const dropped = fields.filter((_, index) => read[index]?.hasJunk).map((field) => `${field}_dropped`)
  return split === false ? dropped : [...dropped, split]
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)]

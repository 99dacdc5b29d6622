/**
 * Whether a record can be reached: conditions over the same lists as registry.ways_known, excluding suppressed and
 * unusable contacts. They query the lists directly, so that PostgreSQL may start with the contacts.
 */
import { literal, sql } from '../../db/sql.ts'

const keys = { company: 'cin', gst: 'gstin' } as const
type Register = keyof typeof keys

const listed = {
  email: (row: string) => sql`coalesce(${row}.emails, ARRAY[ingest.plain_email(${row}.email)])`,
  mobile: (row: string) => sql`coalesce(${row}.mobiles, ARRAY[substring(${row}.mobile FROM '^\\+[1-9][0-9]{9,14}$')])`,
  website: (row: string) => sql`ARRAY[${row}.website]`,
}
export type Way = keyof typeof listed

/** Each is also the name of a column of registry.contact. */
export const ways: readonly Way[] = ['mobile', 'email', 'website']

const reaches: Readonly<Record<Way, string>> = {
  email: "NOT registry.reaches_nobody(way.value) AND NOT access.suppressed('email', way.value)",
  mobile: "NOT access.suppressed('mobile', way.value)",
  website: 'true',
}

function reachedBy(register: Register, way: Way): string {
  const collected = sql`EXISTS (SELECT FROM registry.contact CROSS JOIN LATERAL unnest(${listed[way]('contact')}) AS way (value)
    WHERE contact.entity = ${literal(register)} AND contact.identifier = r.${keys[register]} AND contact.closed_on IS NULL
      AND way.value IS NOT NULL AND ${reaches[way]})`
  if (register !== 'company' || way !== 'email') return collected
  const own = sql`EXISTS (SELECT FROM unnest(${listed.email('r')}) AS way (value) WHERE way.value IS NOT NULL AND ${reaches.email})`
  return sql`(${own} OR ${collected})`
}

const described: Readonly<Record<Way, string>> = {
  mobile: 'Whether a mobile number is known that a lead would bring',
  email: 'Whether an e-mail address is known that a lead would bring',
  website: 'Whether a website is known that a lead would bring',
}

export const reachFields = (register: Register) =>
  ways.map((way) => ({
    register,
    name: `has_${way}`,
    aliases: [],
    kind: 'flag' as const,
    column: reachedBy(register, way),
    description: described[way],
    values: ['true', 'false'],
    example: `has_${way} == true`,
    fold: 'lower' as const,
    isBeside: true as const,
  }))

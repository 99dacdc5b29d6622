/**
 * Whether a record can be reached: conditions over the same lists as registry.ways_known, without what stands on the suppression
 * list or reaches nobody. Written over the lists themselves, so that PostgreSQL may begin with the contacts.
 */
import { literal, sql } from '../../db/sql.ts'

const keys = { company: 'cin', gst: 'gstin' } as const
type Register = keyof typeof keys

const listed = {
  email: (row: string) => sql`coalesce(${row}.emails, ARRAY[ingest.plain_email(${row}.email)])`,
  mobile: (row: string) => sql`coalesce(${row}.mobiles, ARRAY[substring(${row}.mobile FROM '^\\+[1-9][0-9]{9,14}$')])`,
}
type Way = keyof typeof listed

const reaches: Readonly<Record<Way, string>> = {
  email: "NOT registry.reaches_nobody(way.value) AND NOT access.suppressed('email', way.value)",
  mobile: "NOT access.suppressed('mobile', way.value)",
}

function reachedBy(register: Register, way: Way): string {
  const collected = sql`EXISTS (SELECT FROM registry.contact CROSS JOIN LATERAL unnest(${listed[way]('contact')}) AS way (value)
    WHERE contact.entity = ${literal(register)} AND contact.identifier = r.${keys[register]} AND contact.closed_on IS NULL
      AND way.value IS NOT NULL AND ${reaches[way]})`
  if (register !== 'company' || way !== 'email') return collected
  const own = sql`EXISTS (SELECT FROM unnest(${listed.email('r')}) AS way (value) WHERE way.value IS NOT NULL AND ${reaches.email})`
  return sql`(${own} OR ${collected})`
}

function hasWebsite(register: Register): string {
  return sql`EXISTS (SELECT FROM registry.contact WHERE contact.entity = ${literal(register)} AND contact.identifier = r.${keys[register]}
    AND contact.closed_on IS NULL AND contact.website IS NOT NULL)`
}

const described = {
  mobile: 'Whether a mobile number is known that a lead would bring',
  email: 'Whether an e-mail address is known that a lead would bring',
  website: 'Whether a website is known that a lead would bring',
} as const

export const reachFields = (register: Register) =>
  (['mobile', 'email', 'website'] as const).map((way) => ({
    register,
    name: `has_${way}`,
    aliases: [],
    kind: 'flag' as const,
    column: way === 'website' ? hasWebsite(register) : reachedBy(register, way),
    description: described[way],
    values: ['true', 'false'],
    example: `has_${way} == true`,
    fold: 'lower' as const,
  }))

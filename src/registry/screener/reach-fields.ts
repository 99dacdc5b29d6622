/**
 * Whether a record can be reached: conditions over the same lists as registry.ways_known, excluding suppressed and
 * unusable contacts, and those that the account's contact rules leave out of its leads. They query the lists directly,
 * so that PostgreSQL may start with the contacts.
 */
import { literal, sql } from '../../db/sql.ts'
import { actingAccount } from './acting-account.ts'

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

/** As `barred` of registry.ways_known. */
const isBarred = sql`EXISTS (SELECT FROM registry.contact_preference AS asked
  WHERE asked.value = way.value AND asked.preference = 'do_not_contact' AND asked.closed_on IS NULL
    AND (asked.expires_on IS NULL OR asked.expires_on >= runtime.indian_day(now()))
    AND NOT EXISTS (SELECT FROM registry.contact_preference AS agreed
      WHERE agreed.value = way.value AND agreed.preference = 'consent' AND agreed.closed_on IS NULL
        AND (agreed.expires_on IS NULL OR agreed.expires_on >= runtime.indian_day(now()))
        AND agreed.stated_on >= coalesce(asked.stated_on, asked.as_of)))`
/** The account's rule first: it is read once, and few accounts have it. */
const isLeftOut = sql`(SELECT excludes_preferences FROM access.account WHERE account_id = ${actingAccount}) IS TRUE AND ${isBarred}`

const reaches: Readonly<Record<Way, string>> = {
  email: sql`NOT registry.reaches_nobody(way.value) AND NOT access.suppressed('email', way.value) AND NOT (${isLeftOut})`,
  mobile: sql`NOT access.suppressed('mobile', way.value) AND NOT (${isLeftOut})`,
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

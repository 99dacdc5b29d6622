/** One company or LLP by its identifier, with the field names of the API's details; undefined if unknown. */

import type { Answer } from '../../../config/fields/answer.ts'
import { shownOn } from '../../../config/fields/shown.ts'
import type { Queryable } from '../../db/db.ts'
import { gatheredRecords } from '../../db/gathered.ts'
import { selected } from '../../db/shown-columns.ts'
import { sql } from '../../db/sql.ts'

export type CompanyDetails = Answer<'company', 'details'>

/** For a company row `c` and the `email` of `k` at which it can be reached. */
export const companyColumns = selected('c', shownOn('company', 'details'), { email: 'k.email' })

/**
 * Joins to a company row `c` its own e-mail address, else the most recently collected one, as `k`. Same result as
 * registry.ways_to_reach, but a lookup needs no other kind of contact, no overall order and no preferences.
 * @param contacts the rows of the company's contacts.
 */
export const joinEmail = (contacts: string): string => sql`LEFT JOIN LATERAL (
           SELECT way.value AS email FROM (
             SELECT value, position, true AS is_own, NULL::date AS as_of
             FROM unnest(coalesce(c.emails, ARRAY[ingest.plain_email(c.email)])) WITH ORDINALITY AS own (value, position)
             UNION ALL
             SELECT collected.value, collected.position, false, contact.as_of
             FROM ${contacts} contact CROSS JOIN LATERAL
               unnest(coalesce(contact.emails, ARRAY[ingest.plain_email(contact.email)]))
               WITH ORDINALITY AS collected (value, position)
             WHERE contact.entity = 'company' AND contact.identifier = c.cin AND contact.closed_on IS NULL
           ) way
           WHERE access.unless_suppressed('email', way.value) IS NOT NULL
           ORDER BY way.is_own DESC, way.as_of DESC, way.position, way.value LIMIT 1
         ) k ON true`

const statement = {
  name: 'company-details',
  text: sql`SELECT ${companyColumns}
         FROM registry.company c
         ${joinEmail('registry.contact')}
         WHERE c.cin = ANY($1::text[])`,
}

export type CompanyDetailsReader = (identifier: string) => Promise<CompanyDetails | undefined>

/** Concurrent lookups are batched. */
export const createCompanyDetailsReader = (db: Queryable): CompanyDetailsReader =>
  gatheredRecords(
    (cins) => db.query<CompanyDetails>(statement, [cins]),
    ({ CIN }) => CIN,
  )

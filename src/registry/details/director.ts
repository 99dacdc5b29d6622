/**
 * One director by DIN, with the appointments in the register, oldest first; undefined if unknown. The registers are
 * published separately, so a company known only from appointments has no name here. A director who objected is reported
 * as unknown.
 */

import type { Answer } from '../../../config/fields/answer.ts'
import { shownOn } from '../../../config/fields/shown.ts'
import type { Queryable } from '../../db/db.ts'
import { gatheredRecords } from '../../db/gathered.ts'
import { selected } from '../../db/shown-columns.ts'
import { sql } from '../../db/sql.ts'

export interface Appointment {
  readonly CIN: string
  readonly companyName: string | null
  readonly Designation: string
  readonly dateOfAppointment: string | null
  readonly dateOfCessation: string | null
}

export interface DirectorDetails extends Answer<'director', 'details'> {
  readonly companies: readonly Appointment[]
}

/** For a director row `d` and the list `held` of its appointments. */
export const directorColumns = sql`${selected('d', shownOn('director', 'details'))}, coalesce(held.companies, '[]') AS companies`

/** Excludes directors on the suppression list; `din` is their column. */
export const notWithheld = (din: string): string =>
  sql`NOT EXISTS (SELECT FROM registry.withheld_director w WHERE w.din = ${din})`

/** For directorship rows `s`, each with its company row `c`. */
export const appointmentList = `json_agg(json_build_object(
                    'CIN', s.cin, 'companyName', c.name, 'Designation', s.designation,
                    'dateOfAppointment', s.appointed_on, 'dateOfCessation', s.ceased_on)
                    ORDER BY s.appointed_on NULLS LAST, s.cin, s.designation) AS companies`

const statement = {
  name: 'director-details',
  text: sql`SELECT ${directorColumns}
         FROM registry.director d
         LEFT JOIN LATERAL (
           SELECT ${appointmentList}
           FROM registry.directorship s
           LEFT JOIN registry.company c ON c.cin = s.cin
           WHERE s.din = d.din AND s.closed_on IS NULL
         ) held ON true
         WHERE d.din = ANY($1::text[]) AND ${notWithheld('d.din')}`,
}

export type DirectorDetailsReader = (identifier: string) => Promise<DirectorDetails | undefined>

/** Concurrent lookups are batched. */
export const createDirectorDetailsReader = (db: Queryable): DirectorDetailsReader =>
  gatheredRecords(
    (dins) => db.query<DirectorDetails>(statement, [dins]),
    ({ DIN }) => DIN,
  )

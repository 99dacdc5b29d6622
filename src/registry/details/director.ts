/**
 * One director by DIN, with the appointments that the register holds, oldest first; undefined when unknown.
 * The registers are published apart: a company that only the appointments know has no name here. A director who objected
 * is as unknown as one that never was.
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

/** Of a director row `d` and the list `held` of its appointments. */
export const directorColumns = sql`${selected('d', shownOn('director', 'details'))}, coalesce(held.companies, '[]') AS companies`

/** Keeps directors out who are on the suppression list; `din` is a column of theirs. */
export const notWithheld = (din: string): string =>
  sql`NOT EXISTS (SELECT FROM registry.withheld_director w WHERE w.din = ${din})`

/** Of directorship rows `s`, each with its company row `c`. */
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

/** What is asked for at the same time is read together. */
export const createDirectorDetailsReader = (db: Queryable): DirectorDetailsReader =>
  gatheredRecords(
    (dins) => db.query<DirectorDetails>(statement, [dins]),
    ({ DIN }) => DIN,
  )

/** A record's details as of a day, with the run and the snapshot that they came from. */

import type { Db, Tx } from '../../db/db.ts'
import { changesOf } from '../../db/history-with-inserts.ts'
import { sql } from '../../db/sql.ts'
import { type EntityType, recordWords } from '../../domain/identity.ts'
import { AppError } from '../../errors.ts'
import { type CompanyDetails, companyColumns, joinEmail } from '../details/company.ts'
import { appointmentList, type DirectorDetails, directorColumns, notWithheld } from '../details/director.ts'
import { type GstDetails, gstColumns } from '../details/gst.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { requireRetained } from './retention.ts'
import { inEffect, registers, rowsAsOf } from './undo.ts'

/** The origin of a record's state on a day: the last change up to that day. */
export interface RecordVersion {
  /** Day of the snapshot. */
  readonly as_of: string
  /** Day from which the record was missing from its snapshots; null while it was included. */
  readonly closed_on: string | null
  readonly run_id: number
  readonly source: string | null
  readonly sha256: string | null
  readonly changed_at: string
}

export interface Officer {
  readonly DIN: string
  readonly Name: string | null
  readonly Designation: string
  readonly dateOfAppointment: string | null
  readonly dateOfCessation: string | null
}

export interface PastRecord<T> {
  readonly details: T
  readonly version: RecordVersion
}

const { company, gst, director, directorship, contact } = registers

const companyStatement = {
  name: 'company-details-as-of',
  text: sql`SELECT ${companyColumns} FROM ${rowsAsOf(company, 'p.cin = $1')} c
         ${joinEmail(rowsAsOf(contact, `p.entity = 'company' AND p.identifier = $1`))}`,
}
const officersStatement = {
  name: 'company-officers-as-of',
  text: sql`SELECT s.din AS "DIN", d.full_name AS "Name", s.designation AS "Designation",
           s.appointed_on AS "dateOfAppointment", s.ceased_on AS "dateOfCessation"
         FROM ${rowsAsOf(directorship, 'p.cin = $1')} s
         LEFT JOIN LATERAL ${rowsAsOf(director, 'p.din = s.din')} d ON true
         WHERE s.closed_on IS NULL AND NOT access.suppressed('din', s.din)
         ORDER BY s.appointed_on NULLS LAST, s.din, s.designation`,
}
const gstStatement = {
  name: 'gst-details-as-of',
  text: sql`SELECT ${gstColumns} FROM ${rowsAsOf(gst, 'p.gstin = $1')} g`,
}
const directorStatement = {
  name: 'director-details-as-of',
  text: sql`SELECT ${directorColumns} FROM ${rowsAsOf(director, 'p.din = $1')} d
         LEFT JOIN LATERAL (
           SELECT ${appointmentList} FROM ${rowsAsOf(directorship, 'p.din = $1')} s
           LEFT JOIN LATERAL ${rowsAsOf(company, 'p.cin = s.cin')} c ON true
           WHERE s.closed_on IS NULL
         ) held ON true`,
}

/** @throws AppError NOT_FOUND if the register did not have the record on that day, HISTORY_NOT_RETAINED. */
export function readCompanyAsOf(
  db: Db,
  cin: string,
  day: string,
): Promise<PastRecord<CompanyDetails> & { readonly officers: readonly Officer[] }> {
  return boundedRead(db, async (tx) => {
    const past = await readPast<CompanyDetails>(tx, 'company', companyStatement, cin, day)
    return { ...past, officers: await tx.query<Officer>(officersStatement, [cin, day]) }
  })
}

/** @throws AppError NOT_FOUND if the register did not have the record on that day, HISTORY_NOT_RETAINED. */
export function readGstAsOf(db: Db, gstin: string, day: string): Promise<PastRecord<GstDetails>> {
  return boundedRead(db, (tx) => readPast<GstDetails>(tx, 'gst', gstStatement, gstin, day))
}

/** @throws AppError NOT_FOUND if the register did not have the record on that day, HISTORY_NOT_RETAINED. */
export function readDirectorAsOf(db: Db, din: string, day: string): Promise<PastRecord<DirectorDetails>> {
  return boundedRead(db, async (tx) => {
    const [known] = await tx.query<{ withheld: boolean }>(
      sql`SELECT NOT ${notWithheld('asked.din')} AS withheld FROM (SELECT $1::text AS din) AS asked`,
      [din],
    )
    if (known?.withheld) throw unknownRecord('director', din)
    return readPast<DirectorDetails>(tx, 'director', directorStatement, din, day)
  })
}

const unknownRecord = (entity: EntityType, identifier: string): AppError =>
  new AppError('NOT_FOUND', `The register holds no ${recordWords[entity]} ${identifier}.`)

async function readPast<T>(
  tx: Tx,
  entity: EntityType,
  statement: { readonly name: string; readonly text: string },
  identifier: string,
  day: string,
): Promise<PastRecord<T>> {
  await requireRetained(tx, day)
  const version = await readVersion(tx, entity, identifier, day)
  const [details] = await tx.query<T & Record<string, unknown>>(statement, [identifier, day])
  if (version && details) return { details, version }
  const [first] = await tx.query<{ as_of: string }>(
    sql`SELECT as_of FROM ${changesOf(registers[entity])} h WHERE identifier = $1 AND ${inEffect} ORDER BY change_id LIMIT 1`,
    [identifier],
  )
  if (!first) throw unknownRecord(entity, identifier)
  const message = `The register did not hold ${recordWords[entity]} ${identifier} on ${day}; its first snapshot is of ${first.as_of}.`
  throw new AppError('NOT_FOUND', message, { extra: { known_since: first.as_of } })
}

async function readVersion(
  tx: Tx,
  entity: EntityType,
  identifier: string,
  day: string,
): Promise<RecordVersion | undefined> {
  // Any change of a closed record reopens it, so a record is closed only if the closure is its last change.
  const [found] = await tx.query<Omit<RecordVersion, 'changed_at'> & { readonly changed_at: Date }>(
    sql`SELECT h.as_of, CASE WHEN h.kind = 'close' THEN h.as_of END AS closed_on, h.run_id, run.source, run.sha256,
            h.changed_at
     FROM ${changesOf(registers[entity])} h LEFT JOIN ingest.run run USING (run_id)
     WHERE h.identifier = $1 AND h.as_of <= $2::date AND ${inEffect}
     ORDER BY h.change_id DESC LIMIT 1`,
    [identifier, day],
  )
  return found && { ...found, changed_at: found.changed_at.toISOString() }
}

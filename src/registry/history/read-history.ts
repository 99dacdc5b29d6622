/**
 * One page of a record's history: what each run changed, field by field, and the snapshot it came from. An insert
 * stores no values; they are computed from the current row by undoing every later change.
 */

import type { Db, Tx } from '../../db/db.ts'
import { changesOf } from '../../db/history-with-inserts.ts'
import { listSorts, type SortOf } from '../../db/list-sorts.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { markOf, type Personal, suppressedAmong } from '../../suppression/suppressed-among.ts'
import { notWithheld } from '../details/director.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { emailNames, fieldNames, type HistoryEntity } from './field-names.ts'
import { fileOf, lineOf } from './origin-sql.ts'
import { retainedFrom } from './retention.ts'
import { firstRows, registers } from './undo.ts'

export type FieldValue = string | number | null | readonly string[]

export interface FieldChange {
  readonly field: string
  readonly before: FieldValue
  readonly after: FieldValue
}

export interface HistoryEntry {
  readonly entity: HistoryEntity
  readonly identifier: string
  /** `withdraw`: the run that had inserted the record was undone. */
  readonly kind: 'insert' | 'update' | 'close' | 'reopen' | 'withdraw'
  /** Day that the snapshot describes. */
  readonly as_of: string
  readonly run_id: number
  /** The run that undid this change; null if it is in effect. */
  readonly undone_by: number | null
  readonly source: string | null
  /** The last part of the path or address that the run was given. */
  readonly file: string | null
  /**
   * First line of the record in the file; null if the change has no line, such as a closure, or if it was not stored.
   */
  readonly line: number | null
  /** Of the snapshot's bytes; null if the run's row no longer exists. */
  readonly sha256: string | null
  readonly changed_at: string
  readonly changes: readonly FieldChange[]
}

export interface HistoryPage {
  readonly data: readonly HistoryEntry[]
  readonly total: number
  /** Day before which changes were thinned out; null if all are kept. */
  readonly retained_from: string | null
}

export interface HistoryQuery {
  readonly entity: EntityType
  readonly identifier: string
  /** Includes the history of a company's or director's appointments. */
  readonly withDirectorships: boolean
  readonly page: number
  readonly limit: number
  readonly sort?: SortOf<'as_of'> | undefined
}

/** For one record; it has at most as many entries as imports. */
export const historySorts = listSorts('as_of-', { by: { as_of: ['h.as_of', 'h.change_id'] }, tie: 'h.change_id' })

type Values = Readonly<Record<string, FieldValue>>
type StoredEntry = Omit<HistoryEntry, 'changes' | 'changed_at'> & {
  readonly changed_at: Date
  readonly change_id: number
  readonly before: Values | null
  readonly after: Values | null
}

/** The entries of the record `$1` and of the appointments `$2`. */
const entriesOf = (entity: EntityType): string => sql`(
  SELECT * FROM ${changesOf(registers[entity])} own WHERE identifier = $1
  UNION ALL
  SELECT * FROM ${changesOf(registers.directorship)} appointment WHERE identifier = ANY($2::text[])) h`

/**
 * Newest first by default.
 * @returns undefined for a record that is not in the register.
 */
export function readHistory(db: Db, query: HistoryQuery): Promise<HistoryPage | undefined> {
  const { entity, identifier, withDirectorships, page, limit, sort } = query
  const { table, key } = registers[entity]
  return boundedRead(db, async (tx) => {
    const shown = entity === 'director' ? sql` AND ${notWithheld('r.din')}` : ''
    const present = await tx.query(sql`SELECT 1 FROM ${table} r WHERE ${key} = $1${shown}`, [identifier])
    if (present.length === 0) return undefined
    const appointments = withDirectorships && entity !== 'gst' ? await readAppointments(tx, key, identifier) : []
    const record = [identifier, appointments]
    const entries = entriesOf(entity)
    const order = historySorts.orderBy(sort)
    const [count] = await tx.query<{ total: number }>(sql`SELECT count(*) AS total FROM ${entries}`, record)
    const stored = await tx.query<StoredEntry>(
      sql`SELECT h.*, run.source, run.sha256, run.undone_by, ${fileOf} AS file, ${lineOf} AS line
       FROM (SELECT h.entity, h.identifier, h.kind, h.as_of, h.run_id, h.changed_at, h.before, h.after, h.change_id, h.record_no
             FROM ${entries} ORDER BY ${order} LIMIT $3 OFFSET $4) h
       LEFT JOIN ingest.run run USING (run_id)
       ORDER BY ${order}`,
      [...record, limit, (page - 1) * limit],
    )
    const firsts = await readFirstRows(tx, stored)
    const data = await withheld(
      tx,
      stored.map((entry) => entryOf(entry, firsts)),
    )
    return { data, total: count?.total ?? 0, retained_from: await retainedFrom(tx) }
  })
}

async function readAppointments(tx: Tx, key: string, identifier: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM registry.directorship WHERE ${key} = $1 AND NOT access.suppressed('din', din)`,
    [identifier],
  )
  return rows.map(({ id }) => id)
}

/** Suppressed contacts are null, before and after a change. */
async function withheld(tx: Tx, data: readonly HistoryEntry[]): Promise<HistoryEntry[]> {
  const held = await suppressedAmong(
    tx,
    data.flatMap(({ changes }) => changes.flatMap((change) => contactsIn(change))),
  )
  if (held.size === 0) return [...data]
  const unlessHeld = (change: FieldChange, value: FieldValue) =>
    emailNames.has(change.field) && typeof value === 'string' && held.has(markOf('email', value)) ? null : value
  return data.map((entry) => ({
    ...entry,
    changes: entry.changes.map((change) => ({
      ...change,
      before: unlessHeld(change, change.before),
      after: unlessHeld(change, change.after),
    })),
  }))
}

const contactsIn = ({ field, before, after }: FieldChange): Personal[] =>
  emailNames.has(field)
    ? [before, after].flatMap((value) => (typeof value === 'string' ? [{ kind: 'email', value }] : []))
    : []

async function readFirstRows(tx: Tx, entries: readonly StoredEntry[]): Promise<ReadonlyMap<number, Values>> {
  const firsts = new Map<number, Values>()
  const inserts = entries.filter(({ kind }) => kind === 'insert')
  for (const entity of new Set(inserts.map((entry) => entry.entity))) {
    const own = inserts.filter((entry) => entry.entity === entity)
    const rows = await tx.query<{ change_id: number; first: Values }>(firstRows(registers[entity]), [
      own.map(({ change_id }) => change_id),
      own.map(({ identifier }) => identifier),
    ])
    for (const { change_id, first } of rows) firsts.set(change_id, first)
  }
  return firsts
}

function entryOf(entry: StoredEntry, firsts: ReadonlyMap<number, Values>): HistoryEntry {
  const { entity, identifier, kind, as_of, run_id, undone_by, source, file, sha256, line, changed_at } = entry
  const before = entry.before ?? {}
  const after = kind === 'insert' ? (firsts.get(entry.change_id) ?? {}) : (entry.after ?? {})
  const changes = Object.entries(fieldNames[entity]).flatMap(([column, field]) => {
    const change = { field, before: before[column] ?? null, after: after[column] ?? null }
    // An update names its fields; an insert names those that had a value.
    return Object.hasOwn(before, column) || change.after !== null ? [change] : []
  })
  const origin = { run_id, undone_by, source, file, sha256, line, changed_at: changed_at.toISOString() }
  return { entity, identifier, kind, as_of, ...origin, changes }
}

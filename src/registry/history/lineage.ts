/**
 * Where a register's values come from: the run, its file by name and sha256, the day that it describes, and the line.
 */

import { sources } from '../../../config/sources/index.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { changesOf } from '../../db/history-with-inserts.ts'
import { sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'
import { markOf, type Personal, suppressedAmong } from '../../suppression/suppressed-among.ts'
import { notWithheld } from '../details/director.ts'
import { boundedRead } from '../paging/bounded-read.ts'
import { emailNames, fieldNames } from './field-names.ts'
import { fileOf, lineOf } from './origin-sql.ts'
import type { FieldValue } from './read-history.ts'
import { inEffect, registers } from './undo.ts'

export interface FieldOrigin {
  readonly run_id: number
  readonly source: string | null
  /** The last part of the path or address that the run was given. */
  readonly file: string | null
  readonly sha256: string | null
  /** Day that the snapshot describes. */
  readonly as_of: string
  /** First line of the record in the file, the header being line 1; null if not stored. */
  readonly line: number | null
  readonly changed_at: string
}

export interface TracedField {
  readonly field: string
  readonly value: FieldValue
  /** Null if the history was thinned out. */
  readonly origin: FieldOrigin | null
}

export interface RecordTrace {
  readonly identifier: string
  readonly fields: readonly TracedField[]
}

interface StoredChange extends Omit<FieldOrigin, 'changed_at'> {
  readonly kind: string
  readonly changed_at: Date
  readonly after: Readonly<Record<string, unknown>> | null
}

/** @returns undefined for a record that is not in the register. */
export function readTrace(db: Db, entity: EntityType, identifier: string): Promise<RecordTrace | undefined> {
  const { table, key } = registers[entity]
  const shown = entity === 'director' ? sql` AND ${notWithheld('r.din')}` : ''
  return boundedRead(db, async (tx) => {
    const [present] = await tx.query<{ row: Readonly<Record<string, FieldValue>> }>(
      sql`SELECT to_jsonb(r) AS row FROM ${table} r WHERE ${key} = $1${shown}`,
      [identifier],
    )
    if (!present) return undefined
    const changes = await tx.query<StoredChange>(
      sql`SELECT h.kind, h.after, h.run_id, run.source, ${fileOf} AS file, run.sha256, h.as_of, ${lineOf} AS line, h.changed_at
       FROM ${changesOf(registers[entity])} h LEFT JOIN ingest.run run USING (run_id)
       WHERE h.identifier = $1 AND ${inEffect} ORDER BY h.change_id DESC`,
      [identifier],
    )
    const fields = Object.entries(fieldNames[entity]).flatMap(([column, field]) => {
      const value = present.row[column] ?? null
      const wrote = changes.find(
        ({ kind, after }) => kind === 'insert' || (after !== null && Object.hasOwn(after, column)),
      )
      return value === null ? [] : [{ field, value, origin: wrote ? originOf(wrote) : null }]
    })
    return { identifier, fields: await withoutSuppressed(tx, fields) }
  })
}

/** Suppressed contacts are left out. */
async function withoutSuppressed(tx: Queryable, fields: readonly TracedField[]): Promise<TracedField[]> {
  const emails = fields.flatMap(({ field, value }): Personal[] =>
    emailNames.has(field) && typeof value === 'string' ? [{ kind: 'email', value }] : [],
  )
  const held = await suppressedAmong(tx, emails)
  return fields.filter(
    ({ field, value }) => !emailNames.has(field) || typeof value !== 'string' || !held.has(markOf('email', value)),
  )
}

function originOf({ run_id, source, file, sha256, as_of, line, changed_at }: StoredChange): FieldOrigin {
  return { run_id, source, file, sha256, as_of, line, changed_at: changed_at.toISOString() }
}

export interface RecordOrigin {
  /**
   * Day as of which the record was last known to be current: of its last change, or of a later file that confirmed
   * it.
   */
  readonly data_as_of: string
  readonly source: string
  /** Run of the snapshot that last changed the record. */
  readonly run_id: number
  readonly file: string | null
  readonly sha256: string | null
}

/** @returns undefined for a record that is not in the register. */
export async function readOrigin(
  db: Queryable,
  entity: EntityType,
  identifier: string,
): Promise<RecordOrigin | undefined> {
  const { table, key } = registers[entity]
  const source = sources.find((each) => each.entity === entity)
  if (!source) throw new Error(`no source fills the register ${entity}`)
  const [origin] = await db.query<RecordOrigin & Record<string, unknown>>(
    sql`SELECT CASE WHEN t.closed_on IS NULL THEN greatest(t.as_of, s.as_of, seen.as_of) ELSE t.as_of END AS data_as_of,
            $2::text AS source, t.last_run_id AS run_id, ${fileOf} AS file, run.sha256
     FROM ${table} t
       LEFT JOIN ingest.run run ON run.run_id = t.last_run_id
       LEFT JOIN ingest.scope s ON s.source = $2 AND s.scope = ${source.scope ? sql`coalesce(t.${source.scope}::text, '*')` : `'*'`}
       LEFT JOIN ingest.confirmation seen ON seen.entity = $3 AND seen.identifier = t.${key}
     WHERE t.${key} = $1`,
    [identifier, source.name, entity],
  )
  return origin
}

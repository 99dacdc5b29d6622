/**
 * The audit log as a file, one JSON object per line, in the order of the chain: each with its position, the previous
 * hash and its own. The hashes show whether this export continues an earlier one.
 */

import { open, rm } from 'node:fs/promises'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { nameFile } from '../db/whole-file.ts'
import { conditionsOf } from './audit-log-filter.ts'
import { type AuditLogRow, auditLogColumns, auditLogState } from './read-audit-log.ts'

interface SealedRow extends AuditLogRow {
  readonly place: number
  readonly previous: string
  readonly hash: string
}

const rowsAtOnce = 5_000

/** @param file must not exist yet. Only its owner can read it. */
export async function exportAuditLog(
  db: Db,
  file: string,
  days: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<{ readonly rows: number }> {
  const { where, values } = conditionsOf(days)
  const handle = await open(file, 'wx', 0o600)
  let rows = 0
  try {
    let after = 0
    for (;;) {
      const page: SealedRow[] = await db.query<SealedRow>(
        sql`SELECT ${auditLogColumns}, encode(previous, 'hex') AS previous, encode(hash, 'hex') AS hash
         FROM access.audit JOIN access.audit_seal USING (audit_id)
         WHERE ${where} AND seq > $${values.length + 1} ORDER BY seq LIMIT ${rowsAtOnce}`,
        [...values, after],
      )
      for (const row of page) {
        await handle.appendFile(
          `${JSON.stringify({ ...auditLogState(row), previous: row.previous, hash: row.hash })}\n`,
        )
      }
      rows += page.length
      after = page.at(-1)?.place ?? after
      if (page.length < rowsAtOnce) return { rows }
    }
  } catch (error) {
    // What a full disk cut off would be taken for the whole of it, and stand in the way of another attempt.
    await rm(file, { force: true })
    throw nameFile(error, file)
  } finally {
    await handle.close()
  }
}

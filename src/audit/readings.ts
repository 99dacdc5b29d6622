/**
 * Reads and logins on their way into the audit log: buffered in memory, and written together about a second later, so
 * that no response waits for them. What one credential reads by one operation from one address within that second is
 * one row, with every identifier that was shown.
 *
 * A process that is killed loses its buffer; one that stops writes it first. While the database is unavailable the rows
 * stay buffered, and once there are too many, the next reader waits for them to be written, or fails with them.
 */
import { auditLogBounds } from '../../config/audit-log.ts'
import type { Queryable } from '../db/db.ts'
import { writeBehind } from '../db/write-behind.ts'
import type { Actor } from './audit.ts'
import type { DataClass } from './data-classes.ts'

export interface Noted {
  readonly kind: 'reading' | 'act' | 'refusal'
  readonly actor: Actor | 'anonymous'
  /** Verb and object: `read details`, `log in`. */
  readonly action: string
  readonly accountId: string | null
  readonly credential: string | null
  readonly operation: string
  readonly address: string | null
  readonly reason: string | null
  readonly dataClass: DataClass | null
  readonly proof?: string | undefined
}

interface Gathered extends Noted {
  readonly identifiers: Set<string>
  records: number
  times: number
}

export interface Readings {
  /** @param identifiers of the records that were shown, in any order and with duplicates. */
  note(noted: Noted, identifiers: readonly string[]): Promise<void> | undefined
  /** Writes the buffer. @throws where the database rejects it; the buffer is then kept. */
  flush(): Promise<void>
}

/** @param onFault is called with a failed write, which is retried. */
export function createReadings(db: Queryable, onFault: (error: unknown) => void): Readings {
  let gathered = new Map<string, Gathered>()
  let full: Gathered[] = []
  let held = 0
  const { later, flush } = writeBehind(write, auditLogBounds.flushMs, onFault)

  async function write(): Promise<void> {
    const batch = [...full, ...gathered.values()]
    if (batch.length === 0) return
    const weight = held
    gathered = new Map()
    full = []
    try {
      await insert(db, batch)
      held -= weight
    } catch (error) {
      full = [...batch, ...full]
      throw error
    }
  }

  return {
    note(noted, identifiers) {
      const key = [
        noted.kind,
        noted.actor,
        noted.credential,
        noted.operation,
        noted.address,
        noted.reason,
        noted.proof,
      ].join('\n')
      for (let from = 0; from === 0 || from < identifiers.length; from += auditLogBounds.identifiersMax) {
        const part = identifiers.slice(from, from + auditLogBounds.identifiersMax)
        let row = gathered.get(key)
        if (row && row.identifiers.size + part.length > auditLogBounds.identifiersMax) {
          full.push(row)
          row = undefined
        }
        if (!row) {
          row = { ...noted, identifiers: new Set(), records: 0, times: 0 }
          gathered.set(key, row)
        }
        for (const identifier of part) row.identifiers.add(identifier)
        row.records += part.length
        if (from === 0) row.times++
        held += part.length + 1
      }
      later()
      return held > auditLogBounds.heldMax ? flush() : undefined
    },
    flush,
  }
}

async function insert(db: Queryable, batch: readonly Gathered[]): Promise<void> {
  const rows = batch.map(({ identifiers, times, records, proof: _, ...row }) => ({
    ...row,
    identifiers: row.kind === 'reading' ? [...identifiers] : null,
    records: row.kind === 'reading' ? records : null,
    subject: subjectOf(row, identifiers, records),
    detail: times > 1 ? { times } : {},
  }))
  await db.execute(insertStatement, [JSON.stringify(rows), proofsOf(batch)])
}

/** The proofs of all operators of these rows. */
export const proofsOf = (rows: readonly { readonly proof?: string | undefined }[]): string =>
  [...new Set(rows.flatMap(({ proof }) => proof ?? []))].join(',')

function subjectOf({ kind, credential }: Noted, identifiers: ReadonlySet<string>, records: number): string {
  if (kind !== 'reading') return credential ?? '-'
  const [only] = identifiers
  return identifiers.size === 1 && only !== undefined ? only : `${records} records`
}

const insertStatement = {
  name: 'note-in-audit-log',
  text: `WITH shown AS MATERIALIZED (SELECT set_config('panji.operator_proofs', $2, true))
         INSERT INTO access.audit (kind, actor, action, subject, detail, account_id, credential, operation, address,
           reason, data_class, identifiers, records)
         SELECT kind, actor, action, subject, detail, "accountId", credential, operation, address, reason, "dataClass",
                identifiers, records
         FROM shown, jsonb_to_recordset($1::jsonb) AS noted (kind text, actor text, action text, subject text, detail jsonb,
           "accountId" uuid, credential text, operation text, address text, reason text, "dataClass" text,
           identifiers text[], records integer)`,
}

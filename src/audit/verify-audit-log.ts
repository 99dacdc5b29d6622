/**
 * Verifies the audit log: each seal must follow the previous one and match its row, so a row that was changed, deleted
 * or inserted is found. Truncation leaves a shorter chain that verifies: it is found by a head stored elsewhere
 * (head-file.ts, the log, the metric), which the chain must still contain.
 */
import type { Queryable } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { type ChainHead, chainHead } from './chain.ts'

export interface AuditLogBreak {
  /** Position in the chain, from 1. */
  readonly place: number
  /** ID of the row, where the position has one. */
  readonly row: number | null
  readonly fault: 'gap' | 'link' | 'gone' | 'changed' | 'cut' | 'rewritten' | 'early'
  readonly message: string
}

export interface AuditLogVerdict {
  readonly ok: boolean
  /** Rows in the chain. */
  readonly rows: number
  /** Rows that are not sealed yet: those of the last minute, and of open transactions. */
  readonly waiting: number
  /** Position of the oldest row that is kept. */
  readonly from: number | null
  readonly head: ChainHead
  readonly broken: AuditLogBreak | null
}

interface Fault {
  readonly place: number
  readonly auditId: number | null
  readonly placeBefore: number
  readonly kind: AuditLogBreak['fault']
}

const verifyStatement = sqlFile(import.meta.url, 'verify-audit-log.sql')

/** @param heads that were stored elsewhere. Only reads. */
export async function verifyAuditLog(db: Queryable, heads: readonly ChainHead[] = []): Promise<AuditLogVerdict> {
  const known = heads.filter(({ seq }) => seq > 0)
  const [fault] = await db.query<Fault>(verifyStatement, [
    known.map(({ seq }) => seq),
    known.map(({ hash }) => hash.toLowerCase()),
  ])
  const [counted] = await db.query<{ rows: number; from: number | null; waiting: number }>(
    `SELECT count(s.seq) AS rows, min(s.seq) AS from, count(*) FILTER (WHERE s.seq IS NULL) AS waiting
     FROM access.audit a LEFT JOIN access.audit_seal s USING (audit_id)`,
  )
  if (!counted) throw new Error('an aggregate returned no row')
  return {
    ok: fault === undefined,
    ...counted,
    head: await chainHead(db),
    broken: fault ? { place: fault.place, row: fault.auditId, fault: fault.kind, message: messageOf(fault) } : null,
  }
}

function messageOf({ kind, place, placeBefore, auditId }: Fault): string {
  switch (kind) {
    case 'gap':
      return `places ${placeBefore + 1} to ${place - 1} are missing from the chain`
    case 'link':
      return `place ${place} does not follow the one before: a seal was changed or put in`
    case 'gone':
      return `row ${auditId} at place ${place} was deleted`
    case 'changed':
      return `row ${auditId} at place ${place} was changed after it was written`
    case 'cut':
      return `the chain ends at place ${placeBefore}, and has reached ${place} before: its end was cut off`
    case 'rewritten':
      return `place ${place} has another hash than it had before: the chain was written anew`
    case 'early':
      return `the rows up to place ${place} were taken out without having had their time`
  }
}

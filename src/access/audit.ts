import type { Queryable } from '../db/db.ts'

export interface AuditEntry {
  /** `operator`, `system` or `account:<id>`. */
  readonly actor: string
  /** Verb and object: `suspend account`. */
  readonly action: string
  readonly subject: string
  /** Never personal data or secrets: the audit log outlives erasure. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Written in the transaction of the act itself, so that neither exists without the other. */
export async function audit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.execute('INSERT INTO access.audit (actor, action, subject, detail) VALUES ($1, $2, $3, $4)', [
    entry.actor,
    entry.action,
    entry.subject,
    JSON.stringify(entry.detail ?? {}),
  ])
}

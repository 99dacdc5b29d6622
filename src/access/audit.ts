import type { Queryable } from '../db/db.ts'

/** `operator` works at the command line of the machine; over HTTP each operator has a name. */
export type Actor = 'operator' | `operator:${string}` | 'system' | `account:${string}`

export interface AuditEntry {
  readonly actor: Actor
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

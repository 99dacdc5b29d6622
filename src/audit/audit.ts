/** Writes an act into the audit log, in the transaction of the act itself, so that neither exists without the other. */
import type { Queryable } from '../db/db.ts'
import { isUuid } from '../domain/uuid.ts'
import { actingNow } from './acting.ts'
import type { DataClass } from './data-classes.ts'

/** `operator` is at the command line of the machine; over HTTP each operator has a name. */
export type Actor = 'operator' | `operator:${string}` | 'system' | `account:${string}`

export interface AuditEntry {
  readonly actor: Actor
  /** Verb and object: `suspend account`. */
  readonly action: string
  readonly subject: string
  /** Never personal data or secrets: the audit log outlives erasure. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** The account concerned, where neither actor nor subject shows it; that account sees the row. */
  readonly accountId?: string | undefined
  /** Credential of the act where it is not that of the request or command. */
  readonly credential?: string | undefined
  /** Written besides the row of the request's own act, which it does not replace. */
  readonly isBeside?: boolean
  /** For a read: what was read. */
  readonly dataClass?: DataClass | undefined
}

/** Address, credential and operation come from the current request or command. */
export async function audit(tx: Queryable, entry: AuditEntry): Promise<void> {
  const acting = actingNow()
  const accountId = entry.accountId ?? accountOf(entry.actor)
  await tx.execute(
    `WITH shown AS MATERIALIZED (SELECT set_config('panji.operator_proofs', $12, true))
     INSERT INTO access.audit (actor, action, subject, detail, account_id, credential, operation, address, reason, data_class, kind)
     SELECT $1, $2, $3, $4::jsonb, coalesce($5::uuid, (SELECT account_id FROM access.account WHERE account_id = $6::uuid)),
            $7, $8, $9, $10, $11, CASE WHEN $11::text IS NULL THEN 'act' ELSE 'reading' END
     FROM shown`,
    [
      entry.actor,
      entry.action,
      entry.subject,
      JSON.stringify(entry.detail ?? {}),
      accountId,
      accountId === null && isUuid(entry.subject) ? entry.subject : null,
      entry.credential ?? acting?.credential ?? null,
      acting?.operation ?? null,
      acting?.address ?? null,
      acting?.reason ?? null,
      entry.dataClass ?? null,
      acting?.proof ?? '',
    ],
  )
  if (acting && !entry.isBeside) acting.written++
}

function accountOf(actor: Actor): string | null {
  const [kind, id = ''] = actor.split(':')
  return kind === 'account' && isUuid(id) ? id : null
}

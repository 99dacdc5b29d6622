/**
 * Refused credentials on their way into the audit log. An anonymous client can be refused as often as it likes, so
 * refusals of one address and code are counted for a minute and written as one row, and beyond a number of addresses
 * per minute all others share a row. So a flood, from however many addresses, writes a bounded number of rows.
 */
import { auditLogBounds } from '../../config/audit-log.ts'
import type { Queryable } from '../db/db.ts'
import { proofsOf } from './readings.ts'

export interface Refusal {
  /** Error code of the refusal. */
  readonly code: string
  /** In the form in which clients are counted: an IPv6 address by its /64. */
  readonly address: string
  /** `account:<id>` or `operator:<name>` where the credential is known and only lacks the right. */
  readonly actor: string
  readonly accountId: string | null
  readonly credential: string | null
  readonly operation: string
  readonly proof?: string | undefined
}

interface Counted extends Refusal {
  times: number
}

export interface Refusals {
  note(refusal: Refusal): void
  flush(): Promise<void>
}

export const otherAddresses = 'other addresses'

export function createRefusals(db: Queryable, onFault: (error: unknown) => void): Refusals {
  let counted = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...counted.values()]
    if (batch.length === 0) return
    counted = new Map()
    try {
      await db.execute(insertStatement, [JSON.stringify(batch), proofsOf(batch)])
    } catch (error) {
      for (const refusal of batch) count(refusal, refusal.times)
      throw error
    }
  }

  function count(refusal: Refusal, times: number): void {
    const known = counted.get(keyOf(refusal))
    const isNew = known === undefined && counted.size >= auditLogBounds.refusalSourcesMax
    const source = isNew ? { ...refusal, ...shared } : refusal
    const row = counted.get(keyOf(source)) ?? { ...source, times: 0 }
    row.times += times
    counted.set(keyOf(source), row)
    timer ??= setTimeout(() => void flush().catch(onFault), auditLogBounds.refusalWindowMs)
    timer.unref()
  }

  return { note: (refusal) => count(refusal, 1), flush }
}

const shared = {
  code: 'several',
  address: otherAddresses,
  actor: 'anonymous',
  accountId: null,
  credential: null,
  operation: '-',
  proof: undefined,
} as const

const keyOf = ({ code, address, actor, credential, operation, proof }: Refusal) =>
  [code, address, actor, credential, operation, proof].join('\n')

const insertStatement = `WITH shown AS MATERIALIZED (SELECT set_config('panji.operator_proofs', $2, true))
  INSERT INTO access.audit
    (kind, actor, action, subject, detail, account_id, credential, operation, address)
  SELECT 'refusal', actor, 'refuse credential', code, jsonb_build_object('times', times), "accountId", credential, operation, address
  FROM shown, jsonb_to_recordset($1::jsonb) AS counted
    (code text, address text, actor text, "accountId" uuid, credential text, operation text, times integer)`

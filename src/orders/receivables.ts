/**
 * What buyers owe after chargebacks, and how it is settled: by money that arrived another way, or by writing it off.
 * Settled once per reference; the entry and the audit log record who did it and why.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { shownRupees } from '../domain/shown-rupees.ts'
import { AppError } from '../errors.ts'
import { postMoney } from './ledger-money.ts'

export interface Receivable {
  readonly user_id: string
  /** null once the account is erased. */
  readonly email: string | null
  /** Paise. */
  readonly owed: number
  /** Time of the last chargeback. */
  readonly since: Date
}

const owed = `sum(CASE WHEN transfer.kind IN ('owe', 'overpay') THEN amount ELSE -amount END)::bigint`
const ofReceivables = `transfer.kind IN ('owe', 'overpay', 'collect', 'write_off')`

/** Largest debts first. */
export function listReceivables(db: Queryable): Promise<Receivable[]> {
  return db.query<Receivable>(
    sql`SELECT owner_id AS user_id, max(account.email) FILTER (WHERE account.erased_at IS NULL) AS email, ${owed} AS owed,
            max(transfer.created_at) FILTER (WHERE transfer.kind IN ('owe', 'overpay')) AS since
     FROM ledger.transfer JOIN ledger.account AS customer ON ledger_account_id = customer_id
     JOIN access.account ON account_id = owner_id
     WHERE ${ofReceivables} GROUP BY owner_id HAVING ${owed} > 0 ORDER BY owed DESC, owner_id`,
  )
}

/** @returns the paise that the account owes; 0 if none. */
export async function owedBy(db: Queryable, accountId: string): Promise<number> {
  const [open] = await db.query<{ paise: number | null }>(
    sql`SELECT ${owed} AS paise FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
     WHERE owner_id = $1 AND ${ofReceivables}`,
    [accountId],
  )
  return open?.paise ?? 0
}

export interface Settlement {
  readonly kind: 'collect' | 'write_off'
  /** Paise; default: all that is owed. */
  readonly amount?: number | undefined
  readonly reference: string
  readonly reason: string
  readonly actor: Actor
}

/**
 * @returns what is still owed; repeating it under the same reference changes nothing. @throws AppError CONFLICT for
 * more than is owed, for nothing, or for a reference in use.
 */
export async function settleReceivable(
  tx: Tx,
  accountId: string,
  { kind, amount, reference, reason, actor }: Settlement,
): Promise<{ readonly user_id: string; readonly settled: number; readonly owed: number }> {
  await tx.query('SELECT FROM ledger.customer($1)', [accountId])
  const before = await owedBy(tx, accountId)
  const [earlier] = await tx.query<{ paise: number }>(
    `SELECT amount AS paise FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
     WHERE owner_id = $1 AND reference = $2`,
    [accountId, `${kind}:${reference}`],
  )
  if (earlier && earlier.paise === (amount ?? earlier.paise))
    return { user_id: accountId, settled: earlier.paise, owed: before }
  const settled = amount ?? before
  if (settled < 1 || settled > before)
    throw new AppError('CONFLICT', `This account owes ${before === 0 ? 'nothing' : shownRupees(before)}.`)
  await postMoney(tx, accountId, { kind, reference: `${kind}:${reference}`, paise: settled, actor, memo: reason })
  const detail = { paise: settled, reference, reason }
  await audit(tx, { actor, action: kind === 'collect' ? 'collect debt' : 'write off debt', subject: accountId, detail })
  return { user_id: accountId, settled, owed: before - settled }
}

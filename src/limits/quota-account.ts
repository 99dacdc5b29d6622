/** Whose quotas and budgets apply: the account's plan, or the enterprise flag where it has one. */
import type { PlanName, QuotaPlan } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { AppError } from '../errors.ts'

export interface QuotaAccount {
  readonly accountId: string
  readonly plan: PlanName
  readonly isEnterprise: boolean
}

export const quotaPlanOf = ({ plan, isEnterprise }: Omit<QuotaAccount, 'accountId'>): QuotaPlan =>
  isEnterprise ? 'enterprise' : plan

/** For the account $1. */
export const quotaAccountText = sql`SELECT account_id AS "accountId", CASE WHEN premium_until > now() THEN 'premium' ELSE plan END AS plan, is_enterprise AS "isEnterprise" FROM access.account
  WHERE account_id = $1 AND erased_at IS NULL`

/** @throws AppError NOT_FOUND for an erased account. */
export async function readQuotaAccount(db: Queryable, accountId: string): Promise<QuotaAccount> {
  return living(await db.query<QuotaAccount>({ name: 'quota-account', text: quotaAccountText }, [accountId]))
}

/**
 * Locks the account's row until the transaction ends, so that concurrent requests that store something of the same kind
 * are serialised and each sees what the other has stored; it also waits for an erasure in progress. @throws AppError
 * NOT_FOUND for an erased account.
 */
export async function holdQuotaAccount(tx: Queryable, accountId: string): Promise<QuotaAccount> {
  return living(await tx.query<QuotaAccount>(sql`${quotaAccountText} FOR NO KEY UPDATE`, [accountId]))
}

export const noAccount = (): AppError => new AppError('NOT_FOUND', 'No such account.')

function living([found]: readonly QuotaAccount[]): QuotaAccount {
  if (!found) throw noAccount()
  return found
}

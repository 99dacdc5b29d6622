/** Accounts: created, suspended and unsuspended by the operator. Suspension revokes every session permanently. */
import type { PlanName } from '../../config/plans.ts'
import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { disputedPayment } from '../domain/disputed-payment.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { displayPrefixOf, isApiKeyShaped, sha256 } from './api-keys.ts'

export interface Account {
  readonly accountId: string
  readonly email: string
  readonly username: string
  /** The plan in force: the operator's, or that of a subscription. */
  readonly plan: PlanName
  readonly isEnterprise: boolean
  readonly createdAt: Date
  readonly suspendedAt: Date | null
  readonly suspendedReason: string | null
}

export interface NewAccount {
  readonly email: string
  /** Defaults to the part of the e-mail before the @. */
  readonly username?: string | undefined
  readonly plan: PlanName
  readonly isEnterprise: boolean
  /** By default the unnamed operator. */
  readonly actor?: Actor
}

export const accountColumns = `account_id AS "accountId", email, username,
  CASE WHEN premium_until > now() THEN 'premium' ELSE plan END AS plan, is_enterprise AS "isEnterprise",
  created_at AS "createdAt", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason"`

/** An account for operators, in answers and on the command line. Times in ISO 8601, UTC. */
export function accountState(account: Account) {
  return {
    user_id: account.accountId,
    email: account.email,
    username: account.username,
    plan: account.plan,
    is_enterprise: account.isEnterprise,
    suspended: account.suspendedAt !== null,
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    reason: account.suspendedReason,
  }
}

/** @throws AppError CONFLICT if an existing account has this e-mail, in any case. */
export async function createAccount(tx: Queryable, account: NewAccount): Promise<{ accountId: string }> {
  const email = account.email.trim()
  const [created] = await tx.query<{ accountId: string }>(
    `INSERT INTO access.account (email, username, plan, is_enterprise) VALUES ($1, $2, $3, $4)
     ON CONFLICT (lower(email)) WHERE erased_at IS NULL DO NOTHING
     RETURNING account_id AS "accountId"`,
    [email, account.username ?? email.split('@')[0] ?? email, account.plan, account.isEnterprise],
  )
  if (!created) throw new AppError('CONFLICT', 'An account with this e-mail already exists.')
  await audit(tx, {
    actor: account.actor ?? 'operator',
    action: 'create account',
    subject: created.accountId,
    detail: { plan: account.plan, isEnterprise: account.isEnterprise },
  })
  return created
}

export async function findAccount(db: Queryable, accountId: string): Promise<Account | undefined> {
  if (!isUuid(accountId)) return undefined
  const [account] = await db.query<Account>(
    sql`SELECT ${accountColumns} FROM access.account WHERE account_id = $1 AND erased_at IS NULL`,
    [accountId],
  )
  return account
}

/**
 * @param name ID or e-mail of an existing account, or one of its keys, active or revoked: whole, or its beginning, at
 * least the display prefix. @throws AppError NOT_FOUND, CONFLICT for a beginning that keys of several accounts share
 */
export async function findAccountId(db: Queryable, name: string): Promise<string> {
  const found = await findAccount(db, name)
  if (found) return found.accountId
  const text = name.trim()
  const accounts = await db.query<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM access.account
     WHERE erased_at IS NULL AND (lower(email) = lower($1)
       OR account_id IN (SELECT account_id FROM access.api_key WHERE CASE WHEN $3 THEN key_sha256 = $4 ELSE display_prefix = $2 END))`,
    [text, displayPrefixOf(text), isApiKeyShaped(text), sha256(text)],
  )
  const [account] = accounts
  if (!account) throw new AppError('NOT_FOUND', `There is no account ${name}.`)
  if (accounts.length === 1) return account.accountId
  const ids = accounts.map(({ accountId }) => accountId).join(', ')
  throw new AppError(
    'CONFLICT',
    `${accounts.length} accounts have a key that begins with ${displayPrefixOf(text)}: ${ids}. Name one by its ID or e-mail.`,
  )
}

/** Also of an erased account, by its ID: what it owes stays. @throws AppError NOT_FOUND */
export async function findDebtorId(db: Queryable, name: string): Promise<string> {
  const [known] = isUuid(name)
    ? await db.query<{ accountId: string }>(
        'SELECT account_id AS "accountId" FROM access.account WHERE account_id = $1',
        [name],
      )
    : []
  return known?.accountId ?? findAccountId(db, name)
}

/** @throws AppError NOT_FOUND */
export async function getAccount(db: Queryable, accountId: string): Promise<Account> {
  const account = await findAccount(db, accountId)
  if (!account) throw new AppError('NOT_FOUND', 'No such account.')
  return account
}

/**
 * Changes the plan of the account from its next call on; unset members keep their value. Setting the same plan again
 * changes nothing. @throws AppError NOT_FOUND
 */
export async function changePlan(
  tx: Queryable,
  accountId: string,
  to: { readonly plan?: PlanName | undefined; readonly isEnterprise?: boolean | undefined },
  actor: Actor = 'operator',
): Promise<Account> {
  await getAccount(tx, accountId)
  const changed = await tx.execute(
    `UPDATE access.account SET plan = coalesce($2, plan), is_enterprise = coalesce($3, is_enterprise)
     WHERE account_id = $1 AND (plan, is_enterprise) <> (coalesce($2, plan), coalesce($3, is_enterprise))`,
    [accountId, to.plan ?? null, to.isEnterprise ?? null],
  )
  const account = await getAccount(tx, accountId)
  if (changed > 0) {
    const detail = { plan: account.plan, isEnterprise: account.isEnterprise }
    await audit(tx, { actor, action: 'change plan', subject: accountId, detail })
  }
  return account
}

/**
 * Blocks the account from the next call on and revokes its sessions; suspending twice changes nothing more. An account that
 * a dispute suspended stays so when the dispute ends. @throws AppError NOT_FOUND
 */
export async function suspendAccount(
  tx: Queryable,
  accountId: string,
  reason?: string,
  actor: Actor = 'operator',
): Promise<Account> {
  await getAccount(tx, accountId)
  // The account before its sessions: a concurrent login waits for the row and then sees the suspension.
  await tx.execute(
    `UPDATE access.account SET suspended_at = coalesce(suspended_at, now()), suspended_reason = $2
     WHERE account_id = $1 AND (suspended_at IS NULL OR starts_with(suspended_reason, $3))`,
    [accountId, reason ?? null, disputedPayment],
  )
  const sessionsRevoked = await tx.execute(
    'UPDATE access.session SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL',
    [accountId],
  )
  await audit(tx, { actor, action: 'suspend account', subject: accountId, detail: { sessionsRevoked } })
  return getAccount(tx, accountId)
}

/** Lets the account log in again; sessions revoked by the suspension stay revoked. @throws AppError NOT_FOUND */
export async function unsuspendAccount(tx: Queryable, accountId: string, actor: Actor = 'operator'): Promise<Account> {
  await getAccount(tx, accountId)
  await tx.execute('UPDATE access.account SET suspended_at = NULL, suspended_reason = NULL WHERE account_id = $1', [
    accountId,
  ])
  await audit(tx, { actor, action: 'unsuspend account', subject: accountId })
  return getAccount(tx, accountId)
}

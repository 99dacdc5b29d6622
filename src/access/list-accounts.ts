/** What the operator looks up: accounts and the audit log, by page. */
import type { Queryable } from '../db/db.ts'
import { type Account, accountColumns } from './accounts.ts'

interface Page {
  readonly page: number
  readonly limit: number
}

export interface AuditRecord {
  readonly auditId: number
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Living accounts, the newest first; `search` is part of e-mail or username in any case, or a whole id. */
export async function listAccounts(
  db: Queryable,
  { search, suspended, page, limit }: Page & { readonly search?: string | undefined; readonly suspended?: boolean },
): Promise<{ accounts: Account[]; total: number }> {
  const where = `erased_at IS NULL
    AND ($1::text IS NULL OR email ILIKE $1 OR username ILIKE $1 OR account_id::text = $2)
    AND ($3::boolean IS NULL OR (suspended_at IS NOT NULL) = $3)`
  const text = search?.trim().toLowerCase() ?? ''
  const asked = [text === '' ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`, text, suspended ?? null]
  const [counted] = await db.query<{ total: number }>(
    `SELECT count(*) AS total FROM access.account WHERE ${where}`,
    asked,
  )
  const accounts = await db.query<Account>(
    `SELECT ${accountColumns} FROM access.account WHERE ${where}
     ORDER BY created_at DESC, account_id LIMIT $4 OFFSET $5`,
    [...asked, limit, (page - 1) * limit],
  )
  return { accounts, total: counted?.total ?? 0 }
}

/** The newest first. */
export async function listAudit(
  db: Queryable,
  {
    actor,
    action,
    subject,
    page,
    limit,
  }: Page & { readonly [key in 'actor' | 'action' | 'subject']?: string | undefined },
): Promise<{ entries: AuditRecord[]; total: number }> {
  const where = `($1::text IS NULL OR actor = $1 OR ($1 = 'operator' AND starts_with(actor, 'operator:'))) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR subject = $3)`
  const asked = [actor ?? null, action ?? null, subject ?? null]
  const [counted] = await db.query<{ total: number }>(
    `SELECT count(*) AS total FROM access.audit WHERE ${where}`,
    asked,
  )
  const entries = await db.query<AuditRecord>(
    `SELECT audit_id AS "auditId", at, actor, action, subject, detail FROM access.audit WHERE ${where}
     ORDER BY audit_id DESC LIMIT $4 OFFSET $5`,
    [...asked, limit, (page - 1) * limit],
  )
  return { entries, total: counted?.total ?? 0 }
}

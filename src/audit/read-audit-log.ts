/** The rows of the audit log, the newest first, narrowed down by who, what, whom, from where and when. */

import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'

export interface AuditLogRow {
  readonly auditId: number
  /** Place in the chain, from 1; null for a moment, until the row is taken into it. */
  readonly place: number | null
  readonly at: Date
  readonly kind: 'act' | 'reading' | 'refusal'
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly accountId: string | null
  readonly credential: string | null
  /** Name of the person of the account who acted, for as long as it is known. */
  readonly person: string | null
  readonly operation: string | null
  readonly address: string | null
  readonly reason: string | null
  readonly dataClass: string | null
  readonly identifiers: readonly string[] | null
  readonly records: number | null
}

export interface AuditLogFilter {
  readonly kind?: AuditLogRow['kind'] | undefined
  /** `operator` stands for all of them. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** What was acted on, or a record that was shown. */
  readonly subject?: string | undefined
  readonly accountId?: string | undefined
  /** Ids of credentials; one of them. */
  readonly credentials?: readonly string[] | undefined
  readonly address?: string | undefined
  /** UTC days, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const auditLogColumns = `audit_id AS "auditId", seq AS place, at, kind, actor, action, subject, detail, account_id AS "accountId",
  credential, (SELECT m.name FROM access.person m WHERE m.person_id::text = credential) AS person, operation, address, reason, data_class AS "dataClass", identifiers, records`

/** @param before id of the last row of the page before. @returns rows, the newest first. */
export async function readAuditLog(
  db: Queryable,
  filter: AuditLogFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<AuditLogRow[]> {
  const { where, values } = conditionsOf({ ...filter, before })
  return db.query<AuditLogRow>(
    sql`SELECT ${auditLogColumns} FROM access.audit LEFT JOIN access.audit_seal USING (audit_id)
     WHERE ${where} ORDER BY audit_id DESC LIMIT $${values.length + 1}`,
    [...values, limit],
  )
}

const tests = {
  kind: (n: number) => `kind = $${n}`,
  actor: (n: number) => sql`(actor = $${n} OR ($${n} = 'operator' AND actor >= 'operator:' AND actor < 'operator;'))`,
  action: (n: number) => `action = $${n}`,
  subject: (n: number) => sql`(subject = $${n} OR (identifiers IS NOT NULL AND identifiers @> ARRAY[$${n}::text]))`,
  accountId: (n: number) => sql`account_id = $${n}::uuid`,
  credentials: (n: number) => sql`credential = ANY ($${n}::text[])`,
  address: (n: number) => `address = $${n}`,
  from: (n: number) => sql`at >= runtime.indian_midnight($${n})`,
  to: (n: number) => sql`at < runtime.indian_midnight($${n}::date + 1)`,
  before: (n: number) => `audit_id < $${n}`,
} as const

/** One test per condition that is asked for, each with its value bound. */
export function conditionsOf(filter: AuditLogFilter & { readonly before?: number | undefined }): {
  readonly where: string
  readonly values: readonly unknown[]
} {
  const asked = (Object.keys(tests) as (keyof typeof tests)[]).filter((name) => filter[name] !== undefined)
  const where = asked.map((name, index) => tests[name](index + 1))
  return { where: where.join(' AND ') || 'true', values: asked.map((name) => filter[name]) }
}

const cursorShape = /^t1-(\d{1,15})$/

/** Where the next page begins, as opaque text; null after the last page. */
export function nextCursor(rows: readonly AuditLogRow[], limit: number): string | null {
  const last = rows.at(-1)
  return rows.length < limit || !last ? null : Buffer.from(`t1-${last.auditId}`).toString('base64url')
}

/** @throws AppError BAD_REQUEST for a cursor that no page gave. */
export function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  const match = cursorShape.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match) throw new AppError('BAD_REQUEST', 'cursor is not one that this API issued; send next_cursor as it came.')
  return Number(match[1])
}

/** As answers and commands print it. */
export function auditLogState(row: AuditLogRow) {
  return {
    id: row.auditId,
    place: row.place,
    at: row.at.toISOString(),
    kind: row.kind,
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    detail: { ...row.detail },
    account_id: row.accountId,
    credential: row.credential,
    person: row.person,
    operation: row.operation,
    address: row.address,
    reason: row.reason,
    data_class: row.dataClass,
    identifiers: row.identifiers === null ? null : [...row.identifiers],
    records: row.records,
  }
}

/** As the account itself sees it: an operator is not named to it, nor where one sits. */
export function ownAuditLogState(row: AuditLogRow) {
  const { id: _id, account_id: _account, place: _place, ...shown } = auditLogState(row)
  return row.actor.startsWith('account:')
    ? { ...shown, actor: 'you' }
    : { ...shown, actor: row.actor.split(':')[0] ?? row.actor, credential: null, address: null, operation: null }
}

/**
 * Ids of what is named so: API keys by prefix, in whatever account, operators by name; a text that is an id, or what the
 * audit log says in place of one, is itself.
 * @throws AppError NOT_FOUND for a prefix or name that nothing has.
 */
export async function credentialsNamed(db: Queryable, name: string): Promise<string[]> {
  if (isUuid(name) || name === 'environment' || name.startsWith('user:')) return [name]
  const named = await db.query<{ id: string }>(
    `SELECT api_key_id::text AS id FROM access.api_key WHERE display_prefix = $1
     UNION ALL SELECT operator_id::text FROM access.operator WHERE name = $1`,
    [name],
  )
  if (named.length > 0) return named.map(({ id }) => id)
  throw new AppError('NOT_FOUND', `No API key begins with ${name}, and no operator is called so.`)
}

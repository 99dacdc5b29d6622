/** The rows of the audit log from either end, filtered by who, what, whom, from where and when. */

import type { Queryable } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { type AuditLogFilter, type AuditLogKind, conditionsOf } from './audit-log-filter.ts'

export interface AuditLogRow {
  readonly auditId: number
  /** Position in the chain, from 1; null for a moment, until the row is sealed. */
  readonly place: number | null
  readonly at: Date
  readonly kind: AuditLogKind
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

export const auditLogColumns = `audit_id AS "auditId", seq AS place, at, kind, actor, action, subject, detail, account_id AS "accountId",
  credential, (SELECT m.name FROM access.person m WHERE m.person_id::text = credential) AS person, operation, address, reason, data_class AS "dataClass", identifiers, records`

/** Ordered by ID, which reflects the time of writing: every index ends with it. */
export const auditLogSorts = listSorts('at-', { by: { at: 'audit_id' }, tie: 'audit_id' })
/** For a range of days, ordered by the time index: by ID, all rows outside of the range would be scanned first. */
const withinDays = listSorts('at-', { by: { at: ['at', 'audit_id'] }, tie: 'audit_id' })
export type AuditLogSort = SortOf<'at'>

export interface AuditLogPage {
  /** ID of the last row of the previous page. */
  readonly behind?: number | undefined
  readonly limit: number
  readonly sort?: AuditLogSort | undefined
}

/** Newest first unless `sort` says otherwise. */
export async function readAuditLog(
  db: Queryable,
  filter: AuditLogFilter,
  { behind, limit, sort }: AuditLogPage,
): Promise<AuditLogRow[]> {
  const isOfDays = filter.from !== undefined || filter.to !== undefined
  const place = `${sort === 'at' ? 'after' : 'before'}${isOfDays ? 'InTime' : ''}` as const
  const { where, values } = conditionsOf({ ...filter, [place]: behind })
  const order = (isOfDays ? withinDays : auditLogSorts).orderBy(sort)
  return db.query<AuditLogRow>(
    sql`SELECT ${auditLogColumns} FROM access.audit LEFT JOIN access.audit_seal USING (audit_id)
     WHERE ${where} ORDER BY ${order} LIMIT $${values.length + 1}`,
    [...values, limit],
  )
}

/** As in answers and commands. */
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

/** As the account itself sees it, without the operator's name and address. */
export function ownAuditLogState(row: AuditLogRow) {
  const { id: _id, account_id: _account, place: _place, ...shown } = auditLogState(row)
  return row.actor.startsWith('account:')
    ? { ...shown, actor: 'you' }
    : { ...shown, actor: row.actor.split(':')[0] ?? row.actor, credential: null, address: null, operation: null }
}

/**
 * IDs of the credentials with a name: API keys by prefix, in any account, operators by name; an ID, or a name that the
 * audit log uses instead of one, is returned as it is. @throws AppError NOT_FOUND for an unknown prefix or name.
 */
export async function credentialsNamed(db: Queryable, name: string): Promise<string[]> {
  if (isUuid(name) || name === 'environment' || name.startsWith('user:')) return [name]
  const named = await db.query<{ id: string }>(
    `SELECT api_key_id::text AS id FROM access.api_key WHERE display_prefix = $1
     UNION ALL SELECT operator_id::text FROM access.operator WHERE name = $1`,
    [name],
  )
  if (named.length > 0) return named.map(({ id }) => id)
  throw new AppError('NOT_FOUND', `No API key begins with ${name}, and no operator has that name.`)
}

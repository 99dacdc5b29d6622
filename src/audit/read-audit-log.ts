/** The rows of the audit log from either end, narrowed down by who, what, whom, from where and when. */

import type { Queryable } from '../db/db.ts'
import { listSorts, type SortOf } from '../db/list-sorts.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { type AuditLogFilter, type AuditLogKind, conditionsOf } from './audit-log-filter.ts'

export interface AuditLogRow {
  readonly auditId: number
  /** Place in the chain, from 1; null for a moment, until the row is taken into it. */
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

/** By when they were written, which the ids tell: each index ends with them. */
export const auditLogSorts = listSorts('at-', { by: { at: 'audit_id' }, tie: 'audit_id' })
/** Of some days, by the index of instants: by the ids, all that was written outside of these days would be walked through first. */
const withinDays = listSorts('at-', { by: { at: ['at', 'audit_id'] }, tie: 'audit_id' })
export type AuditLogSort = SortOf<'at'>

export interface AuditLogPage {
  /** Id of the last row of the page before. */
  readonly behind?: number | undefined
  readonly limit: number
  readonly sort?: AuditLogSort | undefined
}

/** The newest first unless `sort` says otherwise. */
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

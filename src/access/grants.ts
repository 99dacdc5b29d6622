/**
 * Grants of an account: created, listed and revoked. Each change is one transaction with its audit row; entitlements.ts
 * combines the grants, and reads them again at every call.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Queryable } from '../db/db.ts'
import { readToday } from '../db/read-today.ts'
import { sql } from '../db/sql.ts'
import type { EntityType } from '../domain/identity.ts'
import { isIsoDate } from '../domain/iso-date.ts'
import { distinctPlaces, type Scope } from '../domain/scope.ts'
import { shownInstant } from '../domain/shown-instant.ts'
import { readStateName } from '../domain/state-name.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { getAccount } from './accounts.ts'
import { type GrantKind, stateGrant } from './entitlements.ts'
import { grantedAs } from './granted-as.ts'
import { requireKnownPlaces } from './known-places.ts'

export const grantStates = ['active', 'coming', 'expired', 'revoked'] as const
export type GrantState = (typeof grantStates)[number]

export interface GrantRecord extends Scope {
  readonly grantId: string
  readonly dataset: EntityType
  readonly grantedBy: GrantKind
  readonly planName: string
  readonly interval: string
  readonly anchored: boolean
  readonly trial: boolean
  readonly startsAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly state: GrantState
}

const grantColumns = sql`entitlement_id AS "grantId", dataset, granted_by AS "grantedBy",
  ${grantedAs('entitlement', 'plan_name')} AS "planName", ${grantedAs('entitlement', 'interval')} AS interval, states, districts, pincodes, window_from AS "from", window_to AS "to", anchored, trial, starts_at AS "startsAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt",
  CASE WHEN revoked_at <= coalesce(expires_at, revoked_at) THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
       WHEN starts_at > now() THEN 'coming' ELSE 'active' END AS state`

/** A grant for operators, in answers and on the command line. Times in ISO 8601, UTC. */
export function grantState(grant: GrantRecord) {
  return {
    grant_id: grant.grantId,
    dataset: grant.dataset,
    granted_by: grant.grantedBy,
    interval: grant.interval,
    trial: grant.trial,
    state: grant.state,
    starts_at: grant.startsAt.toISOString(),
    revoked_at: grant.revokedAt?.toISOString() ?? null,
    ...stateGrant(grant),
  }
}

/** All grants ever created, newest first. @throws AppError NOT_FOUND */
export async function listGrants(db: Queryable, accountId: string): Promise<GrantRecord[]> {
  await getAccount(db, accountId)
  return db.query<GrantRecord>(
    sql`SELECT ${grantColumns} FROM access.entitlement WHERE account_id = $1 ORDER BY starts_at DESC, entitlement_id`,
    [accountId],
  )
}

/** @throws AppError NOT_FOUND where the account has no such grant, even if another account has it. */
export async function getGrant(db: Queryable, accountId: string, grantId: string): Promise<GrantRecord> {
  const [grant] = isUuid(grantId)
    ? await db.query<GrantRecord>(
        sql`SELECT ${grantColumns} FROM access.entitlement WHERE account_id = $1 AND entitlement_id = $2`,
        [accountId, grantId],
      )
    : []
  if (!grant) throw new AppError('NOT_FOUND', 'The account has no grant with this ID.')
  return grant
}

/** The account of a grant. @throws AppError NOT_FOUND */
export async function accountOfGrant(db: Queryable, grantId: string): Promise<string> {
  const [grant] = isUuid(grantId)
    ? await db.query<{ accountId: string }>(
        'SELECT account_id AS "accountId" FROM access.entitlement WHERE entitlement_id = $1',
        [grantId],
      )
    : []
  if (!grant) throw new AppError('NOT_FOUND', 'There is no grant with this ID.')
  return grant.accountId
}

/**
 * Ends a grant: every call that starts after the commit is served without it. A grant that has ended stays as it is.
 * @throws AppError NOT_FOUND
 */
export async function revokeGrant(
  tx: Queryable,
  accountId: string,
  grantId: string,
  actor: Actor = 'operator',
): Promise<GrantRecord> {
  const grant = await getGrant(tx, (await getAccount(tx, accountId)).accountId, grantId)
  const revoked = await tx.execute(
    `UPDATE access.entitlement SET revoked_at = now()
     WHERE entitlement_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [grant.grantId],
  )
  if (revoked > 0) {
    const detail = { grantId: grant.grantId, dataset: grant.dataset, grantedBy: grant.grantedBy }
    await audit(tx, { actor, action: 'revoke grant', subject: accountId, detail })
  }
  return getGrant(tx, accountId, grantId)
}

export interface NewEntitlement {
  readonly accountId: string
  readonly dataset: EntityType
  readonly grantedBy: GrantKind
  readonly planName?: string | undefined
  /** month, year or once. */
  readonly interval?: string | undefined
  /** In any spelling of src/domain/states.ts. Unset or empty: no restriction of that kind. */
  readonly states?: readonly string[] | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The window starts with the subscription: today in India, when `from` is unset. */
  readonly anchored?: boolean | undefined
  /** When it ends; unset: never. */
  readonly expiresAt?: Date | undefined
  /** Free of charge: it brings no larger record budget. */
  readonly trial?: boolean | undefined
  /** Who grants, for the audit log; by default the operator. */
  readonly actor?: Actor | undefined
}

/** Grants a dataset; effective once the caller's transaction commits. @throws AppError NOT_FOUND, UNPROCESSABLE */
export async function grantEntitlement(tx: Queryable, grant: NewEntitlement): Promise<{ entitlementId: string }> {
  await getAccount(tx, grant.accountId)
  const from = grant.from ?? (grant.anchored ? await readToday(tx) : null)
  checkWindow({ ...grant, from })
  const states = namesOf(grant.states?.map(stateNameOf))
  const districts = namesOf(grant.districts)
  const pincodes = namesOf(grant.pincodes)
  await requireKnownPlaces(tx, { states: states ?? [], districts: districts ?? [], pincodes: pincodes ?? [] })
  const [row] = await tx.query<{ entitlementId: string }>(
    `INSERT INTO access.entitlement (account_id, dataset, granted_by, plan_name, interval, states, districts, pincodes,
       window_from, window_to, anchored, expires_at, trial)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
       $9, $10, $11, $12, $13)
     RETURNING entitlement_id AS "entitlementId"`,
    [
      grant.accountId,
      grant.dataset,
      grant.grantedBy,
      grant.planName ?? `Recently registered ${grant.dataset === 'gst' ? 'GST' : grant.dataset}`,
      grant.interval ?? (grant.grantedBy === 'offer' ? 'once' : 'month'),
      states,
      districts,
      pincodes,
      from,
      grant.to ?? null,
      grant.anchored ?? false,
      grant.expiresAt ?? null,
      grant.trial ?? false,
    ],
  )
  if (!row) throw new Error('the insert of an entitlement returned no row')
  await audit(tx, {
    actor: grant.actor ?? 'operator',
    action: 'grant entitlement',
    subject: grant.accountId,
    detail: { ...row, dataset: grant.dataset, grantedBy: grant.grantedBy, expiresAt: grant.expiresAt ?? null },
  })
  return row
}

function checkWindow({
  from,
  to,
  expiresAt,
}: Pick<NewEntitlement, 'to' | 'expiresAt'> & { from: string | null }): void {
  if (expiresAt !== undefined && expiresAt.getTime() <= Date.now()) {
    throw new AppError('UNPROCESSABLE', `The grant would end at ${shownInstant(expiresAt)}, which is in the past.`)
  }
  const wrong = [from ?? [], to ?? []].flat().find((day) => !isIsoDate(day))
  if (wrong !== undefined) throw new AppError('UNPROCESSABLE', `"${wrong}" is not a date (YYYY-MM-DD).`)
  if (from !== null && to !== undefined && from > to) {
    throw new AppError('UNPROCESSABLE', `The window ends on ${to}, before it starts on ${from}.`)
  }
}

/** @throws AppError UNPROCESSABLE with a suggested name. */
function stateNameOf(text: string): string {
  const reading = readStateName(text)
  if (reading.ok) return reading.name
  throw new AppError('UNPROCESSABLE', reading.message, { extra: { suggestion: reading.suggestion } })
}

/** Trimmed and deduplicated; null when nothing is left. */
function namesOf(names: readonly string[] | undefined): string[] | null {
  const kept = distinctPlaces((names ?? []).map((name) => name.trim().replace(/\s+/g, ' '))).filter(Boolean)
  return kept.length > 0 ? kept : null
}

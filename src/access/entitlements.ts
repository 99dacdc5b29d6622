/**
 * Entitlements: what an account may read of the recently registered feeds. `effectiveScope` is the one function that
 * decides; the access statement shows its result and the feeds enforce it.
 *
 * An account may read the union of its grants in force, of any kind. Territory and window of an entry are the hull
 * around them; `grants` lists each, and the feeds return what any of them covers. `granted_by` is the first of
 * enterprise, subscription and offer. Nothing is cached between calls: a grant that is created, ends or is revoked
 * applies from the next call on in every process.
 */
import { endedGrantDays } from '../../config/plans.ts'
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { entityTypes } from '../domain/identity.ts'
import type { Scope } from '../domain/scope.ts'
import { hullOf, isNationwide } from '../domain/scope-union.ts'
import { getAccount } from './accounts.ts'
import { grantedAs } from './granted-as.ts'

export const grantKinds = ['enterprise', 'subscription', 'offer'] as const
export type GrantKind = (typeof grantKinds)[number]

export interface StatedTerritory {
  readonly restricted: boolean
  readonly states: readonly string[] | null
  readonly districts: readonly string[] | null
  readonly pincodes: readonly string[] | null
}

export interface StatedWindow {
  readonly from: string | null
  readonly to: string | null
  readonly anchored_to_subscription: boolean
}

/** An entry of the access statement, in its casing. */
export interface EffectiveScope {
  readonly enabled: boolean
  readonly granted_by: GrantKind | null
  readonly reason: 'no_active_plan_grants_this_dataset' | 'unknown_dataset' | null
  /** Territory and window are the hull of the grants. */
  readonly territory: StatedTerritory
  readonly date_window: StatedWindow | null
  readonly plans: readonly EntitledPlan[]
  /** Grants in force. */
  readonly grants: readonly StatedGrant[]
  /** Grants that ended within `endedGrantDays`, latest first. */
  readonly ended_grants: readonly EndedGrant[]
}

export interface EntitledPlan {
  readonly plan_name: string
  readonly interval: string
  readonly granted_by: GrantKind
  readonly expires_at: string | null
}

export interface StatedGrant {
  readonly plan: string
  readonly territory: StatedTerritory
  readonly date_window: StatedWindow
  readonly expires_at: string | null
}

export interface EndedGrant {
  readonly plan: string
  readonly ended_at: string
  readonly why: 'expired' | 'revoked'
}

export interface GrantRow extends Scope {
  /** `from` is the subscription's start. */
  readonly anchored: boolean
  readonly grantedBy: GrantKind
  readonly planName: string
  readonly interval: string
  readonly expiresAt: Date | null
  /** null while it is in force. */
  readonly endedAt: Date | null
  readonly revoked: boolean
}

/** The enterprise flag of an account: everything, without end. */
const enterpriseGrant: GrantRow = {
  grantedBy: 'enterprise',
  planName: 'Enterprise',
  interval: 'contract',
  expiresAt: null,
  endedAt: null,
  revoked: false,
  states: null,
  districts: null,
  pincodes: null,
  from: null,
  to: null,
  anchored: false,
}

/**
 * A row for each grant in force, and for each that ended within so many days; ordered by `starts_at, entitlement_id`.
 */
export const grantsText = (account: string, dataset: string, endedDays: string): string =>
  sql`SELECT granted_by AS "grantedBy", ${grantedAs('e', 'plan_name')} AS "planName", ${grantedAs('e', 'interval')} AS interval, states, districts, pincodes,
             window_from AS "from", window_to AS "to", anchored, expires_at AS "expiresAt",
             CASE WHEN ended_at <= now() THEN ended_at END AS "endedAt",
             coalesce(revoked_at <= expires_at, revoked_at IS NOT NULL) AS revoked, starts_at, entitlement_id
      FROM (SELECT *, least(expires_at, revoked_at) AS ended_at FROM access.entitlement
            WHERE account_id = ${account} AND dataset = ${dataset} AND starts_at <= now()) AS e
      WHERE ended_at IS NULL OR ended_at > now() - make_interval(days => ${endedDays})`

/** A named statement, so that it is planned once. */
const grantsOfDataset = {
  name: 'grants-of-dataset',
  text: sql`${grantsText('$1', '$2', '$3')} ORDER BY starts_at, entitlement_id`,
}

export async function effectiveScope(
  db: Queryable,
  account: { readonly accountId: string; readonly isEnterprise: boolean },
  dataset: string,
): Promise<EffectiveScope> {
  if (!(entityTypes as readonly string[]).includes(dataset)) return closedScope('unknown_dataset', [])
  return scopeOfGrants(account, await db.query<GrantRow>(grantsOfDataset, [account.accountId, dataset, endedGrantDays]))
}

/** @param rows of grantsText for an existing dataset */
export function scopeOfGrants(
  { isEnterprise }: { readonly isEnterprise: boolean },
  rows: readonly GrantRow[],
): EffectiveScope {
  const ended = endedGrantsOf(rows)
  const inForce = rows.filter(({ endedAt }) => endedAt === null)
  const grants = isEnterprise ? [enterpriseGrant, ...inForce] : inForce
  const kind = grantKinds.find((each) => grants.some((grant) => grant.grantedBy === each))
  if (kind === undefined) return closedScope('no_active_plan_grants_this_dataset', ended)
  const stated = grants.map(stateGrant)
  return {
    enabled: true,
    granted_by: kind,
    reason: null,
    ...hullOfGrants(stated),
    plans: grants.map((grant) => ({
      plan_name: grant.planName,
      interval: grant.interval,
      granted_by: grant.grantedBy,
      expires_at: grant.expiresAt?.toISOString() ?? null,
    })),
    grants: stated,
    ended_grants: ended,
  }
}

export function stateGrant(grant: Scope & Pick<GrantRow, 'planName' | 'anchored' | 'expiresAt'>): StatedGrant {
  const { planName, states, districts, pincodes, from, to, anchored, expiresAt } = grant
  return {
    plan: planName,
    territory: { restricted: !isNationwide(grant), states, districts, pincodes },
    date_window: { from, to, anchored_to_subscription: anchored },
    expires_at: expiresAt?.toISOString() ?? null,
  }
}

/** What a grant covers, without how it is presented. */
export function scopeOf({ territory, date_window: { from, to } }: StatedGrant): Scope {
  const { states, districts, pincodes } = territory
  return { states, districts, pincodes, from, to }
}

/** Territory and window around at least one grant. */
export function hullOfGrants(grants: readonly StatedGrant[]): {
  readonly territory: StatedTerritory
  readonly date_window: StatedWindow
} {
  const { states, districts, pincodes, from, to } = hullOf(grants.map(scopeOf))
  // A hull of lists that not all grants share is restricted, but has no list to name.
  const restricted = grants.every(({ territory }) => territory.restricted)
  const first = grants.filter(({ date_window: window }) => window.from === from)
  const anchored = first.every(({ date_window: window }) => window.anchored_to_subscription)
  return {
    territory: { restricted, states, districts, pincodes },
    date_window: { from, to, anchored_to_subscription: anchored },
  }
}

function endedGrantsOf(rows: readonly GrantRow[]): EndedGrant[] {
  return rows
    .flatMap(({ planName: plan, endedAt, revoked }) =>
      endedAt === null
        ? []
        : [{ plan, ended_at: endedAt.toISOString(), why: revoked ? ('revoked' as const) : ('expired' as const) }],
    )
    .sort((a, b) => b.ended_at.localeCompare(a.ended_at))
}

function closedScope(
  reason: 'no_active_plan_grants_this_dataset' | 'unknown_dataset',
  ended: readonly EndedGrant[],
): EffectiveScope {
  const territory = { restricted: false, states: null, districts: null, pincodes: null }
  return {
    enabled: false,
    granted_by: null,
    reason,
    territory,
    date_window: null,
    plans: [],
    grants: [],
    ended_grants: ended,
  }
}

/** The dataset's entry of the account's access statement. @throws AppError NOT_FOUND */
export async function accessEntry(db: Queryable, accountId: string, dataset: string): Promise<EffectiveScope> {
  return effectiveScope(db, await getAccount(db, accountId), dataset)
}

/**
 * Entitlements: what an account may read of the recently registered feeds. `effectiveScope` is the one function
 * that decides; the access statement prints its result and the feeds enforce it.
 *
 * Precedence: enterprise, then subscription, then offer; within one kind the widest. `plans` lists all of them.
 */
import type { Queryable } from '../db/db.ts'
import { type EntityType, entityTypes } from '../domain/identity.ts'
import { isIsoDate, isoDateOf } from '../domain/iso-date.ts'
import { distinctPlaces } from '../domain/scope.ts'
import { readStateName } from '../domain/state-name.ts'
import { AppError } from '../errors.ts'
import type { JobSender } from '../queue/queue.ts'
import { queues } from '../queue/queues.ts'
import { getAccount } from './accounts.ts'
import { type Actor, audit } from './audit.ts'
import { requireKnownPlaces } from './known-places.ts'
import { type Grant, widestGrant } from './widest-grant.ts'

export const grantKinds = ['enterprise', 'subscription', 'offer'] as const
export type GrantKind = (typeof grantKinds)[number]

/** An entry of the access statement, in its casing. */
export interface EffectiveScope {
  readonly enabled: boolean
  readonly granted_by: GrantKind | null
  readonly reason: 'no_active_plan_grants_this_dataset' | 'unknown_dataset' | null
  readonly territory: {
    readonly restricted: boolean
    readonly states: readonly string[] | null
    readonly districts: readonly string[] | null
    readonly pincodes: readonly string[] | null
  }
  readonly date_window: {
    readonly from: string | null
    readonly to: string | null
    readonly anchored_to_subscription: boolean
  } | null
  readonly plans: readonly EntitledPlan[]
}

export interface EntitledPlan {
  readonly plan_name: string
  readonly interval: string
  readonly granted_by: GrantKind
  readonly expires_at: string | null
}

interface GrantRow extends Grant {
  readonly grantedBy: GrantKind
  readonly planName: string
  readonly interval: string
  readonly expiresAt: Date | null
}

/** The enterprise flag of an account: everything, without end. */
const enterpriseGrant: GrantRow = {
  grantedBy: 'enterprise',
  planName: 'Enterprise',
  interval: 'contract',
  expiresAt: null,
  states: null,
  districts: null,
  pincodes: null,
  from: null,
  to: null,
  anchored: false,
}

/** Named: it is asked at every call of a feed, and planned once. */
const grantsInForce = {
  name: 'grants-in-force',
  text: `SELECT granted_by AS "grantedBy", plan_name AS "planName", interval, states, districts, pincodes,
                window_from AS "from", window_to AS "to", anchored, expires_at AS "expiresAt"
         FROM access.entitlement
         WHERE account_id = $1 AND dataset = $2 AND starts_at <= now() AND (expires_at IS NULL OR expires_at > now())
         ORDER BY starts_at, entitlement_id`,
}

export async function effectiveScope(
  db: Queryable,
  account: { readonly accountId: string; readonly isEnterprise: boolean },
  dataset: string,
): Promise<EffectiveScope> {
  if (!(entityTypes as readonly string[]).includes(dataset)) return closedScope('unknown_dataset')
  const rows = await db.query<GrantRow>(grantsInForce, [account.accountId, dataset])
  const grants = account.isEnterprise ? [enterpriseGrant, ...rows] : rows
  const kind = grantKinds.find((each) => grants.some((grant) => grant.grantedBy === each))
  const widest = widestGrant(grants.filter((grant) => grant.grantedBy === kind))
  if (kind === undefined || widest === undefined) return closedScope('no_active_plan_grants_this_dataset')
  const { states, districts, pincodes, from, to, anchored } = widest
  return {
    enabled: true,
    granted_by: kind,
    reason: null,
    territory: { restricted: (states ?? districts ?? pincodes) !== null, states, districts, pincodes },
    date_window: { from, to, anchored_to_subscription: anchored },
    plans: grants.map((grant) => ({
      plan_name: grant.planName,
      interval: grant.interval,
      granted_by: grant.grantedBy,
      expires_at: grant.expiresAt?.toISOString() ?? null,
    })),
  }
}

function closedScope(reason: 'no_active_plan_grants_this_dataset' | 'unknown_dataset'): EffectiveScope {
  const territory = { restricted: false, states: null, districts: null, pincodes: null }
  return { enabled: false, granted_by: null, reason, territory, date_window: null, plans: [] }
}

/**
 * The dataset's entry of the account's access statement.
 * @throws AppError NOT_FOUND
 */
export async function accessEntry(db: Queryable, accountId: string, dataset: string): Promise<EffectiveScope> {
  return effectiveScope(db, await getAccount(db, accountId), dataset)
}

export interface NewEntitlement {
  readonly accountId: string
  readonly dataset: EntityType
  readonly grantedBy: GrantKind
  readonly planName?: string | undefined
  /** month, year or once. */
  readonly interval?: string | undefined
  /** In any spelling of src/domain/states.ts. Unset or empty: no bound of that kind. */
  readonly states?: readonly string[] | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The window begins with the subscription: today, when `from` is unset. */
  readonly anchored?: boolean | undefined
  readonly expiresAt?: Date | undefined
  /** Opened free of charge: it brings no larger budget of records. */
  readonly trial?: boolean | undefined
  /** Who grants, for the audit log; the operator when unset. */
  readonly actor?: Actor | undefined
}

/**
 * Grants a dataset and asks for its windows to be counted, in the caller's transaction.
 * @throws AppError NOT_FOUND, UNPROCESSABLE
 */
export async function grantEntitlement(
  tx: Queryable,
  queue: JobSender,
  grant: NewEntitlement,
): Promise<{ entitlementId: string }> {
  await getAccount(tx, grant.accountId)
  checkWindow(grant)
  const states = namesOf(grant.states?.map(stateNameOf))
  const districts = namesOf(grant.districts)
  const pincodes = namesOf(grant.pincodes)
  await requireKnownPlaces(tx, { states: states ?? [], districts: districts ?? [], pincodes: pincodes ?? [] })
  const [row] = await tx.query<{ entitlementId: string }>(
    `INSERT INTO access.entitlement (account_id, dataset, granted_by, plan_name, interval, states, districts, pincodes,
       window_from, window_to, anchored, expires_at, trial)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
       CASE WHEN $11::boolean THEN coalesce($9::date, (now() AT TIME ZONE 'UTC')::date) ELSE $9::date END, $10, $11, $12, $13)
     RETURNING entitlement_id AS "entitlementId"`,
    [
      grant.accountId,
      grant.dataset,
      grant.grantedBy,
      grant.planName ?? `Recently registered ${grant.dataset}`,
      grant.interval ?? (grant.grantedBy === 'offer' ? 'once' : 'month'),
      states,
      districts,
      pincodes,
      grant.from ?? null,
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
    detail: { ...row, dataset: grant.dataset, grantedBy: grant.grantedBy },
  })
  await queue.send(tx, queues.refreshFeeds, { entitlementIds: [row.entitlementId] })
  return row
}

function checkWindow({ from: given, to, anchored }: NewEntitlement): void {
  const from = given ?? (anchored ? isoDateOf(new Date()) : undefined)
  const wrong = [from, to].find((day) => day !== undefined && !isIsoDate(day))
  if (wrong !== undefined) throw new AppError('UNPROCESSABLE', `"${wrong}" is not a date (YYYY-MM-DD).`)
  if (from !== undefined && to !== undefined && from > to) {
    throw new AppError('UNPROCESSABLE', `The window ends on ${to}, before it begins on ${from}.`)
  }
}

/** @throws AppError UNPROCESSABLE with the suggestion of a name. */
function stateNameOf(text: string): string {
  const reading = readStateName(text)
  if (reading.ok) return reading.name
  throw new AppError('UNPROCESSABLE', reading.message, { extra: { suggestion: reading.suggestion } })
}

/** Trimmed, without doubles; null when nothing is left. */
function namesOf(names: readonly string[] | undefined): string[] | null {
  const kept = distinctPlaces((names ?? []).map((name) => name.trim().replace(/\s+/g, ' '))).filter(Boolean)
  return kept.length > 0 ? kept : null
}

/** What a caller of a feed may read of it, the same for its pages and its summary. */

import { z } from 'zod'
import { type EffectiveScope, hullOfGrants, type StatedGrant } from '../../../access/entitlements.ts'
import { canHold, type Directory } from '../../../access/place-locations.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { earlierOf, laterOf, placeKey } from '../../../domain/scope.ts'
import { AppError, type ErrorCode } from '../../../errors.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { pinCodeAsked, stateAsked } from '../../parameters.ts'
import { DateWindow, StatedGrant as Grant, GrantedBy, Territory } from '../access/scope-schema.ts'

export const AppliedScope = z
  .object({
    granted_by: GrantedBy,
    territory: Territory,
    date_window: DateWindow,
    grants: z
      .array(Grant)
      .readonly()
      .describe(
        'Grants that were applied, each with its part of the requested days: the answer is their union. territory and ' +
          'date_window are the hull around them; where no requested day is within any grant, the hull around all grants for the place.',
      ),
  })
  .meta({ id: 'FeedAccess' })

export const feedErrors: readonly ErrorCode[] = [
  'NO_DATASET_ACCESS',
  'TERRITORY_NOT_ENTITLED',
  'UNPROCESSABLE',
  ...expensiveErrors,
]

/** An entitlement in force; it has at least one grant. */
export interface OpenScope {
  readonly granted_by: z.infer<typeof GrantedBy>
  readonly grants: readonly StatedGrant[]
}

/** @throws AppError NO_DATASET_ACCESS, naming the grant that ended last. */
export function openScope(scope: EffectiveScope, dataset: EntityType): OpenScope {
  const { enabled, granted_by, grants, reason, ended_grants } = scope
  if (enabled && granted_by !== null) return { granted_by, grants }
  const [last] = ended_grants
  const ended = last ? ` "${last.plan}" ${last.why === 'revoked' ? 'was revoked' : 'ended'} at ${last.ended_at}.` : ''
  const message = `No active plan grants recently_registered.${dataset}.${ended}`
  throw refusal('NO_DATASET_ACCESS', dataset, String(reason), message)
}

/** @throws AppError UNPROCESSABLE */
export function checkDays(requested: {
  readonly from_date?: string | undefined
  readonly to_date?: string | undefined
}): void {
  if (requested.from_date !== undefined && requested.to_date !== undefined && requested.from_date > requested.to_date) {
    throw new AppError('UNPROCESSABLE', 'from_date is after to_date.')
  }
}

export interface Places {
  readonly state?: string | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
}

/** @throws AppError UNPROCESSABLE for an unknown state or a malformed PIN */
export function placesOf(requested: {
  readonly state?: string | undefined
  readonly district?: string | undefined
  readonly pincode?: string | undefined
}): Places {
  return {
    state: stateAsked('state', requested.state),
    districts: partsOf(requested.district),
    pincodes: partsOf(requested.pincode)?.map((code) => pinCodeAsked('pincode', code)),
  }
}

function partsOf(list: string | undefined): string[] | undefined {
  const parts = list?.split(',').flatMap((part) => part.trim() || [])
  return parts && parts.length > 0 ? parts : undefined
}

/**
 * Grants that cover every requested place. Of several districts or pincodes, each must be in a grant that covers the
 * places before it. A grant without a list of a kind covers the places that the directory has within its other lists.
 * @throws AppError TERRITORY_NOT_ENTITLED naming the first place outside the territory.
 */
export function grantsWithin(
  grants: readonly StatedGrant[],
  places: Places,
  directory: Directory,
  dataset: EntityType,
): readonly StatedGrant[] {
  const checks = [
    ['state', 'states', places.state === undefined ? [] : [places.state]],
    ['district', 'districts', places.districts ?? []],
    ['pincode', 'pincodes', places.pincodes ?? []],
  ] as const
  return checks.reduce((within, [kind, list, requested]) => {
    if (requested.length === 0) return within
    const keyed = within.map((grant) => ({ grant, keys: keysOf(grant.territory[list]) }))
    const holds = ({ grant, keys }: (typeof keyed)[number], name: string): boolean =>
      keys === null ? canHold(grant.territory, kind, name, directory) : keys.has(placeKey(name))
    const outside = requested.find((name) => !keyed.some((each) => holds(each, name)))
    if (outside === undefined) {
      return keyed.filter((each) => requested.some((name) => holds(each, name))).map(({ grant }) => grant)
    }
    const message = `The ${kind} "${outside}" lies outside your entitled territory. See GET /api/access.`
    throw refusal('TERRITORY_NOT_ENTITLED', dataset, `${kind}_outside_entitled_territory`, message)
  }, grants)
}

const keysOf = (names: readonly string[] | null) => names && new Set(names.map(placeKey))

function refusal(
  code: 'NO_DATASET_ACCESS' | 'TERRITORY_NOT_ENTITLED',
  dataset: EntityType,
  reason: string,
  message: string,
): AppError {
  return new AppError(code, message, { extra: { dataset: `recently_registered.${dataset}`, message, reason } })
}

/**
 * The applied scope as the answer echoes it: each grant with its part of the requested days, and the hull around them.
 */
export function appliedScope(
  grantedBy: OpenScope['granted_by'],
  grants: readonly StatedGrant[],
  requested: { readonly from_date?: string | undefined; readonly to_date?: string | undefined },
): z.output<typeof AppliedScope> {
  const applied = grants.flatMap((grant) => {
    const from = laterOf(grant.date_window.from, requested.from_date ?? null)
    const to = earlierOf(grant.date_window.to, requested.to_date ?? null)
    const isEmpty = from !== null && to !== null && from > to
    return isEmpty ? [] : [{ ...grant, date_window: { ...grant.date_window, from, to } }]
  })
  return { granted_by: grantedBy, ...hullOfGrants(applied.length > 0 ? applied : grants), grants: applied }
}

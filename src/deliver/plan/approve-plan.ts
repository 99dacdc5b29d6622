/**
 * Approves a plan by the hash that a person reviewed. If the plan adopts records that the customer already had in the
 * CRM, the approval says whether it may: the records are then noted as the customer's and given their leads' external
 * ids, so that the following push updates them; by that push itself if nothing may be written now. Safe to repeat after
 * a crash.
 */
import type { Claim, FailedClaim } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { counted } from '../../domain/counted.ts'
import { AppError } from '../../errors.ts'
import { type DeliveryParts, openDestination, readDestination } from '../destinations/open-destination.ts'
import { setUp } from '../destinations/set-up.ts'
import { forgetAdoptions, noteAdoptions } from '../matching/adopted-records.ts'
import { noteUnmatched } from '../matching/unmatched.ts'
import type { PushRequest } from '../push/request-push.ts'
import { recreate } from '../record/recreate.ts'
import type { PlannedRow } from './plan-leads.ts'
import { planPush, requirePlan } from './plan-push.ts'

export interface Approval {
  readonly hash: string
  /**
   * Whether the records of the plan's `adopt` rows are adopted or new ones created next to them; undefined: not
   * specified.
   */
  readonly adopt: boolean | undefined
}

export type ApprovedPlan = PushRequest & Approval

/**
 * @throws AppError CONFLICT if the CRM or the data has changed, or if `adopt` is missing for a plan that adopts
 * records.
 */
export async function approvePlan(
  parts: DeliveryParts,
  { hash, adopt, ...request }: ApprovedPlan,
  signal: AbortSignal,
): Promise<void> {
  const plan = await requirePlan(() => planPush(parts, request, signal), hash)
  await takeRecords(parts, plan, adopt, signal)
  // Acknowledged once, deleted since, and created again by the plan.
  await recreate(parts.db, plan.destination_id, createdBy(plan))
}

interface Planned {
  readonly destination_id: string
  readonly rows: readonly PlannedRow[]
}

/** Adopts the records of the plan's `adopt` rows for their leads, if allowed. @throws as approvePlan */
export async function takeRecords(
  parts: DeliveryParts,
  plan: Planned,
  adopt: boolean | undefined,
  signal: AbortSignal,
): Promise<void> {
  const claims = claimsOf(plan)
  await noteUnmatched(parts.db, plan.destination_id, madeNew(plan, adopt))
  // An earlier plan may have noted them before it failed. They were not adopted, or this plan would say update.
  if (adopt === false) await forgetAdoptions(parts.db, plan.destination_id, claims)
  if (claims.length === 0 || adopt === false) return
  if (adopt === undefined) {
    const question = 'set adopt to true to use them, or to false to create new ones'
    const were = claims.length === 1 ? 'was' : 'were'
    throw new AppError(
      'CONFLICT',
      `The plan uses ${counted(claims.length, 'record')} that ${were} in the CRM before; ${question}`,
      { extra: { reason: 'adoption_needs_consent' } },
    )
  }
  const { db } = parts
  const { destination_id: destinationId } = plan
  if (!(await mayWrite(db, destinationId))) return noteAdoptions(db, destinationId, claims)
  const row = await readDestination(db, destinationId)
  const open = openDestination(parts, row, signal)
  try {
    await setUp(db, row, open)
    await noteAdoptions(db, destinationId, claims)
    const refused = (await open.session.adoption?.claim(claims)) ?? new Map<string, FailedClaim>()
    const [first] = refused
    if (!first) return
    // A record that the CRM deferred or did not answer for may have its external id all the same: it stays the
    // customer's.
    const isLost = (failed: FailedClaim | undefined) => failed !== undefined && failed.outcome?.status !== 'deferred'
    const lost = claims.filter(({ externalId }) => isLost(refused.get(externalId)))
    await forgetAdoptions(db, destinationId, lost)
    const [record, { reason }] = first
    throw new AppError(
      'CONFLICT',
      `${counted(refused.size, 'record')} ${refused.size === 1 ? 'was' : 'were'} not taken; ${record}: ${reason}. Plan again`,
      {
        extra: { reason: 'plan_moved' },
      },
    )
  } finally {
    await open.limiter.flush()
  }
}

/** Otherwise the records are given their external ids once the leads may go. */
async function mayWrite(db: Db, destinationId: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM deliver.destination
     WHERE destination_id = $1 AND status <> 'paused' AND deliver.within_hours(hours, clock_timestamp())`,
    [destinationId],
  )
  return rows.length > 0
}

const claimsOf = ({ rows }: Planned): readonly Claim[] =>
  rows.flatMap(({ record, action, crm_id: crmId }) =>
    action === 'adopt' && crmId !== undefined ? [{ externalId: record, crmId }] : [],
  )

/** Records that resemble an existing one that is not adopted: no one is asked about them again. */
const madeNew = ({ rows }: Planned, adopt: boolean | undefined): readonly string[] =>
  rows.flatMap(({ record, action, reason }) =>
    (action === 'adopt' && adopt === false) || (action === 'create' && reason !== undefined) ? [record] : [],
  )

export const createdBy = ({ rows }: Planned): readonly string[] =>
  rows.flatMap(({ record, action }) => (action === 'create' ? [record] : []))

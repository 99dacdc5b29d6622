/**
 * A plan that was read by a person is approved by its hash. Where it takes records that the customer had in the CRM before, the
 * approval says whether they may be taken: then they are noted as the customer's, and given the identities of their leads, and
 * the push that follows is delivered into them. Run again after any death, nothing is taken anew and nothing is taken twice.
 */
import type { Claim, Untaken } from '../../../connectors/contract.ts'
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
  /** Whether the records of the plan's `adopt` rows are taken, or new ones made beside them; undefined where nothing was said. */
  readonly adopt: boolean | undefined
}

export type ApprovedPlan = PushRequest & Approval

/**
 * @throws AppError CONFLICT where the CRM or the data has moved, or where nothing was said of records that the plan would take.
 */
export async function approvePlan(
  parts: DeliveryParts,
  { hash, adopt, ...request }: ApprovedPlan,
  signal: AbortSignal,
): Promise<void> {
  const plan = await requirePlan(() => planPush(parts, request, signal), hash)
  // Acknowledged once, deleted since, and made anew by the plan.
  await recreate(parts.db, plan.destination_id, createdBy(plan))
  await takeRecords(parts, plan, adopt, signal)
}

interface Planned {
  readonly destination_id: string
  readonly rows: readonly PlannedRow[]
}

/** Gives the records of the plan's `adopt` rows to their leads, where that is allowed. @throws as approvePlan */
export async function takeRecords(
  parts: DeliveryParts,
  plan: Planned,
  adopt: boolean | undefined,
  signal: AbortSignal,
): Promise<void> {
  const claims = claimsOf(plan)
  await noteUnmatched(parts.db, plan.destination_id, madeNew(plan, adopt))
  // Noted by a plan before whose record may have been taken or not: it was not, or this plan would say update.
  if (adopt === false) await forgetAdoptions(parts.db, plan.destination_id, claims)
  if (claims.length === 0 || adopt === false) return
  if (adopt === undefined) {
    const question = 'say with adopt whether they are taken, or new ones made beside them'
    throw new AppError('CONFLICT', `The plan takes ${claims.length} records that were in the CRM before; ${question}`, {
      extra: { reason: 'adoption_needs_consent' },
    })
  }
  const { db } = parts
  const { destination_id: destinationId } = plan
  const row = await readDestination(db, destinationId)
  const open = openDestination(parts, row, signal)
  try {
    await setUp(db, row, open)
    await noteAdoptions(db, destinationId, claims)
    const refused = (await open.session.adoption?.claim(claims)) ?? new Map<string, Untaken>()
    const [first] = refused
    if (!first) return
    // One that the CRM puts off, or says nothing of, may have its identity all the same: it stays the customer's.
    const isLost = (untaken: Untaken | undefined) => untaken !== undefined && untaken.outcome?.status !== 'deferred'
    const lost = claims.filter(({ externalId }) => isLost(refused.get(externalId)))
    await forgetAdoptions(db, destinationId, lost)
    const [record, { reason }] = first
    throw new AppError('CONFLICT', `${refused.size} records were not taken; ${record}: ${reason}. Plan again`, {
      extra: { reason: 'plan_moved' },
    })
  } finally {
    await open.limiter.flush()
  }
}

const claimsOf = ({ rows }: Planned): readonly Claim[] =>
  rows.flatMap(({ record, action, crm_id: crmId }) =>
    action === 'adopt' && crmId !== undefined ? [{ externalId: record, crmId }] : [],
  )

/** Those that look like a record which is not taken: nobody is asked of them again. */
const madeNew = ({ rows }: Planned, adopt: boolean | undefined): readonly string[] =>
  rows.flatMap(({ record, action, reason }) =>
    (action === 'adopt' && adopt === false) || (action === 'create' && reason !== undefined) ? [record] : [],
  )

export const createdBy = ({ rows }: Planned): readonly string[] =>
  rows.flatMap(({ record, action }) => (action === 'create' ? [record] : []))

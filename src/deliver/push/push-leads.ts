/**
 * Pushes leads into the CRM with their destination's overrides, after matching those that may already exist there;
 * one outcome per lead.
 */
import type { PushPlace } from '../../../connectors/bulk-way.ts'
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import type { OpenDestination } from '../destinations/open-destination.ts'
import { withOrderOverrides } from '../destinations/order-mapping.ts'
import { takeTurns } from '../destinations/turns.ts'
import type { Lease } from '../lease/lease.ts'
import { matchNew } from '../matching/match-new.ts'
import { untilAborted } from './until-aborted.ts'

export interface Pushing {
  readonly db: Db
  readonly lease: Lease
  readonly open: OpenDestination
  readonly signal: AbortSignal
}

/** @param place of a bulk job; leads of a job that continues were matched before. */
export async function pushLeads(
  { db, lease: { destinationId }, open, signal }: Pushing,
  leads: readonly OutgoingLead[],
  place?: PushPlace,
): Promise<readonly PushOutcome[]> {
  const { mapping, session } = open
  const outgoing = await withOrderOverrides(db, { destinationId, mapping }, leads, takeTurns(db, destinationId))
  if (place !== undefined && place.kept !== null) return untilAborted(session.push(outgoing, place), signal)
  const { leads: ready, waiting } = await untilAborted(matchNew(db, destinationId, open, outgoing), signal)
  if (waiting.size === 0) return untilAborted(session.push(ready, place), signal)
  const outcomes = ready.length === 0 ? [] : await untilAborted(session.push(ready, place), signal)
  const answers = new Map(ready.map(({ itemId }, n) => [itemId, outcomes[n] ?? unanswered] as const))
  return leads.map(({ itemId, externalId }) => waiting.get(externalId) ?? answers.get(itemId) ?? unanswered)
}

const unanswered: PushOutcome = { status: 'unknown', message: 'the connector returned no outcome' }

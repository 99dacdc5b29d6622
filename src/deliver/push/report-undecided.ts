/** Leads that now wait for a person to decide whether a CRM record is theirs: the account is notified once of each. */
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'
import type { EventData } from '../../notify/event-types.ts'
import { announceOfDestination } from '../destinations/announce.ts'
import { undecidedCode } from '../lease/undecided-code.ts'

type Matches = EventData<'delivery.needs_decision'>['matches']

/**
 * Called before the outcomes are recorded. @returns the leads to announce; one that waited before was announced then.
 */
export async function newlyUndecided(
  tx: Queryable,
  destinationId: string,
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
): Promise<Matches> {
  const matches = leads.flatMap(({ externalId: record }, n) => {
    const outcome = outcomes[n]
    return outcome?.status === 'deferred' && outcome.code === undecidedCode
      ? [{ record, message: outcome.message }]
      : []
  })
  if (matches.length === 0) return []
  const known = await tx.query<{ id: string }>(
    `SELECT external_id AS id FROM deliver.record
     WHERE destination_id = $1 AND external_id = ANY($2::text[]) AND last_error ->> 'code' = $3`,
    [destinationId, matches.map(({ record }) => record), undecidedCode],
  )
  const announced = new Set(known.map(({ id }) => id))
  return matches.filter(({ record }) => !announced.has(record))
}

export const reportUndecided = (tx: Queryable, destinationId: string, matches: Matches): Promise<void> =>
  announceOfDestination(tx, destinationId, 'delivery.needs_decision', { matches })

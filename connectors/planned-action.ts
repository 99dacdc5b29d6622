/** The planned action for a lead, the same for every CRM. */
import type { PlannedAction, Refusal } from './contract.ts'
import { changesOf } from './field-ownership.ts'
import type { Known } from './known-records.ts'
import type { Decided } from './push-port.ts'

/**
 * What a push would do with a lead.
 * @param crm the CRM's name as users know it.
 * @param foreseen why it would be refused whatever the CRM holds.
 */
export function plannedAction<Found>(
  crm: string,
  { lead: { externalId }, record, refusal, decision }: Decided,
  known: Known<Found>,
  foreseen: Refusal | null,
): PlannedAction {
  const refused = foreseen ?? refusal
  if (refused !== null) return { action: 'reject', ...refused }
  if (record === undefined) return fateOf(known, externalId) ?? { action: 'create' }
  const back = (known.named.get(externalId) ?? []).map((field) => ({ field, before: null, after: externalId }))
  const changes = [...back, ...changesOf(decision, record.values)]
  if (changes.length > 0) return { action: 'update', changes }
  if (decision.held.length === 0) return { action: 'unchanged' }
  return { action: 'conflict', reason: `edited in ${crm}: ${decision.held.join(', ')}` }
}

/** For a lead whose record is gone or belongs to another lead. */
function fateOf<Found>({ refused, again }: Known<Found>, externalId: string): PlannedAction | undefined {
  const why = refused.get(externalId)
  if (why !== undefined)
    return { action: 'conflict', reason: why.message, ...('isFate' in why && { isFate: true as const }) }
  const gone = again.get(externalId)
  return gone === undefined
    ? undefined
    : { action: 'create', reason: `the record ${gone} is gone, and is made anew`, again: true }
}

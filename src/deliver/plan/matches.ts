/** Which existing records of the customer a plan would adopt for which leads. Writes nothing. */
import type { CrmSession, OutgoingLead, PlannedAction } from '../../../connectors/contract.ts'
import { explained } from '../matching/score.ts'

/** Looks for existing records before planning a create, if the destination has a rule for it. */
export async function withMatches(
  { adoption }: CrmSession,
  leads: readonly OutgoingLead[],
  actions: readonly PlannedAction[],
): Promise<readonly PlannedAction[]> {
  const creates = leads.filter((_, n) => actions[n]?.action === 'create')
  if (!adoption || creates.length === 0) return actions
  const matches = await adoption.match(creates)
  return actions.map((action, n): PlannedAction => {
    const match = action.action === 'create' ? matches.get(leads[n]?.externalId ?? '') : undefined
    if (!match) return action
    if (match.is === 'unclear') return { action: 'create', reason: `not adopted: ${match.reason}` }
    return { action: 'adopt', crmId: match.crmId, changes: match.changes, reason: explained(match.columns) }
  })
}

/** A record is adopted for one lead at most. */
export function oncePerRecord(planned: Map<string, PlannedAction>): void {
  const wanting = new Map<string, string[]>()
  for (const [itemId, action] of planned) {
    if (action.action === 'adopt') wanting.set(action.crmId, [...(wanting.get(action.crmId) ?? []), itemId])
  }
  for (const [crmId, items] of wanting) {
    if (items.length === 1) continue
    const reason = `not adopted: ${items.length} leads match the one record ${crmId}`
    for (const itemId of items) planned.set(itemId, { action: 'create', reason })
  }
}

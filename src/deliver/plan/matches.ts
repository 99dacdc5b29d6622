/** What a plan says of records that the customer had before: which of them would be taken for which lead. Writes nothing. */
import type { CrmSession, OutgoingLead, PlannedAction } from '../../../connectors/contract.ts'
import { explained } from '../matching/score.ts'

/** What would be created is looked for first, where the destination says by what. */
export async function withMatches(
  { adoption }: CrmSession,
  leads: readonly OutgoingLead[],
  actions: readonly PlannedAction[],
): Promise<readonly PlannedAction[]> {
  const news = leads.filter((_, n) => actions[n]?.action === 'create')
  if (!adoption || news.length === 0) return actions
  const matches = await adoption.match(news)
  return actions.map((action, n): PlannedAction => {
    const match = action.action === 'create' ? matches.get(leads[n]?.externalId ?? '') : undefined
    if (!match) return action
    if (match.is === 'unclear') return { action: 'create', reason: `not adopted: ${match.reason}` }
    return { action: 'adopt', crmId: match.crmId, changes: match.changes, reason: explained(match.columns) }
  })
}

/** One record is taken for one lead or for none. */
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

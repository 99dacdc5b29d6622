/**
 * Column values that a CRM's restricted lists do not accept, with the number of leads that have them. A plan checks
 * its own leads, the test of a destination the newest leads of its account. Writes nothing.
 */

import type { CrmSession, OutgoingLead } from '../../../connectors/contract.ts'
import type { Misfit } from '../../../connectors/filled-lead.ts'
import type { Db } from '../../db/db.ts'
import { withholdFromLeads } from '../../suppression/withhold-leads.ts'
import { withOverrides } from './field-mapping.ts'
import type { DestinationRow } from './open-destination.ts'
import { foreseeTurns } from './turns.ts'

export interface CountedMisfit extends Misfit {
  readonly leads: number
}

/** Most values reported, those with the most leads first. */
const reportedMax = 100
const newestMax = 1_000

export async function countMisfits(session: CrmSession, leads: readonly OutgoingLead[]): Promise<CountedMisfit[]> {
  if (leads.length === 0) return []
  const counts = new Map<string, CountedMisfit>()
  const misfits = ((await session.fill?.(leads)) ?? []).flatMap((filled) => filled.misfits)
  for (const misfit of misfits) {
    const key = JSON.stringify([misfit.field, misfit.column, misfit.value])
    counts.set(key, { ...misfit, leads: (counts.get(key)?.leads ?? 0) + 1 })
  }
  return [...counts.values()].sort((one, other) => other.leads - one.leads).slice(0, reportedMax)
}

/** For leads that the destination's account has ordered or received, after its mapping. */
export async function misfitsOfNewest(db: Db, row: DestinationRow, session: CrmSession): Promise<CountedMisfit[]> {
  const newest = await db.query<OutgoingLead>(
    `SELECT lead.item_id AS "itemId", lead.type || ':' || lead.identifier AS "externalId", lead.type, lead.flat AS row,
       NULL AS "lastPushed", NULL AS "crmId"
     FROM orders.lead JOIN orders.item USING (item_id) JOIN orders.purchase ON purchase.order_id = lead.order_id
     WHERE purchase.account_id = $1 AND item.refunded_at IS NULL AND item.withdrawn_at IS NULL
     ORDER BY lead.built_at DESC, lead.position LIMIT $2`,
    [row.accountId, newestMax],
  )
  const leads = await withholdFromLeads(db, newest)
  return countMisfits(session, await withOverrides(leads, row.mapping, foreseeTurns(db, row.destinationId)))
}

/** As part of a sentence. */
export const wordsOfMisfit = ({ field, column, value, leads }: CountedMisfit): string =>
  `"${value}" of ${column ?? 'the mapping'} for ${field} (${leads} ${leads === 1 ? 'lead' : 'leads'})`

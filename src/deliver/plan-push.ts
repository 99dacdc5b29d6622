/** What a push would do, lead by lead, without writing into the CRM or the ledger. */
import type { OutgoingLead, PlannedAction } from '../../connectors/contract.ts'
import { sqlFile } from '../db/sql-file.ts'
import { withholdFromLeads } from '../suppression/withhold-leads.ts'
import { type DeliveryParts, openDestination, readDestination } from './open-destination.ts'
import { checkPush, type PushRequest } from './request-push.ts'

export interface PushPlan {
  readonly order_id: string
  readonly destination: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  /** A rep's edit or a foreign record stands in the way: the push would leave the record as it is. */
  readonly conflicts: number
  readonly pending: number
  readonly unknown: number
  /** Leads that would not arrive as they are, with the reason. */
  readonly reasons: readonly { readonly external_id: string; readonly action: string; readonly reason: string }[]
}

const leadsSql = sqlFile(import.meta.url, 'plan-leads.sql')

/** @throws AppError as requestPush and the connector do. */
export async function planPush(parts: DeliveryParts, request: PushRequest, signal: AbortSignal): Promise<PushPlan> {
  const { db } = parts
  await checkPush(db, request)
  const stored = await db.query<OutgoingLead & { delivered: boolean }>(leadsSql, [
    request.destinationId,
    request.orderId,
  ])
  const rows = await withholdFromLeads(db, stored)
  const leads = rows.filter(({ delivered }) => !delivered)
  const actions: { lead: OutgoingLead; planned: PlannedAction }[] = []
  if (leads.length > 0) {
    const row = await readDestination(db, request.destinationId)
    const { connector, session, limiter } = openDestination(parts, row, signal)
    for (let start = 0; start < leads.length; start += connector.batchSizeMax) {
      const batch = leads.slice(start, start + connector.batchSizeMax)
      const planned = await session.plan(batch)
      batch.forEach((lead, n) => {
        const action = planned[n]
        if (action) actions.push({ lead, planned: action })
      })
    }
    await limiter.flush()
  }
  const count = (action: PlannedAction['action']) => actions.filter(({ planned }) => planned.action === action).length
  return {
    order_id: request.orderId,
    destination: request.destinationId,
    created: count('create'),
    updated: count('update'),
    unchanged: count('unchanged') + rows.length - leads.length,
    rejected: count('reject'),
    conflicts: count('conflict'),
    pending: 0,
    unknown: leads.length - actions.length,
    reasons: actions.flatMap(({ lead, planned }) => {
      if (planned.action === 'conflict') {
        return [{ external_id: lead.externalId, action: 'conflict', reason: planned.reason }]
      }
      if (planned.action !== 'reject') return []
      return [{ external_id: lead.externalId, action: 'reject', reason: `${planned.code}: ${planned.message}` }]
    }),
  }
}

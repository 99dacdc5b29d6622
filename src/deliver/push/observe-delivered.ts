/** Measures the time from payment to the CRM's first acknowledgement of a lead. For metrics only. */
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import type { Queryable } from '../../db/db.ts'
import { orderToLeadSeconds } from '../../telemetry/measured.ts'

const acknowledged: readonly PushOutcome['status'][] = ['created', 'updated', 'unchanged']

export async function observeDelivered(
  db: Queryable,
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
): Promise<void> {
  const first = leads.filter(
    ({ crmId }, n) => crmId === null && acknowledged.includes(outcomes[n]?.status ?? 'unknown'),
  )
  if (first.length === 0) return
  const rows = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM now() - coalesce(ordered.paid_at, ordered.created_at))::float8 AS seconds
     FROM orders.item JOIN orders.purchase ordered USING (order_id) WHERE item.item_id = ANY ($1::uuid[])`,
    [first.map(({ itemId }) => itemId)],
  )
  for (const { seconds } of rows) orderToLeadSeconds.observe({ stage: 'delivered' }, Math.max(0, seconds))
}

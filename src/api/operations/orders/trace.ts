import { readCause } from '../../../orders/order-cause.ts'
import { traceOrder } from '../../../orders/trace-order.ts'
import { operation } from '../../operation.ts'
import { OrderParams, OrderTrace } from './life-schemas.ts'
import example from './trace.example.json' with { type: 'json' }

/** Formats a time like every other time in the answer. */
const utc = (text: string) => new Date(text).toISOString()

export default operation({
  id: 'traceOrder',
  method: 'GET',
  path: '/api/orders/:id/trace',
  summary: 'Trace the origin and delivery of each item',
  description: 'Snapshot, run, lead, ledger entries and deliveries of every item.',
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  params: OrderParams,
  reply: { 200: OrderTrace },
  example,
  handle: async ({ db }, request, { accountId }) => {
    const { id } = request.params
    const items = await traceOrder(db, accountId, id)
    return {
      order_id: id,
      standing_order: await readCause(db, id),
      data: items.map((item) => ({
        ...item,
        entries: item.entries.map((entry) => ({ ...entry, at: utc(entry.at) })),
        deliveries: item.deliveries.map((delivery) => ({ ...delivery, at: utc(delivery.at) })),
        lead: item.lead ? { ...item.lead, built_at: utc(item.lead.built_at) } : null,
      })),
    }
  },
})

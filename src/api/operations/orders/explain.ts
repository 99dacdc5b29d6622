import { z } from 'zod'
import { explainOrder } from '../../../orders/find-orders.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import example from './explain.example.json' with { type: 'json' }
import { OrderParams } from './life-schemas.ts'
import { found, foundOrder, text } from './operator-schemas.ts'
import { OrderSummary } from './order-schemas.ts'

const Explained = OrderSummary.extend({
  ...found,
  items: z.array(
    z
      .object({
        index: z.number(),
        item_id: uuid('ID of the item'),
        type: z.string(),
        number: z.string(),
        name: z.string(),
        has_contact: z.boolean().nullable(),
        already_owned: z.boolean(),
        charged: z.boolean(),
        why: z.string(),
        charge: text.describe('Reference of the transfer that paid for it'),
        credit_type: text,
        refunded_at: timestamp().nullable(),
        refund_reason: text,
        dispute_id: uuid('ID of the report').nullable(),
        dispute: text,
      })
      .meta({ id: 'ExplainedItem' }),
  ),
}).meta({ id: 'ExplainedOrder' })

export default operation({
  id: 'explainOrder',
  method: 'GET',
  path: '/admin/orders/:id',
  summary: 'Explain an order and the charge of each item',
  description: "With the transfer that paid for it, its refund and the buyer's report.",
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  params: OrderParams,
  reply: { 200: Explained },
  example,
  handle: async ({ db }, { params }) => {
    const { order, items } = await explainOrder(db, params.id)
    return {
      ...foundOrder(order),
      items: items.map((item) => ({ ...item, refunded_at: item.refunded_at?.toISOString() ?? null })),
    }
  },
})

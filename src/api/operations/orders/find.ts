import { z } from 'zod'
import { findOrders } from '../../../orders/find-orders.ts'
import { orderSorts } from '../../../orders/order.ts'
import { orderStates } from '../../../orders/states.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { growing, pageOf, paging, sorting, textFilter } from '../../parameters.ts'
import example from './find.example.json' with { type: 'json' }
import { found, foundOrder } from './operator-schemas.ts'
import { OrderSummary } from './order-schemas.ts'

const Found = OrderSummary.extend(found).meta({ id: 'FoundOrder' })

export default operation({
  id: 'findOrders',
  method: 'GET',
  path: '/admin/orders',
  summary: 'List orders of all accounts',
  description: "Found by any ID, the buyer's e-mail address, a payment or an identifier. Newest first unless sorted.",
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  query: z.object({
    search: textFilter(
      'ID of an order, item, account, dispute, payment or processor’s order; an e-mail address; a CIN, DIN or GSTIN',
    ).meta({ examples: [exampleIds.order] }),
    status: z.enum(orderStates).optional().describe('Only orders in this state'),
    ...sorting(orderSorts),
    ...paging(100),
    ...growing,
  }),
  reply: { 200: pageOf(Found) },
  example,
  handle: async ({ db }, { query }) => {
    const { orders, total } = await findOrders(db, query)
    return { data: orders.map(foundOrder), total, page: query.page, limit: query.limit }
  },
})

import { z } from 'zod'
import { readOrders } from '../../../orders/read-orders.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'
import { exported, format } from './export-schemas.ts'
import { OrderExport } from './order-schemas.ts'
import { sendExport } from './send-export.ts'

const ordersMax = 1000
const ExportBody = z
  .strictObject({
    order_ids: z
      .array(idText('_id of an order'))
      .min(1)
      .max(ordersMax)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each order once')
      .describe('Your orders, in the order in which their leads appear'),
    format,
    bom: z.boolean().default(false).describe('Start a CSV with a byte order mark'),
  })
  .meta({ examples: [{ order_ids: [exampleIds.order], format: 'csv' }] })

export default operation({
  id: 'exportOrders',
  method: 'POST',
  path: '/api/orders/export',
  summary: 'Export several orders as one file',
  description: 'Up to 1,000 orders as one JSON document, CSV file or workbook, in the order in which you name them.',
  caller: { scopes: ['read'] },
  audit: { reads: 'exports' },
  errors: [...expensiveErrors, 'NOT_FOUND'],
  body: ExportBody,
  reply: exported(OrderExport.omit({ order_id: true }).extend({ order_ids: z.array(uuid('_id of an order')) })),
  example: null,
  handle: async (context, request, { accountId }, reply) => {
    const { order_ids, format, bom } = request.body
    const orders = await readOrders(context.db, accountId, order_ids)
    const name = `orders-${orders.length}`
    return sendExport(context, request, reply, { orders, format, bom, head: { order_ids }, name })
  },
})

import { z } from 'zod'
import { readOrder } from '../../../orders/read-orders.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import example from './export.example.json' with { type: 'json' }
import { exported, format } from './export-schemas.ts'
import { OrderExport } from './order-schemas.ts'
import { exportsOf } from './send-export.ts'

const OrderParams = z.object({ id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })
const ExportQuery = z.object({
  format,
  bom: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` begins a CSV with a byte order mark, by which Excel tells that it is UTF-8'),
})

export default operation({
  id: 'exportOrder',
  method: 'GET',
  path: '/api/orders/:id/export',
  tag: 'Orders',
  summary: 'Download an order',
  description:
    'Its records as JSON, or its flat lead rows as a CSV file or a workbook; an item whose credit came back has none. A workbook keeps telephone numbers and ' +
    'zeros in front as text; a spreadsheet keeps those of the CSV where it is told to take quoted fields as text. Of ' +
    'an order that is not paid: identifiers, the names that you gave, and in the JSON whether anybody can be reached.',
  caller: { scopes: ['read'] },
  audit: { reads: 'exports' },
  errors: expensiveErrors,
  params: OrderParams,
  query: ExportQuery,
  reply: exported(OrderExport),
  example,
  handle: (context) => {
    const { db } = context
    const sendExport = exportsOf(context)
    return async (request, reply) => {
      const order = await readOrder(db, principalOf(request).accountId, request.params.id)
      const { format, bom } = request.query
      const head = { order_id: order.orderId }
      const name = `order-${order.orderId}`
      return sendExport(request, reply, { orders: [order], format, bom: bom === 'true', head, name })
    }
  },
})

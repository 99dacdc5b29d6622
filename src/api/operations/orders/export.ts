import { z } from 'zod'
import { readOrder } from '../../../orders/read-orders.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import example from './export.example.json' with { type: 'json' }
import { exported, format } from './export-schemas.ts'
import { OrderParams } from './life-schemas.ts'
import { OrderExport } from './order-schemas.ts'
import { sendExport } from './send-export.ts'

const ExportQuery = z.object({
  format,
  bom: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` starts a CSV with a byte order mark, so that Excel reads it as UTF-8'),
})

export default operation({
  id: 'exportOrder',
  method: 'GET',
  path: '/api/orders/:id/export',
  summary: 'Export an order',
  description:
    'Its records as JSON, or its flat lead rows as a CSV file or a workbook; a refunded item has none. A workbook keeps telephone numbers and ' +
    'leading zeros as text; a spreadsheet keeps those of a CSV if it imports quoted fields as text. For ' +
    'an unpaid order: identifiers, the names that you gave, and in the JSON whether there is any contact.',
  caller: { scopes: ['read'] },
  audit: { reads: 'exports' },
  errors: expensiveErrors,
  params: OrderParams,
  query: ExportQuery,
  reply: exported(OrderExport),
  example,
  handle: async (context, request, { accountId }, reply) => {
    const order = await readOrder(context.db, accountId, request.params.id)
    const { format, bom } = request.query
    const head = { order_id: order.orderId }
    const name = `order-${order.orderId}`
    return sendExport(context, request, reply, { orders: [order], format, bom: bom === 'true', head, name })
  },
})

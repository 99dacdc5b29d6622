/** Exports: the leads of one order or of several as JSON, CSV or a workbook, sent as they are read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { leadsCsv } from '../../leads/export/leads-csv.ts'
import { leadsJson } from '../../leads/export/leads-json.ts'
import { leadsXlsx } from '../../leads/export/leads-xlsx.ts'
import { exportRecord } from '../../leads/nested-lead.ts'
import type { Order } from '../../orders/order.ts'
import { readOrder, readOrders, typesOfOrders } from '../../orders/read-orders.ts'
import { dearErrors } from '../documented-errors.ts'
import { exampleIds } from '../example-records.ts'
import { uuid } from '../formats.ts'
import { leadAnswers, textStream } from '../lead-answers.ts'
import { idText } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { OrderExport } from './order-schemas.ts'

const tags = ['Orders']
const ordersMax = 1000
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const format = z.enum(['json', 'csv', 'xlsx']).default('json').describe('json: records; csv and xlsx: a file')
const OrderParams = z.object({ id: uuid('_id of the order').meta({ examples: [exampleIds.order] }) })
const ExportQuery = z.object({
  format,
  bom: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` begins a CSV with a byte order mark, by which Excel tells that it is UTF-8'),
})
const ExportBody = z
  .strictObject({
    order_ids: z
      .array(idText('_id of an order'))
      .min(1)
      .max(ordersMax)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each order once')
      .describe('Your orders, in the order in which their leads follow each other'),
    format,
    bom: z.boolean().default(false).describe('Begin a CSV with a byte order mark'),
  })
  .meta({ examples: [{ order_ids: [exampleIds.order], format: 'csv' }] })

const exported = (schema: z.ZodType) => ({
  200: {
    description: 'The records, the CSV file, or the workbook with a sheet per type',
    content: {
      'application/json': { schema },
      'text/csv': { schema: z.string() },
      [workbookType]: { schema: z.string().meta({ format: 'binary' }) },
    },
  },
})

interface Wanted {
  readonly orders: readonly Order[]
  readonly format: 'json' | 'csv' | 'xlsx'
  readonly bom: boolean
  /** What a JSON document begins with. */
  readonly head: Readonly<Record<string, unknown>>
  readonly name: string
}

export const exportRoutes: Routes = async (app, context) => {
  const { db } = context
  const beginAnswer = leadAnswers(context)
  app.get(
    '/api/orders/:id/export',
    {
      config: { errors: dearErrors },
      schema: {
        operationId: 'exportOrder',
        tags,
        summary: 'Download an order',
        description:
          'Its records as JSON, or its flat lead rows as a CSV file or a workbook. A workbook keeps telephone numbers and ' +
          'zeros in front as text; a spreadsheet keeps those of the CSV where it is told to take quoted fields as text. Of ' +
          'an order that is not paid: identifiers, the names that you gave, and in the JSON whether anybody can be reached.',
        params: OrderParams,
        querystring: ExportQuery,
        response: exported(OrderExport),
      },
    },
    async (request, reply) => {
      const order = await readOrder(db, principalOf(request).accountId, request.params.id)
      const { format, bom } = request.query
      const head = { order_id: order.orderId }
      const name = `order-${order.orderId}`
      return sendExport(request, reply, { orders: [order], format, bom: bom === 'true', head, name })
    },
  )

  app.post(
    '/api/orders/export',
    {
      config: { scopes: ['read'], errors: [...dearErrors, 'NOT_FOUND'] },
      schema: {
        operationId: 'exportOrders',
        tags,
        summary: 'Download several orders in one',
        description:
          'Up to 1,000 orders as one JSON document, CSV file or workbook, in the order in which you name them.',
        body: ExportBody,
        response: exported(
          OrderExport.omit({ order_id: true }).extend({ order_ids: z.array(uuid('_id of an order')) }),
        ),
      },
    },
    async (request, reply) => {
      const { order_ids, format, bom } = request.body
      const orders = await readOrders(db, principalOf(request).accountId, order_ids)
      return sendExport(request, reply, { orders, format, bom, head: { order_ids }, name: `orders-${orders.length}` })
    },
  )

  async function sendExport(request: FastifyRequest, reply: FastifyReply, wanted: Wanted): Promise<FastifyReply> {
    const { orders, format, bom, head, name } = wanted
    const types = await typesOfOrders(
      db,
      orders.map(({ orderId }) => orderId),
    )
    const slices = await beginAnswer(request, reply, orders)
    const attached = (extension: string) =>
      reply.header('content-disposition', `attachment; filename="${name}.${extension}"`)
    switch (format) {
      case 'json':
        return reply
          .type('application/json; charset=utf-8')
          .send(textStream(leadsJson(slices('all'), { head, list: 'data', shape: exportRecord })))
      case 'csv':
        return attached('csv')
          .type('text/csv; charset=utf-8')
          .send(textStream(leadsCsv(slices('rows'), { types, bom })))
      case 'xlsx':
        return attached('xlsx')
          .type(workbookType)
          .send(leadsXlsx({ types, leadsOf: (type) => slices('rows', type) }))
    }
  }
}

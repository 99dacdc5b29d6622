/** Streams the leads of orders as the requested file. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { leadsCsv } from '../../../leads/export/leads-csv.ts'
import { leadsJson } from '../../../leads/export/leads-json.ts'
import { leadsXlsx } from '../../../leads/export/leads-xlsx.ts'
import { exportRecord } from '../../../leads/nested-lead.ts'
import { typesOfOrders } from '../../../orders/read-orders.ts'
import { beginLeadAnswer, textStream } from '../../lead-answers.ts'
import type { RouteContext } from '../../route-context.ts'
import { type Wanted, workbookType } from './export-schemas.ts'

export async function sendExport(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { orders, format, bom, head, name }: Wanted,
): Promise<FastifyReply> {
  const types = await typesOfOrders(
    context.db,
    orders.map(({ orderId }) => orderId),
  )
  const { slices, send } = await beginLeadAnswer(context, request, reply, orders)
  const attached = (extension: string) =>
    reply.header('content-disposition', `attachment; filename="${name}.${extension}"`)
  switch (format) {
    case 'json':
      reply.type('application/json; charset=utf-8')
      return send(reply, textStream(leadsJson(slices('all'), { head, list: 'data', shape: exportRecord })))
    case 'csv':
      attached('csv').type('text/csv; charset=utf-8')
      return send(reply, textStream(leadsCsv(slices('rows'), { types, bom })))
    case 'xlsx':
      attached('xlsx').type(workbookType)
      return send(reply, leadsXlsx({ types, leadsOf: (type) => slices('rows', type) }))
  }
}

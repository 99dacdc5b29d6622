import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { accountDb, actForAccount } from '../../../db/account-scope.ts'
import {
  deliveryPages,
  type ExportFormat,
  exportedText,
  exportFormats,
  exportPageSize,
} from '../../../deliver/record/export-deliveries.ts'
import { listDeliveriesAfter } from '../../../deliver/record/list-deliveries.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { DeliveryQuery } from './delivery-schemas.ts'

const ExportQuery = DeliveryQuery.omit({ page: true, limit: true }).extend({
  format: z.enum(exportFormats).default('csv').describe('csv, or ndjson: one JSON document per line'),
})
const file = z.string()

export default operation({
  id: 'exportDeliveries',
  method: 'GET',
  path: '/api/crm/deliveries/export',
  summary: 'Export the delivery log',
  description: 'A file of any length, ordered by ID. The columns are the members of a delivery.',
  caller: { scopes: ['read'] },
  audit: { reads: 'exports' },
  errors: expensiveErrors,
  query: ExportQuery,
  reply: {
    200: {
      description: 'The log',
      content: { 'text/csv': { schema: file }, 'application/x-ndjson': { schema: file } },
    },
  },
  example: null,
  handle: async ({ expensiveReads }, request, { accountId }, reply) => {
    const { order_id: orderId, destination_id: destinationId, outcome, record, format } = request.query
    const filter = { accountId, orderId, destinationId, outcome, record, limit: exportPageSize }
    // The log may have a million rows.
    const parts = [orderId && `order ${orderId}`, destinationId && `destination ${destinationId}`, record]
    addReadings(request, { reason: ['delivery log', ...parts.filter(Boolean)].join(', ') })
    const read = (after: string | null) =>
      actForAccount(accountId, () =>
        expensiveReads.run(request, (expensiveDb) => listDeliveriesAfter(accountDb(expensiveDb), filter, after)),
      )
    // The first page is read before anything is sent, so that an error is a proper answer and not a truncated file.
    const first = await read(null)
    const pages = deliveryPages(async (after) => (after === null ? first : read(after)))
    return sendLog(reply, format, exportedText(format, pages))
  },
})

function sendLog(reply: FastifyReply, format: ExportFormat, chunks: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="deliveries.${format}"`)
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
    .send(Readable.from(chunks, { objectMode: false }))
}

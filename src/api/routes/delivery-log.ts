/** /api/crm/deliveries: the log as a file, and refused rows that were mended in one. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { accountDb, actForAccount } from '../../db/account-scope.ts'
import {
  deliveryPages,
  type ExportFormat,
  exportedText,
  exportFormats,
  exportPageSize,
} from '../../deliver/export-deliveries.ts'
import { listDeliveriesAfter } from '../../deliver/list-deliveries.ts'
import { cellCharactersMax, mendRefused } from '../../deliver/refused/mend-refused.ts'
import { dearErrors } from '../documented-errors.ts'
import { exampleIds } from '../example-records.ts'
import { idText } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { DeliveryQuery } from './delivery-schemas.ts'

const tags = ['CRM']
const rowsMax = 1_000

const ExportQuery = DeliveryQuery.omit({ page: true, limit: true }).extend({
  format: z.enum(exportFormats).default('csv').describe('csv, or ndjson: a JSON document to a line'),
})

const cell = z.union([z.string().max(cellCharactersMax), z.number(), z.null()])
const MendBody = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          delivery_id: idText('Of the refused delivery'),
          values: z
            .record(z.string().max(100), cell)
            .describe('Columns of the lead as they are to be; columns that are not named stay'),
        }),
      )
      .min(1)
      .max(rowsMax)
      .describe('Refused rows, each once'),
  })
  .meta({ examples: [{ rows: [{ delivery_id: exampleIds.delivery, values: { Email: 'office@example.in' } }] }] })

const Mended = z
  .object({
    mended: z.number().describe('Rows that changed and go again'),
    unchanged: z.number().describe('Rows that say what was refused already; they do not go again'),
    not_refused: z.number().describe('Rows that no CRM refuses now, or that are owed no more'),
  })
  .meta({ id: 'Mended' })

const file = z.string()

function sendLog(reply: FastifyReply, format: ExportFormat, chunks: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="deliveries.${format}"`)
    .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
    .send(Readable.from(chunks, { objectMode: false }))
}

export const deliveryLogRoutes: Routes = async (app, { db, queue, dearReads }) => {
  app.get(
    '/api/crm/deliveries/export',
    {
      config: { errors: dearErrors },
      schema: {
        operationId: 'exportDeliveries',
        tags,
        summary: 'The delivery log as a file, of any length',
        description: 'In the order of the ids. The columns are the members of a delivery.',
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The log',
            content: { 'text/csv': { schema: file }, 'application/x-ndjson': { schema: file } },
          },
        },
      },
    },
    async (request, reply) => {
      const { accountId } = principalOf(request)
      const { order_id: orderId, destination_id: destinationId, outcome, record, format } = request.query
      const filter = { accountId, orderId, destinationId, outcome, record, limit: exportPageSize }
      const read = (after: string | null) =>
        actForAccount(accountId, () =>
          dearReads.run(request, (dearDb) => listDeliveriesAfter(accountDb(dearDb), filter, after)),
        )
      // The first page is read before anything is sent, so that a refusal is an answer and not a broken file.
      const first = await read(null)
      const pages = deliveryPages(async (after) => (after === null ? first : read(after)))
      return sendLog(reply, format, exportedText(format, pages))
    },
  )

  app.post(
    '/api/crm/deliveries/mend',
    {
      config: { scopes: ['deliver'], errors: ['UNPROCESSABLE', 'NOT_FOUND'] },
      schema: {
        operationId: 'mendDeliveries',
        tags,
        summary: 'Mend refused rows by hand and send them again',
        description:
          'Whole or not at all. A row whose values are what was refused stays refused. What you mend stands for the record in that ' +
          'CRM for as long as the register says what you mended; your order and its exports stay as they are.',
        body: MendBody,
        response: { 200: Mended },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const rows = request.body.rows.map(({ delivery_id: deliveryId, values }) => ({ deliveryId, values }))
      return { ...(await db.transaction((tx) => mendRefused(tx, queue, rows, accountId))) }
    },
  )
}

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { documentsCsv, journalCsv, type MonthPart, monthParts, sumsCsv } from '../../../orders/month/month-csv.ts'
import { readJournal, readMonthReport, readReturnRows } from '../../../orders/month/month-report.ts'
import { operation } from '../../operation.ts'
import { MonthPath } from './month-schemas.ts'

export default operation({
  id: 'exportLedgerMonth',
  method: 'GET',
  path: '/admin/ledger/months/:month/export',
  summary: 'Export a part of a month as CSV',
  description:
    'In rupees: the trial balance, revenue by product, the totals, the invoices and credit notes with the columns of GSTR-1, or the ' +
    'journal with its document numbers.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  errors: ['NOT_FOUND'],
  params: MonthPath,
  query: z.object({
    part: z
      .enum(monthParts)
      .describe('Content of the file')
      .meta({ examples: ['documents'] }),
  }),
  reply: { 200: { description: 'The file', content: { 'text/csv': { schema: z.string() } } } },
  example: null,
  handle: async ({ db }, request, _caller, reply) => {
    const { month } = request.params
    const { part } = request.query
    if (part === 'journal') return sendFile(reply, month, part, Readable.from(journalCsv(readJournal(db, month))))
    if (part === 'documents') return sendFile(reply, month, part, documentsCsv(await readReturnRows(db, month)))
    return sendFile(reply, month, part, sumsCsv(await readMonthReport(db, month), part))
  },
})

function sendFile(reply: FastifyReply, month: string, part: MonthPart, file: string | Readable): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${month}-${part}.csv"`)
    .send(file)
}

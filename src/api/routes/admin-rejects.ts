/** What a run refused, for operators: page by page to look at and to mend, or whole as a CSV that can be taken in again. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { readRejectPage, rejectCodeNames, rejectCsvParts } from '../../ingest/conduct/read-rejects.ts'
import { tellTrail } from '../hooks/trail.ts'
import { paging } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { RunPath, runIdOf } from './admin-lists.ts'

const count = z.number()
const Reject = z
  .object({
    line: count.describe('First line of the record in the file; the header is line 1'),
    code: z.enum(rejectCodeNames),
    message: z.string(),
    raw: z.string().describe('As it stood in the file; its first 4,000 characters'),
    raw_characters: count.describe('How many it has in all'),
    cells: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe(
        'By the columns of the header; null where they cannot be told apart, or the text is longer than is shown',
      ),
  })
  .meta({ id: 'Reject' })
const RejectPage = z
  .object({
    data: z.array(Reject),
    header: z.array(z.string()).readonly().describe('Columns of the file'),
    rejected: count.describe('Rows that the run refused; of very many only the first are kept'),
    total: count.describe('Kept ones that were asked for'),
    page: count,
    limit: count,
  })
  .meta({ id: 'RejectPage' })

const code = z
  .enum(rejectCodeNames)
  .optional()
  .describe('Only those that were refused for this')
  .meta({ examples: ['cin_malformed'] })

export const adminRejectRoutes: Routes = async (app, { db }) => {
  app.get(
    '/admin/ingest/runs/:id/rejects',
    {
      schema: {
        operationId: 'listRejects',
        ...admin,
        summary: 'Rows that a run refused, in the order of the file',
        description: 'With line, code, message, the raw text, and the cells by the columns of the header.',
        params: RunPath,
        querystring: z.object({ code, ...paging(500) }),
        response: { 200: RejectPage },
      },
    },
    async (request) => {
      const runId = runIdOf(request.params.id)
      const { page, limit } = request.query
      const { rejects, total, header, rejected } = await readRejectPage(db, { runId, ...request.query })
      tellTrail(request, { identifiers: [`run ${runId}`] })
      return { data: rejects.map((reject) => ({ ...reject })), header, rejected, total, page, limit }
    },
  )

  app.get(
    '/admin/ingest/runs/:id/rejects/export',
    {
      schema: {
        operationId: 'exportRejects',
        ...admin,
        summary: 'Rows that a run refused, as a CSV to mend and take in again',
        description:
          'The columns of the file with the values as they came, then line, code, message and raw, which a later ingest passes over. What would run as a formula is disarmed, and armed again when the file is taken in.',
        params: RunPath,
        querystring: z.object({ code }),
        response: {
          200: { description: 'The CSV file', content: { 'text/csv': { schema: z.string() } } },
        },
      },
    },
    async (request, reply) => {
      const runId = runIdOf(request.params.id)
      const parts = await rejectCsvParts(db, { runId, code: request.query.code })
      tellTrail(request, { identifiers: [`run ${runId}`] })
      reply.header('content-disposition', `attachment; filename="rejects-of-run-${runId}.csv"`)
      return sendCsv(reply, parts)
    },
  )
}

const sendCsv = (reply: FastifyReply, parts: AsyncIterable<string>): FastifyReply =>
  reply.type('text/csv; charset=utf-8').send(Readable.from(parts, { objectMode: false }))

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { rejectCsvParts } from '../../../ingest/conduct/read-rejects.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { RunPath, runIdOf } from '../runs/run-schemas.ts'
import { code } from './reject-schemas.ts'

const sendCsv = (reply: FastifyReply, parts: AsyncIterable<string>): FastifyReply =>
  reply.type('text/csv; charset=utf-8').send(Readable.from(parts, { objectMode: false }))

export default operation({
  id: 'exportRejects',
  method: 'GET',
  path: '/admin/ingest/runs/:id/rejects/export',
  summary: "Export a run's rejected rows as a CSV to fix and ingest again",
  description:
    'The columns of the file with the values as received, then line, code, message and raw, which a later ingest ignores. Values that would run as a formula are escaped, and unescaped when the file is ingested.',
  caller: { role: 'viewer' },
  audit: { reads: 'rejects' },
  params: RunPath,
  query: z.object({ code }),
  reply: {
    200: { description: 'The CSV file', content: { 'text/csv': { schema: z.string() } } },
  },
  example: null,
  handle: async ({ db }, request, _caller, reply) => {
    const runId = runIdOf(request.params.id)
    const parts = await rejectCsvParts(db, { runId, code: request.query.code })
    addReadings(request, { identifiers: [`run ${runId}`] })
    reply.header('content-disposition', `attachment; filename="rejects-of-run-${runId}.csv"`)
    return sendCsv(reply, parts)
  },
})

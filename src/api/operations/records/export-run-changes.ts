import { Readable } from 'node:stream'
import { z } from 'zod'
import { changesCsvParts } from '../../../ingest/conduct/changes-csv.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { RunPath, runIdOf } from '../runs/run-schemas.ts'
import { changeFilters, changesChosen } from './change-filters.ts'

export default operation({
  id: 'exportRunChanges',
  method: 'GET',
  path: '/admin/ingest/runs/:id/changes/export',
  summary: 'Export the records that a run changed as CSV',
  description:
    'The columns are change_id, register, identifier, kind and the fields that changed; values that would run as a formula are escaped.',
  caller: { role: 'viewer' },
  audit: { reads: 'history' },
  params: RunPath,
  query: z.object(changeFilters),
  reply: { 200: { description: 'The CSV file', content: { 'text/csv': { schema: z.string() } } } },
  example: null,
  handle: async ({ db }, request, _caller, reply) => {
    const runId = runIdOf(request.params.id)
    const parts = await changesCsvParts(db, runId, changesChosen(request.query))
    addReadings(request, { identifiers: [`run ${runId}`] })
    reply.header('content-disposition', `attachment; filename="changes-of-run-${runId}.csv"`)
    return reply.type('text/csv; charset=utf-8').send(Readable.from(parts, { objectMode: false }))
  },
})

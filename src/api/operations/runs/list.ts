import { z } from 'zod'
import { countRuns, listRuns, runSorts } from '../../../ingest/run/runs.ts'
import { runStatuses } from '../../../ingest/run/transitions.ts'
import { operation } from '../../operation.ts'
import { growing, pageOf, paging, sorting, textFilter } from '../../parameters.ts'
import { IngestRun, runOf } from './run-schemas.ts'
import run from './start.example.json' with { type: 'json' }

export default operation({
  id: 'listIngestRuns',
  method: 'GET',
  path: '/admin/ingest/runs',
  summary: 'List ingest runs',
  description:
    'Newest first unless sorted. Their row counts add up: rows_read = inserted + updated + unchanged + skipped + rejected.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  query: z.object({
    source: textFilter('Source, for example mca-companies').meta({ examples: ['mca-companies'] }),
    status: z.enum(runStatuses).optional().describe('Only runs in this state'),
    ...sorting(runSorts),
    ...paging(100),
    ...growing,
  }),
  reply: { 200: pageOf(IngestRun) },
  example: {
    data: [run],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, { query }) => {
    const [runs, total] = await Promise.all([listRuns(db, query), countRuns(db, query)])
    return { data: runs.map(runOf), total, page: query.page, limit: query.limit }
  },
})

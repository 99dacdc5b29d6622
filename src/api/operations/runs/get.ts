import { getRun } from '../../../ingest/run/runs.ts'
import { operation } from '../../operation.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './run-schemas.ts'
import example from './start.example.json' with { type: 'json' }

export default operation({
  id: 'getIngestRun',
  method: 'GET',
  path: '/admin/ingest/runs/:id',
  summary: 'Get one ingest run with its report',
  description: 'The report has repaired values, guard findings and, for a failed run, its error.',
  caller: { role: 'viewer' },
  audit: 'nothing',
  params: RunPath,
  reply: { 200: IngestRun },
  example,
  handle: async ({ db }, { params: { id } }) => {
    return runOf(await getRun(db, runIdOf(id)))
  },
})

import { tryCancel } from '../../../ingest/conduct/cancel.ts'
import { getRun } from '../../../ingest/run/runs.ts'
import { queues } from '../../../queue/queues.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import example from './cancel.example.json' with { type: 'json' }
import { noted } from './decision-schemas.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './run-schemas.ts'

export default operation({
  id: 'cancelIngestRun',
  method: 'POST',
  path: '/admin/ingest/runs/:id/cancel',
  summary: 'Cancel a run in progress',
  description:
    'Nothing of it is applied; an uncommitted merge is rolled back. While a step of the run is executing, the answer still shows the run in progress, and a worker stops it within moments.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['CONFLICT'],
  params: RunPath,
  body: noBody,
  reply: { 202: IngestRun },
  example,
  handle: async ({ db, queue }, request, by) => {
    const runId = runIdOf(request.params.id)
    await db.transaction(async (tx) => {
      await tryCancel(tx, runId, by)
      // The worker ends the attempt's connections and drops its staging.
      await queue.send(tx, queues.cancelRun, { runId, by })
      await noted(by, 'cancel run', runId)(tx)
    })
    return runOf(await getRun(db, runId))
  },
})

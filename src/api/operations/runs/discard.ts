import { z } from 'zod'
import type { Tx } from '../../../db/db.ts'
import { discardRun } from '../../../ingest/conduct/approval.ts'
import type { RunDecision } from '../../../ingest/run/decision.ts'
import { queues } from '../../../queue/queues.ts'
import { operation } from '../../operation.ts'
import example from './approve.example.json' with { type: 'json' }
import { noted, reason } from './decision-schemas.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './run-schemas.ts'

const DiscardBody = z
  .strictObject({ reason })
  .nullish()
  .meta({ examples: [{ reason: 'the file is cut off' }] })

export default operation({
  id: 'discardIngestRun',
  method: 'POST',
  path: '/admin/ingest/runs/:id/discard',
  summary: 'Discard a waiting run',
  description: 'Nothing of it is applied.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['CONFLICT'],
  params: RunPath,
  body: DiscardBody,
  reply: { 200: IngestRun },
  example,
  handle: async ({ db, queue }, request, by) => {
    const runId = runIdOf(request.params.id)
    const acted = async (tx: Tx, decided: RunDecision) => {
      await noted(by, 'discard run', runId, { reason: decided.reason })(tx)
      await queue.send(tx, queues.endLostRuns, {})
    }
    return runOf(await discardRun(db, runId, { reason: request.body?.reason, by, acted, dropsTables: false }))
  },
})

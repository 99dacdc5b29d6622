import { z } from 'zod'
import type { Tx } from '../../../db/db.ts'
import { approveRun } from '../../../ingest/conduct/approval.ts'
import type { RunDecision } from '../../../ingest/run/decision.ts'
import { operation } from '../../operation.ts'
import example from './approve.example.json' with { type: 'json' }
import { noted, reason } from './decision-schemas.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './run-schemas.ts'

const ApproveBody = z
  .strictObject({
    reason,
    supersede: z
      .boolean()
      .default(false)
      .describe('Apply it even if other runs were ingested since it started waiting'),
  })
  .nullish()
  .meta({ examples: [{ reason: 'the registrar struck them off', supersede: false }] })

export default operation({
  id: 'approveIngestRun',
  method: 'POST',
  path: '/admin/ingest/runs/:id/approve',
  summary: 'Approve a waiting run',
  description:
    'Fails where other runs of its source were ingested since; `runs` names them. With `supersede` it is applied over them.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT', 'RUN_OVERTAKEN'],
  params: RunPath,
  body: ApproveBody,
  reply: { 200: IngestRun },
  example,
  handle: async ({ db, queue }, request, by) => {
    const runId = runIdOf(request.params.id)
    const { reason, supersede = false } = request.body ?? {}
    const acted = (tx: Tx, decided: RunDecision) =>
      noted(by, 'approve run', runId, { reason: decided.reason, ...(supersede && { supersede }) })(tx)
    return runOf(await approveRun(db, queue, runId, { supersede, reason, by, acted }))
  },
})

/** What operators decide about runs of ingest. Each act leaves an audit row in its own transaction. */
import { z } from 'zod'
import { type Actor, audit } from '../../access/audit.ts'
import type { Tx } from '../../db/db.ts'
import { approveRun, discardRun } from '../../ingest/conduct/approval.ts'
import { queues } from '../../queue/queues.ts'
import { operatorOf } from '../hooks/operator.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './admin-lists.ts'

const ApproveBody = z
  .strictObject({
    supersede: z.boolean().default(false).describe('Apply it although other runs were taken in since it waits'),
  })
  .nullish()
  .meta({ examples: [{ supersede: false }] })

export const adminRunRoutes: Routes = async (app, { db, queue }) => {
  const noted =
    (actor: Actor, action: string, runId: number, detail: Readonly<Record<string, unknown>> = {}) =>
    (tx: Tx): Promise<void> =>
      audit(tx, { actor, action, subject: String(runId), detail })

  app.post(
    '/admin/ingest/runs/:id/approve',
    {
      config: { errors: ['CONFLICT', 'RUN_OVERTAKEN'] },
      schema: {
        operationId: 'approveIngestRun',
        ...admin,
        summary: 'Let a run that waits be applied',
        description:
          'Refused where other runs of its source were taken in since; `runs` names them. With `supersede` it is applied over them.',
        params: RunPath,
        body: ApproveBody,
        response: { 200: IngestRun },
      },
    },
    async (request) => {
      const runId = runIdOf(request.params.id)
      const supersede = request.body?.supersede ?? false
      const acted = noted(operatorOf(request), 'approve run', runId, supersede ? { supersede } : {})
      return runOf(await approveRun(db, queue, runId, { supersede, acted }))
    },
  )

  app.post(
    '/admin/ingest/runs/:id/discard',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'discardIngestRun',
        ...admin,
        summary: 'Drop a run that waits',
        description: 'Nothing of it is applied.',
        params: RunPath,
        body: z.strictObject({}).nullish(),
        response: { 200: IngestRun },
      },
    },
    async (request) => {
      const runId = runIdOf(request.params.id)
      const note = noted(operatorOf(request), 'discard run', runId)
      const acted = async (tx: Tx) => {
        await note(tx)
        await queue.send(tx, queues.endLostRuns, {})
      }
      return runOf(await discardRun(db, runId, { acted, dropsTables: false }))
    },
  )
}

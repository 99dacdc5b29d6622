/** What operators decide about runs of ingest. Each act leaves an audit row in its own transaction. */
import { z } from 'zod'
import { type Actor, audit } from '../../access/audit.ts'
import type { Tx } from '../../db/db.ts'
import { approveRun, discardRun } from '../../ingest/conduct/approval.ts'
import { requestUndo } from '../../ingest/conduct/request-undo.ts'
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

const UndoBody = z
  .strictObject({
    reason: z.string().trim().min(1, 'say why').max(500).describe('Written into the audit log and the run'),
    through: z.boolean().default(false).describe('Take back all runs of its source that were applied after it, too'),
  })
  .meta({ examples: [{ reason: 'the file of another month' }] })

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
    '/admin/ingest/runs/:id/undo',
    {
      config: { errors: ['CONFLICT', 'RUN_OVERTAKEN', 'HISTORY_NOT_RETAINED'] },
      schema: {
        operationId: 'undoIngestRun',
        ...admin,
        summary: 'Take a run back that was applied',
        description:
          'A run of its own puts the register back to what it was before; the answer is that run, which a worker takes up. ' +
          'Refused where later runs changed the same records, which `runs` names, unless `through` takes all later ones back.',
        params: RunPath,
        body: UndoBody,
        response: { 202: IngestRun },
      },
    },
    async (request, reply) => {
      const runId = runIdOf(request.params.id)
      const { reason, through } = request.body
      const by = operatorOf(request)
      const run = await requestUndo(db, queue, {
        ...{ runId, through, reason, requestedBy: by },
        acted: (tx, undo_run_id) => noted(by, 'undo run', runId, { through, reason, undo_run_id })(tx),
      })
      return reply.code(202).send(runOf(run))
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

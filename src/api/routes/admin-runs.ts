/** What operators decide about runs of ingest. Each act leaves an audit row in its own transaction. */
import { z } from 'zod'
import type { Tx } from '../../db/db.ts'
import { approveRun, discardRun } from '../../ingest/conduct/approval.ts'
import { tryCancel } from '../../ingest/conduct/cancel.ts'
import { readPreview } from '../../ingest/conduct/read-preview.ts'
import { requestUndo } from '../../ingest/conduct/request-undo.ts'
import { type RunDecision, unexplained } from '../../ingest/run/decision.ts'
import { getRun } from '../../ingest/run/runs.ts'
import { queues } from '../../queue/queues.ts'
import { type Actor, audit } from '../../trail/audit.ts'
import { operatorOf } from '../hooks/operator.ts'
import { noBody, reasonText } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './admin-lists.ts'

const reason = reasonText('Written into the audit log and the run').optional()

const ApproveBody = z
  .strictObject({
    reason,
    supersede: z.boolean().default(false).describe('Apply it although other runs were taken in since it waits'),
  })
  .nullish()
  .meta({ examples: [{ reason: 'the registrar struck them off', supersede: false }] })

const DiscardBody = z
  .strictObject({ reason })
  .nullish()
  .meta({ examples: [{ reason: 'the file is cut off' }] })

const UndoBody = z
  .strictObject({
    reason,
    through: z.boolean().default(false).describe('Take back all runs of its source that were applied after it, too'),
  })
  .nullish()
  .meta({ examples: [{ reason: 'the file of another month' }] })

const count = z.number()
const values = z.record(z.string(), z.unknown())
const PreviewReply = z
  .object({
    run_id: count,
    reasons: z.array(z.string()).readonly().describe('Why it waits, or would; none where it would be applied'),
    inserted: count,
    updated: count,
    unchanged: count,
    left_alone: count,
    closed: count,
    scopes: z
      .array(
        z
          .object({
            scope: z.string().describe('Part of the register: a registrar, a state code, or *'),
            inserted: count,
            updated: count,
            closed: count,
            open: count.nullable().describe('Open records before, where some would be closed'),
          })
          .meta({ id: 'PreviewedScope' }),
      )
      .readonly(),
    sample: z
      .object({
        inserted: z.array(z.object({ identifier: z.string(), fields: values })).readonly(),
        updated: z
          .array(
            z.object({
              identifier: z.string(),
              changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })).readonly(),
            }),
          )
          .readonly(),
        closed: z.array(z.object({ identifier: z.string(), scope: z.string(), fields: values })).readonly(),
      })
      .describe('The first ones by identifier, under the names of the register'),
  })
  .meta({ id: 'IngestPreview' })

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
      const { reason, supersede = false } = request.body ?? {}
      const by = operatorOf(request)
      const acted = (tx: Tx, decided: RunDecision) =>
        noted(by, 'approve run', runId, { reason: decided.reason, ...(supersede && { supersede }) })(tx)
      return runOf(await approveRun(db, queue, runId, { supersede, reason, by, acted }))
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
      const { reason = unexplained, through = false } = request.body ?? {}
      const by = operatorOf(request)
      const run = await requestUndo(db, queue, {
        ...{ runId, through, reason, requestedBy: by },
        acted: (tx, undo_run_id) => noted(by, 'undo run', runId, { through, reason, undo_run_id })(tx),
      })
      return reply.code(202).send(runOf(run))
    },
  )

  app.post(
    '/admin/ingest/runs/:id/cancel',
    {
      config: { errors: ['CONFLICT'] },
      schema: {
        operationId: 'cancelIngestRun',
        ...admin,
        summary: 'Stop a run that has not ended',
        description:
          'Nothing of it is applied; a merge that has not committed is rolled back. While a step of the run holds it, the answer shows it still at work, and a worker stops it within moments.',
        params: RunPath,
        body: noBody,
        response: { 202: IngestRun },
      },
    },
    async (request, reply) => {
      const runId = runIdOf(request.params.id)
      const by = operatorOf(request)
      await db.transaction(async (tx) => {
        await tryCancel(tx, runId, by)
        // Ends the connections of the attempt, and drops what it worked in.
        await queue.send(tx, queues.cancelRun, { runId, by })
        await noted(by, 'cancel run', runId)(tx)
      })
      return reply.code(202).send(runOf(await getRun(db, runId)))
    },
  )

  app.get(
    '/admin/ingest/runs/:id/preview',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'previewIngestRun',
        ...admin,
        summary: 'What a run that waits, or a dry run, would write',
        description: 'Counts by part of the register, and examples of what would be inserted, changed and closed.',
        params: RunPath,
        response: { 200: PreviewReply },
      },
    },
    async ({ params }) => {
      const runId = runIdOf(params.id)
      return { run_id: runId, ...(await readPreview(db, runId)) }
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
        body: DiscardBody,
        response: { 200: IngestRun },
      },
    },
    async (request) => {
      const runId = runIdOf(request.params.id)
      const by = operatorOf(request)
      const acted = async (tx: Tx, decided: RunDecision) => {
        await noted(by, 'discard run', runId, { reason: decided.reason })(tx)
        await queue.send(tx, queues.endLostRuns, {})
      }
      return runOf(await discardRun(db, runId, { reason: request.body?.reason, by, acted, dropsTables: false }))
    },
  )
}

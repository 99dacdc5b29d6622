import { z } from 'zod'
import { requestUndo } from '../../../ingest/conduct/request-undo.ts'
import { unexplained } from '../../../ingest/run/decision.ts'
import { operation } from '../../operation.ts'
import { noted, reason } from './decision-schemas.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './run-schemas.ts'
import example from './undo.example.json' with { type: 'json' }

const UndoBody = z
  .strictObject({
    reason,
    through: z.boolean().default(false).describe('Also undo all later runs of its source'),
    runs: z
      .array(z.int().positive())
      .min(1)
      .max(10_000)
      .optional()
      .describe('The runs that were shown to be undone; refused if they would be others'),
  })
  .nullish()
  .meta({ examples: [{ reason: 'the file of another month' }] })

export default operation({
  id: 'undoIngestRun',
  method: 'POST',
  path: '/admin/ingest/runs/:id/undo',
  summary: 'Undo an applied run',
  description:
    'A new run restores the register to its previous state; the answer is that run, which a worker picks up. ' +
    'Fails where later runs changed the same records, named in `runs`, unless `through` undoes all later ones too. ' +
    'With `through`, nothing is undone if another run is applied before the worker picks it up.',
  caller: { role: 'operator' },
  audit: 'act',
  destructive: true,
  errors: ['CONFLICT', 'RUN_OVERTAKEN', 'HISTORY_NOT_RETAINED'],
  params: RunPath,
  body: UndoBody,
  reply: { 202: IngestRun },
  example,
  handle: async ({ db, queue }, request, by) => {
    const runId = runIdOf(request.params.id)
    const { reason = unexplained, through = false, runs } = request.body ?? {}
    const run = await requestUndo(db, queue, {
      ...{ runId, through, reason, runs, requestedBy: by },
      acted: (tx, undo_run_id) => noted(by, 'undo run', runId, { through, reason, undo_run_id })(tx),
    })
    return runOf(run)
  },
})

import { z } from 'zod'
import { readPreview } from '../../../ingest/conduct/read-preview.ts'
import { operation } from '../../operation.ts'
import example from './preview.example.json' with { type: 'json' }
import { RunPath, runIdOf } from './run-schemas.ts'

const count = z.number()
const values = z.record(z.string(), z.unknown())
const PreviewReply = z
  .object({
    run_id: count,
    reasons: z
      .array(z.string())
      .readonly()
      .describe('Why it is waiting, or would wait; empty where it would be applied'),
    inserted: count,
    updated: count,
    unchanged: count,
    skipped: count,
    closed: count,
    scopes: z
      .array(
        z
          .object({
            scope: z.string().describe('Partition of the register: a registrar, a state code, or *'),
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
      .describe("The first ones by identifier, with the register's names"),
  })
  .meta({ id: 'IngestPreview' })

export default operation({
  id: 'previewIngestRun',
  method: 'GET',
  path: '/admin/ingest/runs/:id/preview',
  summary: 'Preview what a waiting run or a dry run would write',
  description: 'Counts by partition, and examples of what would be inserted, changed and closed.',
  caller: { role: 'viewer' },
  audit: { reads: 'history' },
  errors: ['NOT_FOUND'],
  params: RunPath,
  reply: { 200: PreviewReply },
  example,
  handle: async ({ db }, { params }) => {
    const runId = runIdOf(params.id)
    return { run_id: runId, ...(await readPreview(db, runId)) }
  },
})

import { z } from 'zod'
import { audit } from '../../../audit/audit.ts'
import { takeUpload } from '../../../ingest/input/uploads.ts'
import { requestRun } from '../../../ingest/run/request-run.ts'
import { getRun } from '../../../ingest/run/runs.ts'
import { keepInput } from '../../../ingest/run/source-address.ts'
import { sealingKey } from '../../../secrets/canary.ts'
import { operation } from '../../operation.ts'
import { calendarDay, idText } from '../../parameters.ts'
import { IngestRun, runOf } from './run-schemas.ts'
import example from './start.example.json' with { type: 'json' }
import { RemoteAddress, SourceName } from './start-schemas.ts'

const RunWish = z
  .strictObject({
    source: SourceName.describe('Source of the file'),
    address: RemoteAddress.optional().describe('URL of the published file'),
    upload_id: idText('ID of an uploaded file').optional(),
    mode: z
      .enum(['snapshot', 'delta'])
      .optional()
      .describe('A snapshot closes absent records; defaults to what the source is'),
    as_of: calendarDay.optional().describe('Day that the file describes, up to today; today by default'),
    force: z.boolean().default(false).describe('Ingest even if the same bytes were ingested before'),
    columns: z
      .record(z.string().min(1).max(200), z.string().max(60))
      .optional()
      .describe(
        'Column of the file → field of the source, for headers that the source does not know; remembered for later files with these columns',
      ),
    dry_run: z.boolean().default(false).describe('Only preview what would be written'),
  })
  .refine(({ address, upload_id }) => (address === undefined) !== (upload_id === undefined), {
    error: 'name one of address and upload_id',
  })
  .meta({ examples: [{ source: 'mca-companies', address: 'https://example.in/companies.csv', as_of: '2025-04-01' }] })

export default operation({
  id: 'startIngestRun',
  method: 'POST',
  path: '/admin/ingest/runs',
  summary: 'Ingest a file',
  description: 'Returns the run, which a worker picks up; GET it to follow. A dry run waits with its preview.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['NOT_FOUND', 'UNPROCESSABLE'],
  body: RunWish,
  reply: { 202: IngestRun },
  example,
  handle: async ({ db, queue, intake, delivery: { secretKey } }, request, by) => {
    const { address, upload_id, as_of: asOf, dry_run: dryRun, mode, source, force, columns } = request.body
    const input = address ?? (await takeUpload(intake.dataDir, upload_id ?? ''))
    const { runId } = await db.transaction(async (tx) => {
      const kept = keepInput(input, await sealingKey(tx, secretKey))
      const run = await requestRun(tx, queue, {
        ...{ source, force, dryRun, requestedBy: by, overHttp: true, ...kept },
        ...(mode && { mode }),
        ...(asOf && { asOf }),
        ...(columns && { columns }),
      })
      const detail = {
        source,
        input: kept.input,
        force,
        dry_run: dryRun,
        ...(mode && { mode }),
        ...(asOf && { as_of: asOf }),
        ...(columns && { columns }),
      }
      await audit(tx, { actor: by, action: 'start run', subject: String(run.runId), detail })
      return run
    })
    return runOf(await getRun(db, runId))
  },
})

/**
 * Runs of ingest that operators start over HTTP, from an address or a file that they uploaded. Folders of the worker's
 * machine are named at its terminal alone.
 */
import { z } from 'zod'
import { sources } from '../../../config/sources/index.ts'
import { isRemote } from '../../domain/bare-address.ts'
import { takeUpload } from '../../ingest/input/uploads.ts'
import { requestRun } from '../../ingest/run/request-run.ts'
import { getRun } from '../../ingest/run/runs.ts'
import { keepInput } from '../../ingest/run/source-address.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { audit } from '../../trail/audit.ts'
import { operatorOf } from '../hooks/operator.ts'
import { calendarDay, idText, plainText } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { IngestRun, runOf } from './admin-lists.ts'

export const SourceName = z.enum(sources.map(({ name }) => name) as [string, ...string[]])
/** An address that is fetched; its credentials are sealed and shown to nobody. */
export const RemoteAddress = plainText(2_000).refine(
  (text) => isRemote(text) && URL.canParse(text),
  'must be an http: or https: address',
)

const RunWish = z
  .strictObject({
    source: SourceName.describe('What the file holds'),
    address: RemoteAddress.optional().describe('Where it is published'),
    upload_id: idText('Of a file that was uploaded').optional(),
    mode: z
      .enum(['snapshot', 'delta'])
      .optional()
      .describe('A snapshot closes what is absent; the source says unless told'),
    as_of: calendarDay.optional().describe('Day that the file describes, up to today; today unless told'),
    force: z.boolean().default(false).describe('Also where the same bytes were taken in before'),
    dry_run: z.boolean().default(false).describe('Only shows what it would write'),
  })
  .refine(({ address, upload_id }) => (address === undefined) !== (upload_id === undefined), {
    error: 'name one of address and upload_id',
  })
  .meta({ examples: [{ source: 'mca-companies', address: 'https://example.in/companies.csv', as_of: '2025-04-01' }] })

export const adminIntakeRoutes: Routes = async (app, { db, queue, intake, delivery: { secretKey } }) => {
  app.post(
    '/admin/ingest/runs',
    {
      config: { errors: ['NOT_FOUND', 'UNPROCESSABLE'] },
      schema: {
        operationId: 'startIngestRun',
        ...admin,
        summary: 'Take a file in',
        description:
          'The answer is the run, which a worker takes up; GET it to follow. A dry run waits with its preview.',
        body: RunWish,
        response: { 202: IngestRun },
      },
    },
    async (request, reply) => {
      const { address, upload_id, as_of: asOf, dry_run: dryRun, mode, source, force } = request.body
      const by = operatorOf(request)
      const input = address ?? (await takeUpload(intake.dataDir, upload_id ?? ''))
      const { runId } = await db.transaction(async (tx) => {
        const kept = keepInput(input, await sealingKey(tx, secretKey))
        const run = await requestRun(tx, queue, {
          ...{ source, force, dryRun, requestedBy: by, overHttp: true, ...kept },
          ...(mode && { mode }),
          ...(asOf && { asOf }),
        })
        const detail = {
          source,
          input: kept.input,
          force,
          dry_run: dryRun,
          ...(mode && { mode }),
          ...(asOf && { as_of: asOf }),
        }
        await audit(tx, { actor: by, action: 'start run', subject: String(run.runId), detail })
        return run
      })
      return reply.code(202).send(runOf(await getRun(db, runId)))
    },
  )
}

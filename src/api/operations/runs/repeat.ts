import { z } from 'zod'
import { repeatRun } from '../../../ingest/conduct/repeat-run.ts'
import { getRun } from '../../../ingest/run/runs.ts'
import { operation } from '../../operation.ts'
import { noted } from './decision-schemas.ts'
import { IngestRun, RunPath, runIdOf, runOf } from './run-schemas.ts'
import example from './start.example.json' with { type: 'json' }
import { SourceName } from './start-schemas.ts'

const RepeatBody = z
  .strictObject({
    source: SourceName.optional().describe('Source of the file, where the run had another one'),
    dry_run: z.boolean().default(false).describe('Only preview what would be written'),
  })
  .nullish()
  .meta({ examples: [{}] })

export default operation({
  id: 'repeatIngestRun',
  method: 'POST',
  path: '/admin/ingest/runs/:id/repeat',
  summary: 'Apply a dry run, or ingest the file of a failed run again',
  description:
    'A new run over the same input, for the same day, which a worker picks up. A URL is fetched again; a file of the ' +
    'machine, named at the command line, dropped or scheduled, is ingested there again.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: RunPath,
  body: RepeatBody,
  reply: { 202: IngestRun },
  example,
  handle: async ({ db, queue, intake: { dataDir } }, request, by) => {
    const runId = runIdOf(request.params.id)
    const { source, dry_run: dryRun = false } = request.body ?? {}
    const again = await db.transaction(async (tx) => {
      const repeated = await repeatRun(tx, queue, { runId, dataDir, source, dryRun, requestedBy: by })
      const detail = { run_id: repeated.runId, dry_run: dryRun, ...(source && { source }) }
      await noted(by, 'repeat run', runId, detail)(tx)
      return repeated
    })
    return runOf(await getRun(db, again.runId))
  },
})

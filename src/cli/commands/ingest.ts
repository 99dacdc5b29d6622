/** `panji ingest`: ingests one snapshot with live progress, in the running worker or in this process. */
import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument, Option } from 'commander'
import { sources } from '../../../config/sources/index.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { readPreview } from '../../ingest/conduct/read-preview.ts'
import { requestRun } from '../../ingest/run/request-run.ts'
import { getRun } from '../../ingest/run/runs.ts'
import { sampleRequester } from '../../ingest/run/sample-world.ts'
import { keepInput } from '../../ingest/run/source-address.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { previewText } from '../preview-text.ts'
import { runText } from '../run-text.ts'
import type { CommandContext } from '../settings.ts'
import { isSampleSnapshot } from '../start/sample-file.ts'
import { failWith } from '../work-failed.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { hasEnded, readAfterword, whyNotApplied } from './afterword.ts'
import { type Declare, prints } from './command.ts'
import { followRun } from './follow-run.ts'

interface IngestOptions {
  readonly mode?: 'snapshot' | 'delta'
  readonly asOf?: string
  readonly force?: boolean
  readonly allowStale?: boolean
  readonly dryRun?: boolean
  readonly map?: readonly (readonly [string, string])[]
  readonly wait: boolean
}

export const declareIngest: Declare = (program, run) => {
  program
    .command('ingest')
    .description(
      'ingest a registry snapshot: CSV, JSON or .xlsx, also as .gz or .zip; a path, a file: or an http(s): URL',
    )
    .addHelpText(
      'after',
      prints(
        'the run: {run_id, source, status, rows_read, inserted, updated, unchanged, skipped, closed, rejected, sha256, seconds}',
      ),
    )
    .addArgument(new Argument('<source>', 'source of the file').choices(sources.map((source) => source.name)))
    .argument('<file|url>')
    .addOption(
      new Option('--mode <mode>', 'snapshot closes absent records, delta does not').choices(['snapshot', 'delta']),
    )
    .option('--as-of <YYYY-MM-DD>', 'day that the snapshot describes (default: today)')
    .option('--force', 'ingest even if the same bytes were ingested before')
    .option('--allow-stale', 'exit with 0 even if all of it is older than what the register has')
    .addOption(
      new Option(
        '--map <COLUMN=field>',
        'map a column to a field where the source does not know its header; repeatable, remembered',
      ).argParser(mapped),
    )
    .option('--dry-run', 'change nothing; preview what would be inserted, changed and closed')
    .option('--no-wait', 'enqueue the run and return')
    .action((source: string, input: string, options: IngestOptions) => {
      const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(input)?.[1]?.toLowerCase()
      if (scheme !== undefined && !['file', 'http', 'https'].includes(scheme))
        throw new WrongUsage(`${scheme}: is not supported; give a path, or a file:, http: or https: URL`)
      if (options.asOf !== undefined && !isIsoDate(options.asOf))
        throw new WrongUsage(`--as-of: "${options.asOf}" is not a date YYYY-MM-DD`)
      return run((context) => ingest(context, source, input, options))
    })
}

/** The field follows the last equals sign, because column names may contain others. */
function mapped(text: string, before: readonly (readonly [string, string])[] = []): (readonly [string, string])[] {
  const at = text.lastIndexOf('=')
  if (at < 1 || at === text.length - 1) throw new WrongUsage(`--map: "${text}" is not COLUMN=field`)
  const column = text.slice(0, at)
  if (before.some(([other]) => other === column)) throw new WrongUsage(`--map: "${column}" is mapped twice`)
  return [...before, [column, text.slice(at + 1)]]
}

async function ingest(context: CommandContext, source: string, input: string, options: IngestOptions): Promise<void> {
  // The worker may run in another folder, and follows no links, so links are resolved here.
  const place = existsSync(input) ? realpathSync(input) : /^[a-z]+:/i.test(input) ? input : resolve(input)
  const request = {
    source,
    input: place,
    // `sample remove` also removes what the operator imports of the sample world.
    ...(isSampleSnapshot(context.settings.dataDir, place) && { requestedBy: sampleRequester }),
    force: options.force ?? false,
    dryRun: options.dryRun ?? false,
    ...(options.map && { columns: Object.fromEntries(options.map) }),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.asOf === undefined ? {} : { asOf: options.asOf }),
  }
  await withInstance(context, 'ingest', (instance) =>
    withWorker(context, instance, async (queue) => {
      const { runId } = await instance.db.transaction(async (tx) => {
        const kept = keepInput(request.input, await sealingKey(tx, instance.secretKey))
        return requestRun(tx, queue, { ...request, ...kept })
      })
      const record = options.wait ? await followRun(context, instance.db, runId) : await getRun(instance.db, runId)
      const { allowStale = false } = options
      const { error, notes } = await readAfterword(instance.db, record, { allowStale })
      const preview = record.status === 'previewed' ? await readPreview(instance.db, runId) : undefined
      const answer = { ...record, ...(preview && { preview }) }
      const shown = () => [runText(record), ...(preview ? [previewText(preview)] : [])].join('\n')
      for (const note of notes) context.out.note(note)
      const failure = error ?? (hasEnded(record) ? whyNotApplied(record) : undefined)
      if (failure) failWith(context.out, answer, shown, failure)
      context.out.answer(answer, shown)
      if (record.status === 'needs_approval') {
        context.out.note(
          `Nothing was applied. See \`npx panji runs ${runId}\` and \`npx panji preview ${runId}\`, then run \`npx panji approve ${runId}\` or \`npx panji discard ${runId}\`.`,
        )
      }
    }),
  )
}

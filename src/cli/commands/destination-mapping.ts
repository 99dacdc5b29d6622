/**
 * `panji destination map|test-row`: shows, previews, saves and restores a destination's own mapping; sends one invented
 * row to the CRM and removes it.
 */
import type { Command } from 'commander'
import { z } from 'zod'
import { FieldMapping, fieldMappingsMax } from '../../deliver/destinations/field-mapping.ts'
import { readDestination } from '../../deliver/destinations/open-destination.ts'
import { sendTestRow } from '../../deliver/destinations/test-row.ts'
import { type MappingPreview, previewMapping, saveMapping } from '../../deliver/mapping/change-mapping.ts'
import { listVersions, readVersion } from '../../deliver/mapping/versions.ts'
import { faultWords } from '../../domain/fault-words.ts'
import { AppError } from '../../errors.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withQueue } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { failWith } from '../work-failed.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { prints, type RunAction } from './command.ts'
import { jsonOfFile } from './named-file.ts'
import { onInstance } from './on-instance.ts'

interface MapOptions {
  readonly file?: string
  readonly preview?: boolean
  readonly resend?: boolean
  readonly versions?: boolean
  readonly restore?: string
}

export function declareMapping(destination: Command, run: RunAction): void {
  destination
    .command('map')
    .description("show a destination's own mapping on the newest leads, or save one from a file")
    .addHelpText('after', prints('{faults, sample, crm_fields}'))
    .argument('<destination_id>')
    .option('--file <mapping.json>', '{"fields": [{"field", "value", "transform", "ownership", "for"}]}')
    .option('--preview', 'check and show it without saving')
    .option('--resend', 'also compare what is already delivered, and write what differs')
    .option('--versions', 'list its versions: who saved which and when')
    .option('--restore <version>', 'restore an earlier version; 0 clears the mapping')
    .action((id: string, options: MapOptions) => run((context) => map(context, id, options)))

  destination
    .command('test-row')
    .description('send one invented row to the CRM, read it back, and delete it again')
    .addHelpText('after', prints('{ok, outcome, code, field, message, crm_id, fields, removed}'))
    .argument('<destination_id>')
    .action((id: string) =>
      onInstance(run, 'destination test-row', async ({ db, secretKey }, context) => {
        const result = await sendTestRow({ db, connectors: context.connectors, secretKey }, id, context.signal)
        if (result.ok) return context.out.answer(result, fields)
        const message = result.message ?? 'the CRM did not keep the row'
        failWith(context.out, result, fields, { code: 'LEADS_REJECTED', message })
      }),
    )
}

async function map(context: CommandContext, id: string, options: MapOptions): Promise<void> {
  const { file, preview, resend, versions } = options
  if (versions) return printVersions(context, id)
  if (file !== undefined && options.restore !== undefined)
    throw new WrongUsage('--restore cannot be combined with --file')
  const mapping =
    options.restore !== undefined ? versionOf(options.restore) : file === undefined ? undefined : readMapping(file)
  await withInstance(context, 'destination map', async (instance) => {
    const parts = { db: instance.db, connectors: context.connectors, secretKey: instance.secretKey }
    if (mapping === undefined || preview === true) {
      const seen = typeof mapping === 'number' ? await readVersion(instance.db, id, mapping) : mapping
      show(context, await previewMapping(parts, id, seen, context.signal))
      return
    }
    await withQueue(context, instance, async (queue) => {
      const change = { destinationId: id, mapping, resend: resend === true, by: { name: 'operator' } }
      show(context, await saveMapping(parts, queue, change, context.signal))
    })
  })
}

const printVersions = (context: CommandContext, id: string): Promise<void> =>
  withInstance(context, 'destination map', async ({ db }) => {
    await readDestination(db, id)
    context.out.answer(await listVersions(db, id), (listed) =>
      table(
        ['version', 'saved', 'by', 'fields', 'restored from'],
        listed.map((each) => [each.version, each.saved_at, each.saved_by, each.fields.length, each.restored_from]),
      ),
    )
  })

function versionOf(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new WrongUsage(`--restore: "${text}" is not a version number`)
}

function show(context: CommandContext, result: MappingPreview): void {
  context.out.answer(result, () =>
    table(
      ['record', 'field', 'value', 'fault'],
      result.sample.flatMap(({ record, fields: filled }) =>
        filled.map(({ field, value, fault }) => [record, field, value ?? '(not written)', fault]),
      ),
    ),
  )
  for (const fault of result.faults) context.out.note(fault)
}

function readMapping(path: string): FieldMapping[] {
  const read = z
    .strictObject({ fields: z.array(FieldMapping).max(fieldMappingsMax) })
    .safeParse(jsonOfFile(path, 'mapping file'), { error: faultWords })
  if (read.success) return read.data.fields
  const [first] = read.error.issues
  throw new AppError('DESTINATION_INVALID', `The mapping file ${path}: ${first?.path.join('.')}: ${first?.message}`)
}

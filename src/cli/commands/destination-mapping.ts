/** `panji destination map|test-row`: a destination's own mapping, checked and shown on a sample; one invented row, and back. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { z } from 'zod'
import { FieldMapping, fieldMappingsMax } from '../../deliver/destinations/field-mapping.ts'
import { sendTestRow } from '../../deliver/destinations/test-row.ts'
import { type MappingPreview, previewMapping, saveMapping } from '../../deliver/mapping/change-mapping.ts'
import { faultWords } from '../../domain/fault-words.ts'
import { AppError } from '../../errors.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withQueue } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WorkFailed } from '../work-failed.ts'
import { prints, type RunAction } from './command.ts'

interface MapOptions {
  readonly file?: string
  readonly preview?: boolean
  readonly resend?: boolean
}

export function declareMapping(destination: Command, run: RunAction): void {
  destination
    .command('map')
    .description("show a destination's own mapping on the newest leads, or take another one from a file")
    .addHelpText('after', prints('{faults, sample, crm_fields}'))
    .argument('<destination_id>')
    .option('--file <mapping.json>', '{"fields": [{"field", "value", "transform", "ownership", "for"}]}')
    .option('--preview', 'check and show it, and keep nothing')
    .option('--resend', 'compare also what is delivered already, and write what differs')
    .action((id: string, options: MapOptions) => run((context) => map(context, id, options)))

  destination
    .command('test-row')
    .description('send one invented row into the CRM, look it up, and delete it again')
    .addHelpText('after', prints('{ok, outcome, crm_id, fields, removed}'))
    .argument('<destination_id>')
    .action((id: string) =>
      run((context) =>
        withInstance(context, 'destination test-row', async ({ db, secretKey }) => {
          const told = await sendTestRow({ db, connectors: context.connectors, secretKey }, id, context.signal)
          context.out.answer(told, fields)
          if (!told.ok) throw new WorkFailed(told.message ?? 'the CRM did not keep the row')
        }),
      ),
    )
}

async function map(context: CommandContext, id: string, { file, preview, resend }: MapOptions): Promise<void> {
  const mapping = file === undefined ? undefined : readMapping(file)
  await withInstance(context, 'destination map', async (instance) => {
    const parts = { db: instance.db, connectors: context.connectors, secretKey: instance.secretKey }
    if (mapping === undefined || preview === true) {
      show(context, await previewMapping(parts, id, mapping, context.signal))
      return
    }
    await withQueue(context, instance, async (queue) => {
      const asked = { destinationId: id, mapping, resend: resend === true }
      show(context, await saveMapping(parts, queue, asked, context.signal))
    })
  })
}

function show(context: CommandContext, told: MappingPreview): void {
  context.out.answer(told, () =>
    table(
      ['record', 'field', 'value', 'fault'],
      told.sample.flatMap(({ record, fields: filled }) =>
        filled.map(({ field, value, fault }) => [record, field, value ?? '(not written)', fault]),
      ),
    ),
  )
  for (const fault of told.faults) context.out.note(fault)
}

function readMapping(path: string): FieldMapping[] {
  let text: unknown
  try {
    text = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new AppError('DESTINATION_INVALID', `The mapping file ${path} cannot be read`, { cause: error })
  }
  const read = z
    .strictObject({ fields: z.array(FieldMapping).max(fieldMappingsMax) })
    .safeParse(text, { error: faultWords })
  if (read.success) return read.data.fields
  const [first] = read.error.issues
  throw new AppError('DESTINATION_INVALID', `The mapping file ${path}: ${first?.path.join('.')}: ${first?.message}`)
}

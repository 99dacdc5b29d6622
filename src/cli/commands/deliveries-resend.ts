/** `panji deliveries resend`: sends again what a destination holds, an order's part of it or one record, or says what that would do. */
import type { Command } from 'commander'
import { planResend } from '../../deliver/resend/plan-resend.ts'
import { resendPlanned, resendUnplanned } from '../../deliver/resend/resend.ts'
import type { ResendSelection } from '../../deliver/resend/selection.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withQueue } from '../instance/with-worker.ts'
import { fields } from '../output.ts'
import { answerPlan } from '../plan-text.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { prints, type RunAction } from './command.ts'

interface ResendOptions {
  readonly destination: string
  readonly order?: string
  readonly record?: string
  readonly dryRun?: boolean
  readonly hash?: string
  /** Undefined where nothing was said. */
  readonly adopt?: boolean
}

export function declareResend(deliveries: Command, run: RunAction): void {
  deliveries
    .command('resend')
    .description(
      'send again what a destination holds: all, what an order delivered there, or one record; what the CRM holds already is not written',
    )
    .addHelpText('after', prints('{resent}'))
    .requiredOption('--destination <id>')
    .option('--order <id>', 'only what this order delivered')
    .option('--record <record>', 'only this one: gst:GSTIN, company:CIN, director:DIN, or the identifier alone')
    .option('--dry-run', 'plan only: nothing is written anywhere')
    .option('--hash <hash>', 'of a plan: send as it says, or not at all where the CRM or the data has moved')
    .option('--adopt', 'with --hash: the records of its adopt rows are taken for the leads')
    .option('--no-adopt', 'with --hash: new records are made beside them')
    .action((options: ResendOptions) => run((context) => resend(context, options)))
}

async function resend(context: CommandContext, options: ResendOptions): Promise<void> {
  const { destination: destinationId, order: orderId, record, hash, adopt, dryRun } = options
  if (adopt !== undefined && hash === undefined) {
    throw new WrongUsage('--adopt and --no-adopt need the --hash of the plan that names the records')
  }
  const selection: ResendSelection = { destinationId, orderId, record }
  await withInstance(context, 'deliveries resend', async (instance) => {
    const parts = { db: instance.db, connectors: context.connectors, secretKey: instance.secretKey }
    if (dryRun) return answerPlan(context, destinationId, await planResend(parts, selection, context.signal))
    await withQueue(context, instance, async (queue) => {
      const resent =
        hash === undefined
          ? await resendUnplanned(instance.db, queue, selection)
          : await resendPlanned(parts, queue, { ...selection, hash, adopt }, context.signal)
      context.out.answer({ resent }, fields)
    })
  })
}

/**
 * `panji deliveries resend`: resends what a destination holds, an order's part of it or one record, or previews that.
 */
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
  /** undefined without --adopt or --no-adopt. */
  readonly adopt?: boolean
}

export function declareResend(deliveries: Command, run: RunAction): void {
  deliveries
    .command('resend')
    .description(
      'resend what a destination holds: everything, what an order delivered there, or one record; values that the CRM already has are not written',
    )
    .addHelpText('after', prints('{resent}'))
    .requiredOption('--destination <id>')
    .option('--order <id>', 'only records that this order delivered')
    .option('--record <record>', 'only this record: gst:GSTIN, company:CIN, director:DIN, or the identifier alone')
    .option('--dry-run', 'only plan: nothing is written anywhere')
    .option(
      '--hash <hash>',
      'hash of a plan: send exactly what it shows, or nothing if the CRM or the data has changed',
    )
    .option('--adopt', 'with --hash: adopt the records of its adopt rows')
    .option('--no-adopt', 'with --hash: create new records next to them')
    .action((options: ResendOptions) => run((context) => resend(context, options)))
}

async function resend(context: CommandContext, options: ResendOptions): Promise<void> {
  const { destination: destinationId, order: orderId, record, hash, adopt, dryRun } = options
  if (adopt !== undefined && hash === undefined) {
    throw new WrongUsage('--adopt and --no-adopt need --hash with the plan that names the records')
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

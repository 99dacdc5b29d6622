/** `panji push`: delivers the leads of an order to a destination, or previews the delivery. */
import { setTimeout as delay } from 'node:timers/promises'
import { approvePlan } from '../../deliver/plan/approve-plan.ts'
import { planPush } from '../../deliver/plan/plan-push.ts'
import { type PushRecord, readPush } from '../../deliver/push/read-push.ts'
import { requestPush } from '../../deliver/push/request-push.ts'
import { type Delivery, listDeliveries } from '../../deliver/record/list-deliveries.ts'
import { counted } from '../../domain/counted.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import { answerPlan } from '../plan-text.ts'
import type { CommandContext } from '../settings.ts'
import { failWith } from '../work-failed.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'

interface PushOptions {
  readonly destination: string
  readonly dryRun?: boolean
  readonly hash?: string
  /** undefined without --adopt or --no-adopt. */
  readonly adopt?: boolean
}

export const declarePush: Declare = (program, run) => {
  program
    .command('push')
    .description("deliver an order's leads to a CRM; pushing again does not write what is already there")
    .addHelpText('after', prints('{order_id, destination, created, updated, unchanged, rejected, pending, unknown}'))
    .argument('<order_id>')
    .requiredOption('--destination <id>')
    .option('--dry-run', 'only plan: nothing is written anywhere')
    .option(
      '--hash <hash>',
      'hash of a plan: push exactly what it shows, or nothing if the CRM or the data has changed',
    )
    .option('--adopt', 'with --hash: adopt the records of its adopt rows')
    .option('--no-adopt', 'with --hash: create new records next to them')
    .action((orderId: string, options: PushOptions) =>
      onInstance(run, 'push', (instance, context) =>
        options.dryRun
          ? plan(context, instance, orderId, options.destination)
          : push(context, instance, orderId, options),
      ),
    )
}

async function plan(
  context: CommandContext,
  { db, secretKey }: OpenInstance,
  orderId: string,
  destinationId: string,
): Promise<void> {
  const parts = { db, connectors: context.connectors, secretKey }
  const planned = await planPush(parts, { orderId, destinationId }, context.signal)
  answerPlan(context, destinationId, planned)
}

/** A CRM may require a longer wait than a person has; the delivery then continues in the worker. */
const patienceMs = 60_000

async function push(
  context: CommandContext,
  instance: OpenInstance,
  orderId: string,
  { destination: destinationId, hash, adopt }: PushOptions,
): Promise<void> {
  if (adopt !== undefined && hash === undefined) {
    throw new WrongUsage('--adopt and --no-adopt need --hash with the plan that names the records')
  }
  await withWorker(context, instance, async (queue) => {
    const request = { orderId, destinationId }
    if (hash !== undefined) {
      const parts = { db: instance.db, connectors: context.connectors, secretKey: instance.secretKey }
      await approvePlan(parts, { ...request, hash, adopt }, context.signal)
    }
    const { pushId } = await instance.db.transaction((tx) =>
      requestPush(tx, queue, { ...request, approved: hash !== undefined }),
    )
    const deadline = Date.now() + patienceMs
    for (;;) {
      const push = await readPush(instance.db, pushId)
      if (push.status === 'finished' || push.held || Date.now() > deadline) {
        const filter = { orderId, destinationId, outcome: 'rejected', limit: rejectsShown, offset: 0 } as const
        return answer(context, push, (await listDeliveries(instance.db, filter)).deliveries)
      }
      await delay(100, undefined, { signal: context.signal })
    }
  })
}

const rejectsShown = 100

/** Leads that were not delivered are named with their reason, and the exit code reflects them. */
function answer(context: CommandContext, { counts, status, failure }: PushRecord, rejected: readonly Delivery[]): void {
  const rejects = rejected.map(({ record, code, field, message }) => ({ record, code, field, message }))
  const error = status !== 'finished' && failure ? failure : counts.rejected > 0 ? refusal(counts.rejected) : undefined
  const document = { ...counts, ...(rejects.length > 0 ? { rejects } : {}) }
  const shown = () => {
    const reasons = rejects.map(({ record, code, field, message }) => [record, code, field, message])
    return [
      fields(counts),
      ...(reasons.length > 0 ? [table(['refused', 'code', 'field', 'reason'], reasons)] : []),
    ].join('\n')
  }
  if (error) failWith(context.out, document, shown, error)
  context.out.answer(document, shown)
  if (status !== 'finished') context.out.note('The rest is in progress; the worker continues automatically.')
}

const refusal = (count: number) => ({
  code: 'LEADS_REJECTED',
  message: `The CRM refused ${counted(count, 'lead')}; \`panji deliveries list --outcome rejected\` names each with its reason`,
})

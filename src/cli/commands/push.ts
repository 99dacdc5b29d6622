/** `panji push`: delivers the leads of an order into a destination, or says what a delivery would do. */
import { setTimeout as delay } from 'node:timers/promises'
import { planPush } from '../../deliver/plan-push.ts'
import { readPush, requestPush } from '../../deliver/request-push.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WorkFailed } from '../work-failed.ts'
import type { Declare } from './command.ts'

export const declarePush: Declare = (program, run) => {
  program
    .command('push')
    .description("deliver an order's leads into a CRM; pushing again writes nothing that is there")
    .argument('<order_id>')
    .requiredOption('--destination <id>')
    .option('--dry-run', 'plan only: nothing is written anywhere')
    .action((orderId: string, options: { destination: string; dryRun?: boolean }) =>
      run((context) =>
        withInstance(context, 'push', (instance) =>
          options.dryRun
            ? plan(context, instance, orderId, options.destination)
            : push(context, instance, orderId, options.destination),
        ),
      ),
    )
}

async function plan(
  context: CommandContext,
  { db, secretKey }: OpenInstance,
  orderId: string,
  destinationId: string,
): Promise<void> {
  const { connectors, signal } = context
  context.out.answer(await planPush({ db, connectors, secretKey, signal }, { orderId, destinationId }), fields)
}

async function push(
  context: CommandContext,
  instance: OpenInstance,
  orderId: string,
  destinationId: string,
): Promise<void> {
  await withWorker(context, instance, async (queue) => {
    const { pushId } = await instance.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))
    for (;;) {
      const record = await readPush(instance.db, pushId)
      if (record.status === 'finished' || record.status === 'failed') {
        const answer = { order_id: orderId, destination: destinationId, ...record.counts }
        context.out.answer(record.error ? { ...answer, error: record.error } : answer, fields)
        if (record.status === 'failed') throw new WorkFailed(record.error?.message ?? 'the push failed')
        return
      }
      await delay(100, undefined, { signal: context.signal })
    }
  })
}

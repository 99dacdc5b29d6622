/** `panji push`: delivers the leads of an order into a destination, or says what a delivery would do. */
import { setTimeout as delay } from 'node:timers/promises'
import { planPush } from '../../deliver/plan-push.ts'
import { requestPush } from '../../deliver/request-push.ts'
import { readPush } from '../../deliver/run-push.ts'
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
  const parts = { db, connectors: context.connectors, secretKey }
  context.out.answer(await planPush(parts, { orderId, destinationId }, context.signal), fields)
}

/** A CRM may ask for a longer wait than a person has; the delivery then goes on in the worker. */
const patienceMs = 60_000

async function push(
  context: CommandContext,
  instance: OpenInstance,
  orderId: string,
  destinationId: string,
): Promise<void> {
  await withWorker(context, instance, async (queue) => {
    const { pushId } = await instance.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))
    const deadline = Date.now() + patienceMs
    for (;;) {
      const { status, counts, error } = await readPush(instance.db, pushId)
      if (status === 'finished' || status === 'failed' || Date.now() > deadline) {
        context.out.answer(error ? { ...counts, error } : counts, fields)
        if (status === 'failed') throw new WorkFailed(error?.message ?? 'the push failed')
        if (status !== 'finished')
          context.out.note('The CRM takes the rest later; the worker goes on, push again to see the counts.')
        return
      }
      await delay(100, undefined, { signal: context.signal })
    }
  })
}

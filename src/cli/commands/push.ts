/** `panji push`: delivers the leads of an order into a destination, or says what a delivery would do. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Delivery, listDeliveries } from '../../deliver/list-deliveries.ts'
import { type PlannedRow, planPush, requirePlan } from '../../deliver/plan-push.ts'
import { type PushRecord, readPush } from '../../deliver/read-push.ts'
import { requestPush } from '../../deliver/request-push.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withWorker } from '../instance/with-worker.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WorkFailed } from '../work-failed.ts'
import type { Declare } from './command.ts'

interface PushOptions {
  readonly destination: string
  readonly dryRun?: boolean
  readonly hash?: string
}

export const declarePush: Declare = (program, run) => {
  program
    .command('push')
    .description("deliver an order's leads into a CRM; pushing again writes nothing that is there")
    .argument('<order_id>')
    .requiredOption('--destination <id>')
    .option('--dry-run', 'plan only: nothing is written anywhere')
    .option('--hash <hash>', 'of a plan: push as it says, or not at all where the CRM or the data has moved')
    .action((orderId: string, options: PushOptions) =>
      run((context) =>
        withInstance(context, 'push', (instance) =>
          options.dryRun
            ? plan(context, instance, orderId, options.destination)
            : push(context, instance, orderId, options),
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
  const planned = await planPush(parts, { orderId, destinationId }, context.signal)
  const { create, update, unchanged, conflict, reject } = planned.counts
  // The counts of the push that this plan foresees, by the names that a push prints.
  const foreseen = { created: create, updated: update, unchanged, rejected: reject, pending: 0 }
  const reasons = planned.rows.flatMap(({ record, action, reason }) =>
    reason === undefined ? [] : [{ external_id: record, action, reason }],
  )
  const document = { ...planned, destination: destinationId, ...foreseen, unknown: 0, conflicts: conflict, reasons }
  context.out.answer(document, ({ rows: _, reasons: __, ...summary }) => {
    const noted = planned.rows.filter(
      ({ action }) => action === 'update' || action === 'conflict' || action === 'reject',
    )
    const lines = noted.map(({ record, action, reason, fields: changes }) => [
      record,
      action,
      reason ?? changesText(changes),
    ])
    return [fields(summary), ...(lines.length > 0 ? [table(['record', 'would be', 'what'], lines)] : [])].join('\n')
  })
}

const changesText = (changes: PlannedRow['fields'] = {}): string =>
  Object.entries(changes)
    .map(([name, { before, after }]) => `${name}: ${String(before ?? '-')} -> ${String(after)}`)
    .join('; ')

/** A CRM may ask for a longer wait than a person has; the delivery then goes on in the worker. */
const patienceMs = 60_000

async function push(
  context: CommandContext,
  instance: OpenInstance,
  orderId: string,
  { destination: destinationId, hash }: PushOptions,
): Promise<void> {
  await withWorker(context, instance, async (queue) => {
    const request = { orderId, destinationId }
    if (hash !== undefined) {
      const parts = { db: instance.db, connectors: context.connectors, secretKey: instance.secretKey }
      await requirePlan(parts, request, hash, context.signal)
    }
    const { pushId } = await instance.db.transaction((tx) =>
      requestPush(tx, queue, { ...request, approved: hash !== undefined }),
    )
    const deadline = Date.now() + patienceMs
    for (;;) {
      const push = await readPush(instance.db, pushId)
      if (push.status === 'finished' || push.held || Date.now() > deadline) {
        const asked = { orderId, destinationId, outcome: 'rejected', limit: rejectsShown, offset: 0 } as const
        return answer(context, push, (await listDeliveries(instance.db, asked)).deliveries)
      }
      await delay(100, undefined, { signal: context.signal })
    }
  })
}

const rejectsShown = 100

/** What did not arrive is named with its reason, and the exit code says so. */
function answer(context: CommandContext, { counts, status, failure }: PushRecord, rejected: readonly Delivery[]): void {
  const rejects = rejected.map(({ record, code, field, message }) => ({ record, code, field, message }))
  const error = status !== 'finished' && failure ? failure : counts.rejected > 0 ? refusal(counts.rejected) : undefined
  const document = { ...counts, ...(rejects.length > 0 ? { rejects } : {}), ...(error ? { error } : {}) }
  context.out.answer(document, () => {
    const reasons = rejects.map(({ record, code, field, message }) => [record, code, field, message])
    return [
      fields(counts),
      ...(reasons.length > 0 ? [table(['refused', 'code', 'field', 'reason'], reasons)] : []),
    ].join('\n')
  })
  if (error) throw new WorkFailed(error.message)
  if (status !== 'finished') context.out.note('The rest is under way; the worker goes on by itself.')
}

const refusal = (count: number) => ({
  code: 'LEADS_REJECTED',
  message: `The CRM refused ${count} lead(s); \`panji deliveries list --outcome rejected\` names each with its reason`,
})

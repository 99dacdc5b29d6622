/**
 * `panji deliveries …`: the outcome of each lead in each CRM, in the CRM's own words; rejected leads as CSV, and
 * retries.
 */
import { type Command, Option } from 'commander'
import { requireNamed } from '../../deliver/destinations/named.ts'
import { type Attempt, readAttempts } from '../../deliver/record/attempts/read-attempts.ts'
import { deliveriesCsv } from '../../deliver/record/deliveries-csv.ts'
import {
  type Delivery,
  type DeliveryFilter,
  deliveryOutcomes,
  listDeliveries,
  readDelivery,
} from '../../deliver/record/list-deliveries.ts'
import { fixRejected } from '../../deliver/record/rejected/fix-rejected.ts'
import { readFixedCsv } from '../../deliver/record/rejected/read-fixed.ts'
import { retryDeliveries } from '../../deliver/record/retry.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withQueue } from '../instance/with-worker.ts'
import { fields, printedCsv, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers } from '../short-list.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { declareResend } from './deliveries-resend.ts'
import { textOfFile } from './named-file.ts'
import { shownLimit } from './number-arguments.ts'
import { onInstance } from './on-instance.ts'

interface ListOptions {
  readonly order?: string
  readonly destination?: string
  readonly outcome?: DeliveryFilter['outcome']
  readonly record?: string
  readonly csv?: boolean
  readonly limit: number
}

interface RetryOptions {
  readonly order?: string
  readonly destination?: string
  readonly all?: boolean
}

const shownMax = 10_000

export const declareDeliveries: Declare = (program, run) => {
  const deliveries = program.command('deliveries').description('outcome of each lead in each CRM')

  listed(deliveries.command('list', { isDefault: true }), 'list deliveries, newest first')
    .addOption(new Option('--outcome <outcome>', 'only these').choices(deliveryOutcomes))
    .addHelpText('after', prints('[{delivery_id, record, outcome, code, field, message, crm_id, crm_url, at, …}]'))
    .action((options: ListOptions) => run((context) => list(context, options)))

  listed(deliveries.command('rejects'), 'list leads that CRMs rejected, with their reasons').action(
    (options: ListOptions) => run((context) => list(context, { ...options, outcome: 'rejected' })),
  )

  deliveries
    .command('show')
    .description("show one delivery: what was sent for its record in the last thirty days, and the CRM's responses")
    .addHelpText('after', prints('the delivery, with its attempts'))
    .argument('<delivery_id>')
    .action((id: string) =>
      onInstance(run, 'deliveries show', async ({ db }, context) =>
        showDelivery(context, await readDelivery(db, id), await readAttempts(db, id, { isMasked: false })),
      ),
    )

  deliveries
    .command('fix')
    .description('resend rejected rows after fixing them in the CSV of `deliveries rejects --csv`')
    .addHelpText('after', prints('{fixed, …}'))
    .argument('<file>', 'the fixed CSV')
    .action((file: string) => run((context) => fix(context, file)))

  declareResend(deliveries, run)

  deliveries
    .command('retry')
    .description('retry what the CRM rejected: one delivery, those of an order or a destination, or all')
    .addHelpText('after', prints('{retried}'))
    .argument('[delivery_id]')
    .option('--order <id>')
    .option('--destination <id>')
    .option('--all', 'everything that was rejected')
    .action((id: string | undefined, options: RetryOptions) => run((context) => retry(context, id, options)))
}

function showDelivery(context: CommandContext, delivery: Delivery, attempts: readonly Attempt[]): void {
  const rows = attempts.flatMap(({ at, status, code, message, fields: sent }) => {
    const answer = [at, code === null ? status : `${status} ${code}`]
    const [first = { field: '', before: null, sent: null }, ...others] = sent
    return [
      [...answer, first.field, textOf(first.before), textOf(first.sent), message],
      ...others.map((each) => ['', '', each.field, textOf(each.before), textOf(each.sent), '']),
    ]
  })
  context.out.answer({ ...delivery, attempts }, () =>
    [fields(delivery), '', table(['attempt', 'answer', 'field', 'before', 'sent', 'message'], rows)].join('\n'),
  )
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

const listed = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--order <id>')
    .option('--destination <id>')
    .option('--record <record>', 'gst:GSTIN, company:CIN, director:DIN, or the identifier alone')
    .option('--csv', "print CSV: the columns of the leads as sent, then the CRM's response")
    .option('--limit <n>', 'maximum number to show', shownLimit, shownMax)

async function list(context: CommandContext, options: ListOptions): Promise<void> {
  const { order: orderId, destination: destinationId, outcome, record, limit } = options
  await withInstance(context, 'deliveries list', async ({ db }) => {
    await requireNamed(db, { orderId, destinationId })
    const { deliveries, total } = await listDeliveries(db, {
      orderId,
      destinationId,
      outcome,
      record,
      limit,
      offset: 0,
    })
    const csv = options.csv ? await deliveriesCsv(db, deliveries) : undefined
    context.out.answer(deliveries, () =>
      csv === undefined
        ? table(
            ['delivery', 'record', 'outcome', 'code', 'field', 'reason', 'next try', 'in the CRM'],
            deliveries.map((each) => [
              each.delivery_id,
              each.record,
              each.outcome,
              each.code,
              each.field,
              each.message,
              each.next_attempt_at,
              each.crm_url ?? each.crm_id,
            ]),
          )
        : printedCsv(csv),
    )
    noteOthers(context, deliveries.length, total, '--limit shows more')
  })
}

async function fix(context: CommandContext, file: string): Promise<void> {
  const rows = readFixedCsv(textOfFile(file))
  await withInstance(context, 'deliveries fix', async (instance) =>
    withQueue(context, instance, async (queue) => {
      const report = await instance.db.transaction((tx) => fixRejected(tx, queue, rows))
      context.out.answer(report, fields)
    }),
  )
}

async function retry(context: CommandContext, deliveryId: string | undefined, options: RetryOptions): Promise<void> {
  const { order: orderId, destination: destinationId, all } = options
  if (deliveryId === undefined && orderId === undefined && destinationId === undefined && all !== true) {
    throw new WrongUsage('name a delivery, --order, --destination or --all')
  }
  await withInstance(context, 'deliveries retry', async (instance) => {
    if (deliveryId !== undefined) await readDelivery(instance.db, deliveryId)
    await requireNamed(instance.db, { orderId, destinationId })
    await withQueue(context, instance, async (queue) => {
      const retried = await instance.db.transaction((tx) =>
        retryDeliveries(tx, queue, { deliveryId, orderId, destinationId }),
      )
      context.out.answer({ retried }, fields)
    })
  })
}

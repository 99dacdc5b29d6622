/** `panji destination …`: the CRMs that an account's leads are delivered to. Secrets are never shown. */
import { Option } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import type { DeliveryTerms } from '../../deliver/destinations/delivery-terms.ts'
import { listDestinations, showDestination } from '../../deliver/destinations/destination-view.ts'
import {
  addDestination,
  pauseDestination,
  removeDestination,
  resumeDestination,
  updateDestination,
} from '../../deliver/destinations/destinations.ts'
import { testDestination } from '../../deliver/destinations/test-destination.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { termsIn, withTerms } from './delivery-terms.ts'
import { declareConnect } from './destination-connect.ts'
import { declareMapping } from './destination-mapping.ts'
import { jsonOfFile } from './named-file.ts'
import { onInstance } from './on-instance.ts'

interface AddOptions extends DeliveryTerms {
  readonly type: string
  readonly name: string
  readonly settings: string
}

interface UpdateOptions extends DeliveryTerms {
  readonly name?: string
  readonly settings?: string
}

export const declareDestination: Declare = (program, run) => {
  const destination = program.command('destination').description('CRMs that leads are delivered to')

  const addition = destination
    .command('add')
    .description('connect a CRM to an account')
    .addHelpText('after', prints('the destination, secrets hidden'))
    .argument('<user_id>', 'or e-mail')
    .addOption(new Option('--type <connector>', 'kind of CRM').makeOptionMandatory())
    .requiredOption('--name <name>')
    .requiredOption('--settings <file.json>', 'what the connector needs; see docs/connectors.md')
  withTerms(addition, true).action((userId: string, options: AddOptions) =>
    run((context) => add(context, userId, options)),
  )

  destination
    .command('list')
    .description('list the destinations of an account, or of all accounts')
    .argument('[user_id]', 'or e-mail')
    .action((userId: string | undefined) =>
      onInstance(run, 'destination list', async ({ db, secretKey }, context) => {
        const rows = await listDestinations(
          { db, connectors: context.connectors, secretKey },
          userId === undefined ? undefined : await findAccountId(db, userId),
        )
        context.out.answer(rows, () =>
          table(
            ['destination', 'type', 'name', 'status', 'deliver', 'reason'],
            rows.map((row) => [
              row.destination_id,
              row.type,
              row.name,
              row.status,
              row.deliver,
              row.status_reason ?? row.failure?.message ?? '',
            ]),
          ),
        )
      }),
    )

  destination
    .command('test')
    .description('log in to the CRM, check its fields, and write nothing but the external-id field')
    .argument('<destination_id>')
    .action((id: string) =>
      onInstance(run, 'destination test', async ({ db, secretKey }, context) => {
        context.out.answer(
          await testDestination({ db, connectors: context.connectors, secretKey }, id, context.signal),
          fields,
        )
      }),
    )

  const change = destination
    .command('update')
    .description(
      'change settings, name, delivery times, share of calls, batch size, share of rejected leads or what is kept fresh; the destination keeps its ledger',
    )
    .argument('<destination_id>')
    .option('--name <name>')
    .option('--settings <file.json>', 'replaces the earlier settings')
  withTerms(change, false).action((id: string, options: UpdateOptions) =>
    run((context) => update(context, id, options)),
  )

  declareConnect(destination, run)
  declareMapping(destination, run)

  for (const [name, act, description] of [
    ['show', showDestination, 'show a destination'],
    ['pause', pauseDestination, 'pause deliveries'],
    ['resume', resumeDestination, 'resume deliveries'],
    ['remove', removeDestination, 'remove a destination and its settings'],
  ] as const) {
    destination
      .command(name)
      .description(description)
      .argument('<destination_id>')
      .action((id: string) =>
        onInstance(run, `destination ${name}`, async ({ db, secretKey }, context) => {
          context.out.answer(await act({ db, connectors: context.connectors, secretKey }, id), fields)
        }),
      )
  }
}

async function add(context: CommandContext, userId: string, options: AddOptions): Promise<void> {
  const names = context.connectors.map((connector) => connector.name)
  if (!names.includes(options.type)) throw new WrongUsage(`--type: "${options.type}" is not one of ${names.join(', ')}`)
  const settings = jsonOfFile(options.settings, 'settings file')
  await withInstance(context, 'destination add', async ({ db, secretKey }) => {
    const added = await addDestination(db, context.connectors, secretKey, {
      accountId: await findAccountId(db, userId),
      connector: options.type,
      name: options.name,
      settings,
      ...termsIn(options),
    })
    context.out.answer(added, fields)
  })
}

async function update(context: CommandContext, id: string, options: UpdateOptions): Promise<void> {
  const { name, settings } = options
  const plain = { name, ...termsIn(options) }
  if ([settings, ...Object.values(plain)].every((each) => each === undefined)) {
    throw new WrongUsage(
      'name what to change: --name, --settings, --deliver, --customer-share, --batch-size, --hours, --pause-at-rejected, --keep, --adopt-from or --ask-from',
    )
  }
  const change = { ...plain, settings: settings === undefined ? undefined : jsonOfFile(settings, 'settings file') }
  await withInstance(context, 'destination update', async ({ db, secretKey }) => {
    const parts = { db, connectors: context.connectors, secretKey }
    context.out.answer(await updateDestination(parts, id, change), fields)
  })
}

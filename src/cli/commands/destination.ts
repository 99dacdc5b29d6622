/** `panji destination …`: the CRMs an account's leads are delivered into. Secrets are never shown. */
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { accountIdOf } from '../../access/accounts.ts'
import {
  addDestination,
  listDestinations,
  pauseDestination,
  removeDestination,
  resumeDestination,
  testDestination,
} from '../../deliver/destinations.ts'
import { AppError } from '../../errors.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import type { Declare } from './command.ts'

interface AddOptions {
  readonly type: string
  readonly name: string
  readonly settings: string
}

export const declareDestination: Declare = (program, run) => {
  const destination = program.command('destination').description('CRMs that leads are delivered into')

  destination
    .command('add')
    .description('connect a CRM to an account')
    .argument('<user_id>', 'or e-mail')
    .addOption(new Option('--type <connector>', 'kind of CRM').makeOptionMandatory())
    .requiredOption('--name <name>')
    .requiredOption('--settings <file.json>', 'what the connector needs; see docs/connectors.md')
    .action((userId: string, options: AddOptions) => run((context) => add(context, userId, options)))

  destination
    .command('list')
    .description('list the destinations of an account')
    .argument('<user_id>', 'or e-mail')
    .action((userId: string) =>
      run((context) =>
        withInstance(context, 'destination list', async ({ db, secretKey }) => {
          const rows = await listDestinations(
            { db, connectors: context.connectors, secretKey },
            await accountIdOf(db, userId),
          )
          context.out.answer(rows, () =>
            table(
              ['destination', 'type', 'name', 'status'],
              rows.map((row) => [row.destination_id, row.type, row.name, row.status]),
            ),
          )
        }),
      ),
    )

  destination
    .command('test')
    .description('log in to the CRM, check its fields, write nothing but the external-id field')
    .argument('<destination_id>')
    .action((id: string) =>
      run((context) =>
        withInstance(context, 'destination test', async ({ db, secretKey }) => {
          context.out.answer(
            await testDestination({ db, connectors: context.connectors, secretKey }, id, context.signal),
            fields,
          )
        }),
      ),
    )

  for (const [name, act, description] of [
    ['pause', pauseDestination, 'hold deliveries back'],
    ['resume', resumeDestination, 'let deliveries go on'],
    ['remove', removeDestination, 'forget a destination and its settings'],
  ] as const) {
    destination
      .command(name)
      .description(description)
      .argument('<destination_id>')
      .action((id: string) =>
        run((context) =>
          withInstance(context, `destination ${name}`, async ({ db, secretKey }) => {
            context.out.answer(await act({ db, connectors: context.connectors, secretKey }, id), fields)
          }),
        ),
      )
  }
}

async function add(context: CommandContext, userId: string, options: AddOptions): Promise<void> {
  const names = context.connectors.map((connector) => connector.name)
  if (!names.includes(options.type)) throw new WrongUsage(`--type: "${options.type}" is none of ${names.join(', ')}`)
  const settings = readSettings(options.settings)
  await withInstance(context, 'destination add', async ({ db, secretKey }) => {
    const added = await addDestination(db, context.connectors, secretKey, {
      accountId: await accountIdOf(db, userId),
      connector: options.type,
      name: options.name,
      settings,
    })
    context.out.answer(added, fields)
  })
}

function readSettings(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The parser's message may quote the file, which holds secrets.
    const reason = (error as NodeJS.ErrnoException).code ?? 'it is not valid JSON'
    throw new AppError('DESTINATION_INVALID', `The settings file ${path} cannot be read: ${reason}.`)
  }
}

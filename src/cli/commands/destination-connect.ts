/** `panji destination connect`: connects a CRM at its own sign-in page; the code that the browser shows finishes it. */
import type { Command } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import { beginConsent } from '../../deliver/connect/begin-consent.ts'
import { begunByCommand } from '../../deliver/connect/connect-parts.ts'
import { finishConsent } from '../../deliver/connect/finish-consent.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import type { RunAction } from './command.ts'
import { deliverArgument } from './delivery-terms.ts'
import { jsonOfFile } from './named-file.ts'

interface ConnectOptions {
  readonly deliver?: string
  readonly type?: string
  readonly name?: string
  readonly settings?: string
  readonly renew?: string
  readonly word?: string
}

export function declareConnect(destination: Command, run: RunAction): void {
  destination
    .command('connect')
    .description('connect a CRM at its own sign-in page: prints the URL, and finishes with the code from the browser')
    .argument('<user_id>', 'or e-mail')
    .option('--type <connector>', 'kind of CRM, for a new destination')
    .option('--name <name>', 'name of a new destination')
    .option('--deliver <when>', 'as for destination add', deliverArgument)
    .option('--customer-share <share>', 'as for destination add')
    .option('--batch-size <leads>', 'as for destination add')
    .option('--hours <from-to>', 'as for destination add')
    .option('--pause-at-rejected <share>', 'as for destination add')
    .option('--keep <what>', 'as for destination add')
    .option('--adopt-from <score>', 'as for destination add')
    .option('--ask-from <score>', 'as for destination add')
    .option('--settings <file.json>', 'members other than credentials')
    .option('--renew <destination_id>', 'instead of --type and --name: the destination whose credentials are renewed')
    .option('--word <word>', 'code that the browser showed at the end')
    .action((userId: string, options: ConnectOptions) => run((context) => connect(context, userId, options)))
}

async function connect(context: CommandContext, userId: string, options: ConnectOptions): Promise<void> {
  const { type, name, settings: file, renew, word } = options
  const isBeginning = type !== undefined || name !== undefined || renew !== undefined
  if (isBeginning === (word !== undefined)) {
    throw new WrongUsage('start with --type and --name, or with --renew; finish with --word')
  }
  const settings = file === undefined ? undefined : jsonOfFile(file, 'settings file')
  await withInstance(context, 'destination connect', async (instance) => {
    const parts = partsOf(context, instance)
    const accountId = await findAccountId(instance.db, userId)
    const owner = { accountId, begunBy: begunByCommand }
    if (word !== undefined) {
      context.out.answer(await finishConsent(parts, { ...owner, word }, context.signal), fields)
      return
    }
    const target = { connector: type, name, terms: { deliver: options.deliver }, settings, destinationId: renew }
    const request = { ...owner, ...target }
    context.out.answer(await beginConsent(parts, request), fields)
    context.out.note(
      'Open the URL in a browser, allow access there, and run this command again with --word and the code that it shows.',
    )
  })
}

const partsOf = ({ connectors, settings }: CommandContext, { db, secretKey }: OpenInstance) => ({
  db,
  connectors,
  secretKey,
  connect: settings.connect,
})

/** `panji destination connect`: connects a CRM at its own sign-in page; the code that the browser shows finishes it. */
import type { Command } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import { beginConsent } from '../../deliver/connect/begin-consent.ts'
import { begunByCommand } from '../../deliver/connect/connect-parts.ts'
import { finishConsent } from '../../deliver/connect/finish-consent.ts'
import type { DeliveryTerms } from '../../deliver/destinations/delivery-terms.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import type { RunAction } from './command.ts'
import { termsIn, withTerms } from './delivery-terms.ts'
import { jsonOfFile } from './named-file.ts'

interface ConnectOptions extends DeliveryTerms {
  readonly type?: string
  readonly name?: string
  readonly settings?: string
  readonly renew?: string
  readonly word?: string
}

export function declareConnect(destination: Command, run: RunAction): void {
  const connection = destination
    .command('connect')
    .description('connect a CRM at its own sign-in page: prints the URL, and finishes with the code from the browser')
    .argument('<user_id>', 'or e-mail')
    .option('--type <connector>', 'kind of CRM, for a new destination')
    .option('--name <name>', 'name of a new destination')
    .option('--settings <file.json>', 'members other than credentials')
    .option(
      '--renew <destination_id>',
      'instead of --type and --name: the destination whose credentials are renewed; its name and delivery terms stay',
    )
    .option('--word <word>', 'code that the browser showed at the end')
  withTerms(connection, true).action((userId: string, options: ConnectOptions) =>
    run((context) => connect(context, userId, options)),
  )
}

async function connect(context: CommandContext, userId: string, options: ConnectOptions): Promise<void> {
  const { type, name, settings: file, renew, word } = options
  const isBeginning = type !== undefined || name !== undefined || renew !== undefined
  if (isBeginning === (word !== undefined)) {
    throw new WrongUsage('start with --type and --name, or with --renew; finish with --word')
  }
  const terms = termsIn(options)
  const ofNew = [type, name, ...Object.values(terms)]
  if (renew !== undefined && ofNew.some((each) => each !== undefined)) {
    throw new WrongUsage(
      '--renew takes only --settings beside it; `panji destination update` changes the name and when leads are sent',
    )
  }
  if (word !== undefined && [file, ...ofNew].some((each) => each !== undefined)) {
    throw new WrongUsage('--word stands alone: what else is wanted was named when the sign-in began')
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
    const target = { connector: type, name, terms, settings, destinationId: renew }
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

/** `panji account credits`: shows, adds or deducts an account's credits; the ledger records who and why. */
import { randomUUID } from 'node:crypto'
import { type Command as Commander, InvalidArgumentError, Option } from 'commander'
import { accountState, findAccountId, getAccount } from '../../access/accounts.ts'
import { endOfIndianDay, isIsoDate } from '../../domain/iso-date.ts'
import { adjustCredits } from '../../orders/adjust-credits.ts'
import { creditStatement } from '../../orders/credit-statement.ts'
import { type CreditType, creditTypes } from '../../orders/ledger.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import type { RunAction } from './command.ts'
import { reasonArgument, referenceArgument } from './worded-arguments.ts'

interface CreditOptions {
  readonly reference?: string
  readonly reason?: string
  readonly type?: CreditType
  readonly expires?: Date
}

export function declareAccountCredits(account: Commander, run: RunAction): void {
  account
    .command('credits')
    .description('show, add or deduct credits of an account')
    .argument('<user_id>', 'or e-mail')
    .argument('[credits]', 'number of credits: 50 or +50 adds, -50 deducts', signedCount)
    .option('--reference <text>', 'idempotency reference: credits move once per reference', referenceArgument)
    .option('--reason <text>', 'reason; required to deduct credits', reasonArgument)
    .addOption(new Option('--type <type>', 'type of the credits').choices([...creditTypes]))
    .option('--expires <YYYY-MM-DD>', 'last day on which they can be spent, in India', lastDay)
    .action((userId: string, credits: number | undefined, options: CreditOptions) => {
      if (credits !== undefined && credits < 0) {
        if (options.reason === undefined) throw new WrongUsage('--reason is required to deduct credits')
        if (options.expires) throw new WrongUsage('--expires applies only when credits are added')
      }
      return run((context) => adjust(context, userId, credits, options))
    })
}

async function adjust(
  context: CommandContext,
  userId: string,
  credits: number | undefined,
  { reference = randomUUID(), reason = 'granted by the operator', type, expires }: CreditOptions,
): Promise<void> {
  await withInstance(context, 'account credits', async (instance) => {
    const state = await instance.db.transaction(async (tx) => {
      const accountId = await findAccountId(tx, userId)
      if (credits) {
        await adjustCredits(tx, accountId, { credits, reference, reason, type, endsAt: expires, actor: 'operator' })
      }
      const account = await getAccount(tx, accountId)
      return { ...accountState(account), created_at: account.createdAt, credits: await creditStatement(tx, accountId) }
    })
    context.out.answer(state, fields)
  })
}

function signedCount(text: string): number {
  if (Number(text) === 0) throw new InvalidArgumentError('0 credits would change nothing.')
  if (!/^[+-]?\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number such as 50 or -50.')
  return Number(text)
}

function lastDay(text: string): Date {
  if (!isIsoDate(text)) throw new WrongUsage(`--expires: "${text}" is not a date YYYY-MM-DD`)
  return endOfIndianDay(text)
}

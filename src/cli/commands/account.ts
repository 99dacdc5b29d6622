/** `panji account …`: create accounts, change their plan, give credits, suspend. */

import { randomUUID } from 'node:crypto'
import { Argument, Option } from 'commander'
import { createAccount, findAccountId, getAccount } from '../../access/accounts.ts'
import { issueApiKey } from '../../access/api-keys.ts'
import changePlan from '../../api/operations/accounts/change-plan.ts'
import suspendAccount from '../../api/operations/accounts/suspend.ts'
import unsuspendAccount from '../../api/operations/accounts/unsuspend.ts'
import type { TerminalCalls } from '../../api/terminal-calls.ts'
import { creditStatement } from '../../orders/credit-statement.ts'
import { grantCredits } from '../../orders/ledger.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withOperations } from '../instance/with-operations.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { declareAccountCredits } from './account-credits.ts'
import { declareAccountGrants } from './account-grants.ts'
import { declareAccountKey } from './account-key.ts'
import { declareAccountLookUp } from './account-look-up.ts'
import { declareAccountPeople } from './account-people.ts'
import { type Declare, prints } from './command.ts'
import { count } from './number-arguments.ts'
import { accountNameArgument, addressArgument } from './worded-arguments.ts'

interface CreateOptions {
  readonly email: string
  readonly username?: string
  readonly plan: 'free' | 'premium'
  readonly enterprise?: boolean
  readonly credits?: number
}

export const declareAccount: Declare = (program, run) => {
  const account = program.command('account').description('accounts, entitlements and credits')

  account
    .command('create')
    .description('create an account with its first API key, which is shown only now')
    .addHelpText('after', prints('{user_id, email, api_key}'))
    .requiredOption('--email <address>', 'e-mail of the account', addressArgument)
    .option('--username <name>', 'defaults to the part of the address before the @', accountNameArgument)
    .addOption(new Option('--plan <plan>').choices(['free', 'premium']).default('free'))
    .option('--enterprise', 'entitled to everything')
    .option('--credits <n>', 'initial credits', count)
    .action((options: CreateOptions) => run((context) => create(context, options)))

  declareAccountKey(account, run)

  declareAccountPeople(account, run)
  declareAccountLookUp(account, run)
  declareAccountGrants(account, run)

  account
    .command('plan')
    .description('change the plan of an account, from its next call on')
    .addHelpText('after', prints('the account'))
    .argument('<user_id>', 'or e-mail')
    .addArgument(new Argument('[plan]', 'unchanged by default').choices(['free', 'premium']))
    .option('--enterprise', 'entitled to everything')
    .option('--no-enterprise', 'entitled to what it is granted')
    .action((userId: string, plan: 'free' | 'premium' | undefined, options: { enterprise?: boolean }) => {
      const to = { plan, is_enterprise: options.enterprise }
      if (plan === undefined && options.enterprise === undefined) {
        throw new WrongUsage('name a plan, --enterprise or --no-enterprise')
      }
      return run((context) => change(context, userId, (call, id) => call(changePlan, { params: { id }, body: to })))
    })

  for (const [name, act, description] of [
    ['suspend', suspendAccount, 'suspend an account and end its sessions'],
    ['unsuspend', unsuspendAccount, 'unsuspend an account, so that it can log in again'],
  ] as const) {
    account
      .command(name)
      .description(description)
      .argument('<user_id>', 'or e-mail')
      .action((userId: string) =>
        run((context) => change(context, userId, (call, id) => call(act, { params: { id } }))),
      )
  }

  declareAccountCredits(account, run)
}

async function create(context: CommandContext, options: CreateOptions): Promise<void> {
  await withInstance(context, 'account create', async ({ db }) => {
    const created = await db.transaction(async (tx) => {
      const { accountId } = await createAccount(tx, {
        email: options.email,
        plan: options.plan,
        isEnterprise: options.enterprise ?? false,
        ...(options.username === undefined ? {} : { username: options.username }),
      })
      const { apiKey } = await issueApiKey(tx, accountId)
      if (options.credits)
        await grantCredits(tx, accountId, options.credits, `grant:${randomUUID()}`, { actor: 'operator' })
      return { user_id: accountId, email: options.email, api_key: apiKey }
    })
    context.out.answer(created, fields)
  })
}

async function change(
  context: CommandContext,
  userId: string,
  act: (call: TerminalCalls['call'], accountId: string) => Promise<object>,
): Promise<void> {
  await withOperations(context, 'account', async ({ call }, { db }) => {
    const accountId = await findAccountId(db, userId)
    const changed = await act(call, accountId)
    const { createdAt } = await getAccount(db, accountId)
    context.out.answer({ ...changed, created_at: createdAt, credits: await creditStatement(db, accountId) }, fields)
  })
}

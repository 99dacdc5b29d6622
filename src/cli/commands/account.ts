/** `panji account …`: create accounts, grant feeds and credits, suspend. */

import { randomUUID } from 'node:crypto'
import { InvalidArgumentError, Option } from 'commander'
import {
  accountIdOf,
  accountState,
  createAccount,
  getAccount,
  suspendAccount,
  unsuspendAccount,
} from '../../access/accounts.ts'
import { issueApiKey } from '../../access/api-keys.ts'
import { accessEntry } from '../../access/entitlements.ts'
import { grantEntitlement } from '../../access/grants.ts'
import type { Tx } from '../../db/db.ts'
import { entityTypes } from '../../domain/identity.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { creditStatement } from '../../orders/credit-statement.ts'
import { grantCredits } from '../../orders/ledger.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { declareAccountKey } from './account-key.ts'
import type { Declare } from './command.ts'
import { count } from './sample.ts'

interface CreateOptions {
  readonly email: string
  readonly username?: string
  readonly plan: 'free' | 'premium'
  readonly enterprise?: boolean
  readonly credits?: number
}

interface GrantOptions {
  readonly dataset: 'gst' | 'company' | 'director'
  readonly states?: string[]
  readonly districts?: string[]
  readonly pincodes?: string[]
  readonly from?: string
  readonly to?: string
  readonly anchored?: boolean
  readonly as: 'subscription' | 'offer'
}

/** An empty list would grant everything, which nobody means who names an option. */
function list(text: string): string[] {
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (names.length === 0) throw new InvalidArgumentError('it names nothing; leave the option out for no bound.')
  return names
}

export const declareAccount: Declare = (program, run) => {
  const account = program.command('account').description('accounts, entitlements and credits')

  account
    .command('create')
    .description('create an account with its first API key, which is shown only now')
    .requiredOption('--email <address>')
    .option('--username <name>')
    .addOption(new Option('--plan <plan>').choices(['free', 'premium']).default('free'))
    .option('--enterprise', 'entitled to everything')
    .option('--credits <n>', 'credits to begin with', count)
    .action((options: CreateOptions) => {
      if (!/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(options.email))
        throw new WrongUsage(`--email: "${options.email}" is no address`)
      return run((context) => create(context, options))
    })

  declareAccountKey(account, run)

  account
    .command('grant')
    .description('grant a recently-registered feed within a territory and a window of dates')
    .argument('<user_id>', 'or e-mail')
    .addOption(new Option('--dataset <dataset>').choices([...entityTypes]).makeOptionMandatory())
    .option('--states <names>', 'separated by commas; nationwide when absent', list)
    .option('--districts <names>', 'separated by commas', list)
    .option('--pincodes <pins>', 'separated by commas', list)
    .option('--from <YYYY-MM-DD>', 'first registration date')
    .option('--to <YYYY-MM-DD>', 'last registration date')
    .option('--anchored', 'from is the start of the subscription')
    .addOption(new Option('--as <kind>').choices(['subscription', 'offer']).default('subscription'))
    .action((userId: string, options: GrantOptions) => {
      for (const date of [options.from, options.to]) {
        if (date !== undefined && !isIsoDate(date)) throw new WrongUsage(`"${date}" is not a date YYYY-MM-DD`)
      }
      return run((context) => grant(context, userId, options))
    })

  for (const [name, act, description] of [
    ['suspend', suspendAccount, 'end the sessions of an account and refuse it'],
    ['unsuspend', unsuspendAccount, 'let an account log in again'],
  ] as const) {
    account
      .command(name)
      .description(description)
      .argument('<user_id>', 'or e-mail')
      .action((userId: string) => run((context) => change(context, userId, act)))
  }

  account
    .command('credits')
    .description('grant credits, or show the balance when no number is given')
    .argument('<user_id>', 'or e-mail')
    .argument('[credits]', 'how many to add', count)
    .option('--reference <text>', 'granting twice under one reference grants once')
    .action((userId: string, credits: number | undefined, options: { reference?: string }) =>
      run((context) =>
        change(context, userId, async (tx, accountId) => {
          if (credits)
            await grantCredits(tx, accountId, credits, `grant:${options.reference ?? randomUUID()}`, {
              actor: 'operator',
            })
        }),
      ),
    )
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

async function grant(context: CommandContext, userId: string, options: GrantOptions): Promise<void> {
  await withInstance(context, 'account grant', async ({ db }) => {
    const entry = await db.transaction(async (tx) => {
      const accountId = await accountIdOf(tx, userId)
      await grantEntitlement(tx, {
        accountId,
        dataset: options.dataset,
        grantedBy: options.as,
        ...(options.states ? { states: options.states } : {}),
        ...(options.districts ? { districts: options.districts } : {}),
        ...(options.pincodes ? { pincodes: options.pincodes } : {}),
        ...(options.from ? { from: options.from } : {}),
        ...(options.to ? { to: options.to } : {}),
        ...(options.anchored ? { anchored: true } : {}),
      })
      return accessEntry(tx, accountId, options.dataset)
    })
    context.out.answer(entry, fields)
  })
}

async function change(
  context: CommandContext,
  userId: string,
  act: (tx: Tx, accountId: string) => Promise<unknown>,
): Promise<void> {
  await withInstance(context, 'account', async (instance) => {
    const account = await instance.db.transaction(async (tx) => {
      const accountId = await accountIdOf(tx, userId)
      await act(tx, accountId)
      const changed = await getAccount(tx, accountId)
      const credits = await creditStatement(tx, accountId)
      return { ...accountState(changed), created_at: changed.createdAt, credits }
    })
    context.out.answer(account, fields)
  })
}

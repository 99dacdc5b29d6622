/** `panji account list|find|show`: accounts, by e-mail, name, key prefix or ID. */
import type { Command } from 'commander'
import { type Account, accountState, findAccountId, getAccount } from '../../access/accounts.ts'
import { grantState, listGrants } from '../../access/grants.ts'
import { listAccounts } from '../../access/list-accounts.ts'
import { keyState, listApiKeys } from '../../access/manage-keys.ts'
import { AppError } from '../../errors.ts'
import { creditStatement } from '../../orders/credit-statement.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import { prints, type RunAction } from './command.ts'
import { shownLimit } from './number-arguments.ts'
import { onInstance } from './on-instance.ts'

interface ListOptions {
  readonly suspended?: boolean
  readonly limit: number
}

export function declareAccountLookUp(account: Command, run: RunAction): void {
  account
    .command('list')
    .description('list accounts, newest first')
    .addHelpText('after', prints('the accounts'))
    .option('--suspended', 'only suspended accounts')
    .option('--limit <n>', 'maximum number to show', shownLimit, 100)
    .action(({ suspended, limit }: ListOptions) =>
      onInstance(run, 'account list', async ({ db }, context) => {
        const only = suspended === undefined ? {} : { suspended }
        const { accounts, total } = await listAccounts(db, { ...only, page: 1, limit })
        show(context, accounts)
        noteOthers(context, accounts.length, total, '--limit shows more')
      }),
    )

  account
    .command('find')
    .description('find accounts by part of the e-mail or username, by key prefix, or by ID')
    .addHelpText('after', prints('the accounts'))
    .argument('<text>')
    .action((text: string) =>
      onInstance(run, 'account find', async ({ db }, context) => {
        const { accounts, total } = await listAccounts(db, { search: text, page: 1, limit: shownMax })
        if (accounts.length === 0) throw new AppError('NOT_FOUND', `No account matches ${text}.`)
        show(context, accounts)
        noteOthers(context, accounts.length, total)
      }),
    )

  account
    .command('show')
    .description('show one account: plan, credits, keys and grants')
    .addHelpText('after', prints('the account'))
    .argument('<user_id>', 'or e-mail')
    .action((userId: string) =>
      onInstance(run, 'account show', async ({ db }, context) => {
        const found = await getAccount(db, await findAccountId(db, userId))
        const { accountId } = found
        const grants = (await listGrants(db, accountId)).map(grantState)
        const keys = (await listApiKeys(db, accountId)).map(keyState)
        context.out.answer({ ...stateOf(found), credits: await creditStatement(db, accountId), keys, grants }, fields)
      }),
    )
}

const stateOf = (account: Account) => ({ ...accountState(account), created_at: account.createdAt.toISOString() })

function show(context: CommandContext, accounts: readonly Account[]): void {
  context.out.answer(accounts.map(stateOf), (states) =>
    table(
      ['user_id', 'e-mail', 'plan', 'suspended', 'created'],
      states.map(({ user_id, email, plan, is_enterprise, suspended, created_at }) => [
        user_id,
        email,
        is_enterprise ? 'enterprise' : plan,
        suspended ? 'yes' : 'no',
        created_at,
      ]),
    ),
  )
}

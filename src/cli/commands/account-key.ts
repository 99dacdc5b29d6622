/** `panji account key …`: the API keys of an account. A key is shown once. */
import type { Command } from 'commander'
import { findAccountId } from '../../access/accounts.ts'
import { createApiKey, getApiKey, keyState, listApiKeys, revokeApiKey } from '../../access/manage-keys.ts'
import { endOfIndianDay, isIsoDate } from '../../domain/iso-date.ts'
import { type KeyScope, keyScopes } from '../../domain/key-scope.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { prints, type RunAction } from './command.ts'
import { wholeNumber } from './number-arguments.ts'
import { onInstance } from './on-instance.ts'
import { keyNameArgument } from './worded-arguments.ts'

interface CreateOptions {
  readonly name?: string
  readonly scopes?: readonly KeyScope[]
  readonly expires?: Date
  readonly replaces?: string
  readonly standingOrder?: string
  readonly overlapHours?: number
}

const overlapHoursUsual = 24
const byOperator = { actor: 'operator', scopes: keyScopes } as const

export function declareAccountKey(account: Command, run: RunAction): void {
  const key = account.command('key').description('API keys of an account')

  key
    .command('create')
    .description('create a key, which is shown only now')
    .addHelpText('after', prints('{key_id, prefix, api_key}'))
    .argument('<user_id>', 'or e-mail')
    .option('--name <name>', 'where the key is used', keyNameArgument)
    .option(
      '--scopes <scopes>',
      `one or more of ${keyScopes.join(', ')}, separated by commas; all by default`,
      scopesIn,
    )
    .option('--expires <YYYY-MM-DD>', 'last day of the key, in India', lastDay)
    .option(
      '--replaces <prefix>',
      'prefix or ID of the key that is replaced and will expire; the new key expires only with --expires',
    )
    .option('--standing-order <id>', 'restrict the key to this standing order, within its budget')
    .option(
      '--overlap-hours <n>',
      `with --replaces: how long the old key keeps working; ${overlapHoursUsual} by default`,
      wholeNumber(0, 9999),
    )
    .action((user: string, options: CreateOptions) => run((context) => create(context, user, options)))

  key
    .command('list')
    .description('list the keys of an account, newest first')
    .addHelpText('after', prints('[{key_id, prefix, name, scopes, created_at, …}]'))
    .argument('<user_id>', 'or e-mail')
    .argument('[key]', 'prefix or ID of one key')
    .action((user: string, name: string | undefined) =>
      onInstance(run, 'account key list', async ({ db }, context) => {
        const accountId = await findAccountId(db, user)
        show(context, name === undefined ? await listApiKeys(db, accountId) : [await getApiKey(db, accountId, name)])
      }),
    )

  key
    .command('revoke')
    .description('revoke a key and end its sessions at once')
    .argument('<user_id>', 'or e-mail')
    .argument('<key>', 'prefix or ID of the key')
    .action((user: string, name: string) =>
      onInstance(run, 'account key revoke', async ({ db }, context) => {
        const { record } = await db.transaction(async (tx) =>
          revokeApiKey(tx, await findAccountId(tx, user), name, byOperator),
        )
        show(context, [record])
      }),
    )
}

async function create(context: CommandContext, user: string, options: CreateOptions): Promise<void> {
  const { name, scopes, expires: expiresAt, replaces, standingOrder: standingOrderId } = options
  if (replaces === undefined && options.overlapHours !== undefined)
    throw new WrongUsage('--overlap-hours applies only with --replaces, which names the old key')
  const overlapHours = options.overlapHours ?? overlapHoursUsual
  const replacement = replaces === undefined ? undefined : { replaces, overlapHours }
  await withInstance(context, 'account key create', async ({ db }) => {
    const { apiKeyId, displayPrefix, apiKey, record } = await db.transaction(async (tx) =>
      createApiKey(tx, await findAccountId(tx, user), byOperator, {
        ...{ name, scopes, expiresAt, standingOrderId, replacement },
      }),
    )
    const made = { key_id: apiKeyId, prefix: displayPrefix, api_key: apiKey }
    context.out.answer(made, () => fields({ ...made, expires: keyState(record).expires_at }))
  })
}

function show({ out }: CommandContext, keys: readonly Parameters<typeof keyState>[0][]): void {
  const states = keys.map(keyState)
  out.answer(states, () =>
    table(
      ['prefix', 'name', 'scopes', 'created', 'last used', 'expires', 'revoked'],
      states.map((key) => [
        key.prefix,
        key.name,
        key.scopes.join(','),
        key.created_at,
        key.last_used_at,
        key.expires_at,
        key.revoked_at,
      ]),
    ),
  )
}

function scopesIn(text: string): KeyScope[] {
  const names = text.split(',').map((part) => part.trim())
  const wrong = names.filter((name) => !keyScopes.some((scope) => scope === name))
  if (wrong.length > 0)
    throw new WrongUsage(`--scopes: "${wrong.join(', ')}" must be one or more of ${keyScopes.join(', ')}`)
  return keyScopes.filter((scope) => names.includes(scope))
}

/** The key expires where the next day begins in India. */
function lastDay(text: string): Date {
  if (!isIsoDate(text)) throw new WrongUsage(`--expires: "${text}" is not a date YYYY-MM-DD`)
  return endOfIndianDay(text)
}

/**
 * `panji account grant|grants|revoke-grant`: which feeds an account may read, for which places and days, and until
 * when.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { pinCode } from '../../../config/fields/forms.ts'
import { findAccountId } from '../../access/accounts.ts'
import { accessEntry } from '../../access/entitlements.ts'
import { accountOfGrant, grantEntitlement, type grantState } from '../../access/grants.ts'
import listGrants from '../../api/operations/grants/list.ts'
import revokeGrant from '../../api/operations/grants/revoke.ts'
import { type EntityType, entityTypes } from '../../domain/identity.ts'
import { endOfIndianDay, isIsoDate } from '../../domain/iso-date.ts'
import { withInstance } from '../instance/with-instance.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { prints, type RunAction } from './command.ts'
import { requireOrder } from './day-order.ts'
import { onOperations } from './on-operations.ts'

interface GrantOptions {
  readonly dataset: EntityType
  readonly states?: string[]
  readonly districts?: string[]
  readonly pincodes?: string[]
  readonly from?: string
  readonly to?: string
  readonly anchored?: boolean
  readonly as: 'subscription' | 'offer'
  readonly expires?: Date
  readonly name?: string
}

/** An empty list would grant everything, which the caller cannot have meant. */
function list(text: string): string[] {
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (names.length === 0) throw new InvalidArgumentError('The list is empty; leave the option out for no restriction.')
  return names
}

function pinList(text: string): string[] {
  const pins = list(text)
  const malformed = pins.find((pin) => !pinCode.shape.test(pin))
  if (malformed !== undefined) throw new InvalidArgumentError(`"${malformed}" is not ${pinCode.words}.`)
  return pins
}

export function declareAccountGrants(account: Command, run: RunAction): void {
  account
    .command('grant')
    .description(
      'grant a feed of recent registrations within a territory and a date range, in addition to earlier grants',
    )
    .addHelpText('after', prints("the dataset's entry of the access statement"))
    .argument('<user_id>', 'or e-mail')
    .addOption(new Option('--dataset <dataset>').choices([...entityTypes]).makeOptionMandatory())
    .option('--states <names>', 'separated by commas; nationwide by default', list)
    .option('--districts <names>', 'separated by commas', list)
    .option('--pincodes <pins>', 'separated by commas', pinList)
    .option('--from <YYYY-MM-DD>', 'first registration date')
    .option('--to <YYYY-MM-DD>', 'last registration date')
    .option('--anchored', '--from is the start of the subscription')
    .option('--expires <day>', 'last day of the grant, in India, or the moment of its end with its offset', endOfGrant)
    .option('--name <name>', 'plan name shown to the account')
    .addOption(new Option('--as <kind>').choices(['subscription', 'offer']).default('subscription'))
    .action((userId: string, options: GrantOptions) => {
      for (const date of [options.from, options.to]) {
        if (date !== undefined && !isIsoDate(date)) throw new WrongUsage(`"${date}" is not a date YYYY-MM-DD`)
      }
      requireOrder({ first: options.from, last: options.to })
      return run((context) => grant(context, userId, options))
    })

  account
    .command('grants')
    .description('list the grants of an account, including ended ones, newest first')
    .addHelpText('after', prints('[{grant_id, dataset, plan, state, territory, date_window, expires_at, …}]'))
    .argument('<user_id>', 'or e-mail')
    .action((userId: string) =>
      onOperations(run, 'account grants', async ({ call }, context, { db }) => {
        show(context, (await call(listGrants, { params: { id: await findAccountId(db, userId) } })).data)
      }),
    )

  account
    .command('revoke-grant')
    .description('end a grant at once; the account sees it in its access statement')
    .usage('[options] [user_id] <grant_id>')
    .argument('<grant_id>', 'see account grants; if a user_id or e-mail comes first, it must own the grant')
    .argument('[grant_of_user]', 'the grant, if its owner comes first')
    .action((first: string, second: string | undefined) =>
      onOperations(run, 'account revoke-grant', async ({ call }, context, { db }) => {
        const id = await (second === undefined ? accountOfGrant(db, first) : findAccountId(db, first))
        context.out.answer(await call(revokeGrant, { params: { id, grant_id: second ?? first } }), fields)
      }),
    )
}

async function grant(context: CommandContext, userId: string, options: GrantOptions): Promise<void> {
  const { dataset, states, districts, pincodes, from, to, anchored, as, expires, name } = options
  await withInstance(context, 'account grant', async ({ db }) => {
    const entry = await db.transaction(async (tx) => {
      const accountId = await findAccountId(tx, userId)
      const terms = { states, districts, pincodes, from, to, anchored, expiresAt: expires, planName: name }
      await grantEntitlement(tx, { accountId, dataset, grantedBy: as, ...terms })
      return accessEntry(tx, accountId, dataset)
    })
    context.out.answer(entry, fields)
  })
}

function show(context: CommandContext, grants: readonly ReturnType<typeof grantState>[]): void {
  context.out.answer(grants, (states) =>
    table(
      ['grant', 'dataset', 'plan', 'state', 'territory', 'from', 'to', 'expires'],
      states.map(({ grant_id, dataset, plan, state, territory, date_window: window, expires_at }) => [
        grant_id,
        dataset,
        plan,
        state,
        placesOf(territory),
        window.from,
        window.to,
        expires_at,
      ]),
    ),
  )
}

function placesOf({ states, districts, pincodes }: ReturnType<typeof grantState>['territory']): string {
  const lists = [states, districts, pincodes].flatMap((names) => (names === null ? [] : [names.join(', ')]))
  return lists.join(' / ') || 'nationwide'
}

/** A day lasts until its end in India, as for API keys. @throws WrongUsage */
function endOfGrant(text: string): Date {
  if (isIsoDate(text)) return endOfIndianDay(text)
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const instant = new Date(isInstant ? text : Number.NaN)
  if (!Number.isNaN(instant.getTime())) return instant
  throw new WrongUsage(`--expires: "${text}" is neither a day YYYY-MM-DD nor a moment such as 2027-03-31T18:30:00Z`)
}

/**
 * `panji account people|invite|link …`: the people of an account, and sign-in links for those who receive no e-mail.
 */
import { type Command, Option } from 'commander'
import { invitations } from '../../../config/sign-in.ts'
import { findAccountId } from '../../access/accounts.ts'
import { handOutLink } from '../../access/hand-out-link.ts'
import { getPerson, listPeople, personState } from '../../access/people.ts'
import { removePersonFactor } from '../../access/person-factor.ts'
import inviteAccountPerson from '../../api/operations/account-people/invite.ts'
import { type AccountRole, accountRoles } from '../../domain/account-role.ts'
import { apiOrigin } from '../instance/api-origin.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withOperations } from '../instance/with-operations.ts'
import { fields, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { prints, type RunAction } from './command.ts'
import { onInstance } from './on-instance.ts'

const atTerminal = { id: 'environment', name: 'operator' } as const

export function declareAccountPeople(account: Command, run: RunAction): void {
  account
    .command('people')
    .description('list the people of an account with their roles')
    .addHelpText('after', prints('[{person_id, email, name, role, state, …}]'))
    .argument('<user_id>', 'or e-mail')
    .action((user: string) => run((context) => list(context, user)))

  account
    .command('invite')
    .description(`invite a person to an account for ${invitations.days} days, and print the link`)
    .addHelpText('after', prints('{person_id, email, role, link, expires_at}'))
    .argument('<user_id>', 'or e-mail')
    .argument('<email>', 'e-mail of the person')
    .addOption(new Option('--role <role>').choices(accountRoles).default('viewer'))
    .option('--name <name>', 'display name')
    .action((user: string, email: string, options: { readonly role: AccountRole; readonly name?: string }) =>
      run((context) => invite(context, user, { email, role: options.role, name: options.name })),
    )

  account
    .command('second-factor')
    .description('remove the second factor of a person who lost it')
    .addHelpText('after', prints('{person_id, email, second_factor}'))
    .argument('<user_id>', 'ID or e-mail of the account')
    .argument('<person>', 'e-mail or ID of the person')
    .requiredOption('--remove', 'a link alone signs them in until they add another')
    .action((user: string, name: string) => run((context) => forgetFactor(context, user, name)))

  account
    .command('link')
    .description('print a sign-in link for a person of an account; it works once')
    .addHelpText('after', prints('{person_id, email, role, link, expires_at}'))
    .argument('<user_id>', 'ID or e-mail of the account')
    .argument('<person>', 'e-mail or ID of the person')
    .action((user: string, name: string) =>
      onInstance(run, 'account link', async ({ db }, context) => {
        print(context, await db.transaction(async (tx) => linkFor(tx, await findAccountId(tx, user), name)))
      }),
    )
}

const forgetFactor = (context: CommandContext, user: string, name: string) =>
  withInstance(context, 'account second-factor', async ({ db }) => {
    const { personId, email } = await db.transaction(async (tx) => {
      const accountId = await findAccountId(tx, user)
      const person = await getPerson(tx, accountId, name)
      await removePersonFactor(tx, { accountId, personId: person.personId, actor: 'operator', by: 'operator' })
      return person
    })
    context.out.answer({ person_id: personId, email, second_factor: false }, fields)
  })

const linkFor = (tx: Parameters<typeof handOutLink>[0], accountId: string, name: string) =>
  handOutLink(tx, accountId, { name, operator: atTerminal, actor: 'operator' })

async function list(context: CommandContext, user: string): Promise<void> {
  await withInstance(context, 'account people', async ({ db }) => {
    const people = (await listPeople(db, await findAccountId(db, user))).map(personState)
    context.out.answer(people, () =>
      table(
        ['e-mail', 'name', 'role', 'state', 'invited', 'last sign-in'],
        people.map((each) => [each.email, each.name, each.role, each.state, each.invited_at, each.last_used_at]),
      ),
    )
  })
}

async function invite(
  context: CommandContext,
  user: string,
  person: { readonly email: string; readonly role: AccountRole; readonly name: string | undefined },
): Promise<void> {
  await withOperations(context, 'account invite', async ({ call }, { db }) => {
    const accountId = await findAccountId(db, user)
    const { person_id: personId } = await call(inviteAccountPerson, { params: { id: accountId }, body: person })
    print(context, await db.transaction((tx) => linkFor(tx, accountId, personId)))
  })
}

function print({ settings, out }: CommandContext, { person, path, expiresAt }: Awaited<ReturnType<typeof linkFor>>) {
  const { personId: person_id, email, role } = person
  out.answer(
    { person_id, email, role, link: `${apiOrigin(settings)}${path}`, expires_at: expiresAt.toISOString() },
    fields,
  )
}

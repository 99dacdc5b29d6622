/**
 * `panji migrate`: applies missing migrations and creates the roles, their grants and the queues, so that the processes
 * can run with logins that may do none of it.
 */
import type { Db } from '../../db/db.ts'
import { listOlderProcesses } from '../../db/older-processes.ts'
import { rolesSql } from '../../db/roles.ts'
import { AppError } from '../../errors.ts'
import { asks } from '../confirm/ask.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import { withQueue } from '../instance/with-worker.ts'
import type { CommandContext } from '../settings.ts'
import { type Declare, prints } from './command.ts'

export const declareMigrate: Declare = (program, run) => {
  program
    .command('migrate')
    .description('apply missing migrations to the database, and create its roles')
    .addHelpText('after', prints('{applied}'))
    .option('--yes', 'continue although processes of an older, incompatible Panji are running')
    .action((options: { yes?: boolean }) =>
      run(async (context) => {
        await withInstance(
          context,
          'migrate',
          async (instance) => {
            // Opening the queue declares the queues.
            await withQueue(context, instance, async () => {})
            const { applied } = instance
            const missing = await missingRoles(instance)
            context.out.answer({ applied, ...(missing === undefined ? {} : { roles_sql: missing }) }, () =>
              [
                applied.length === 0 ? 'The database is up to date.' : `Applied:\n  ${applied.join('\n  ')}`,
                ...(missing === undefined ? [] : [rolesAdvice, missing]),
              ].join('\n'),
            )
          },
          { creates: true, beforeMigration: (db) => heedOlderProcesses(context, db, options.yes ?? false) },
        )
      }),
    )
}

/** @throws AppError CONFLICT where incompatible older processes run and --yes was not given. */
async function heedOlderProcesses(context: CommandContext, db: Db, isSaid: boolean): Promise<void> {
  const older = isSaid ? [] : await listOlderProcesses(db)
  if (older.length === 0) return
  const named = older.map(({ pid, login, address }) => `${pid} (${login}${address === null ? '' : ` from ${address}`})`)
  const facts = `Processes of an older Panji run on this database and are incompatible with the migrations to apply: ${named.join(', ')}.`
  if ((await asks(context, `${facts} Apply them anyway?`)) === true) return
  throw new AppError('CONFLICT', `${facts} Nothing was applied. Stop them first, or use --yes.`)
}

const rolesAdvice = `
This login may not make the roles that Panji works as, so everything runs with its rights. Have the following run by a role
with CREATEROLE, and \`panji migrate\` again:
`

/** @returns the statements that create the roles, where this login could not. */
async function missingRoles({ db, connections }: OpenInstance): Promise<string | undefined> {
  if (connections.panji_api.role !== undefined || connections.panji_worker.role !== undefined) return undefined
  const [login] = await db.query<{ name: string }>('SELECT current_user::text AS name')
  return rolesSql(login?.name ?? 'panji')
}

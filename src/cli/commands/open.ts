/**
 * `panji open`: opens the console of the running instance in the browser if there is one, signed in once as the owner.
 */
import { spawn } from 'node:child_process'
import { consoleCodeMinutes } from '../../../config/sign-in.ts'
import { issueConsoleCode } from '../../access/console-codes.ts'
import { readInstance } from '../../db/embedded/instance-lock.ts'
import { AppError } from '../../errors.ts'
import { apiOrigin } from '../instance/api-origin.ts'
import { withInstance } from '../instance/with-instance.ts'
import type { CommandContext } from '../settings.ts'
import type { Declare } from './command.ts'

export const declareOpen: Declare = (program, run) => {
  program
    .command('open')
    .description('open the console of the running instance, and print its link')
    .option('--no-browser', 'only print the link')
    .action((options: { readonly browser: boolean }) => run((context) => open(context, options)))
}

async function open(context: CommandContext, { browser }: { readonly browser: boolean }): Promise<void> {
  const url = await consoleUrl(context)
  const opener = browser && !context.out.json ? browserHere() : undefined
  context.out.answer({ console_url: url, opened: opener !== undefined }, () => url)
  if (opener === undefined) return
  const [command = '', ...parameters] = opener
  const child = spawn(command, [...parameters, url], { stdio: 'ignore', detached: true })
  // If it cannot be started, the link is printed anyway.
  child.on('error', () => context.out.note('No browser could be opened; open the link yourself.'))
  child.unref()
}

async function consoleUrl(context: CommandContext): Promise<string> {
  const { settings, out } = context
  if (settings.databaseUrl) {
    out.note('Sign in with an operator token: with DATABASE_URL there is no sign-in link.')
    return `${apiOrigin(settings)}/console`
  }
  if (readInstance(settings.dataDir)?.apiUrl === undefined) {
    throw new AppError(
      'NO_INSTANCE',
      `No Panji runs on ${settings.dataDir}. \`panji start\` starts it and prints the link.`,
    )
  }
  return withInstance(context, 'open', async ({ db }) => {
    const code = await db.transaction(issueConsoleCode)
    out.note(`The link signs in once, within ${consoleCodeMinutes} minutes.`)
    return `${apiOrigin(settings)}/console#code=${code}`
  })
}

/** The command that opens a URL, if the command runs at a terminal with a desktop. */
function browserHere(): readonly string[] | undefined {
  if (!process.stdout.isTTY) return undefined
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

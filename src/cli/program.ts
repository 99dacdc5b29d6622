/**
 * The command line: the commands of one list, and the one place that turns an error into an exit code (0 done, 1 the
 * work failed, 2 wrong usage).
 */
import { Command, CommanderError, Help } from 'commander'
import { faultText, jsonText } from './answer-text.ts'
import { actAsCommand, type Invoked, invokedBy, wordsOf } from './audit/command-audit.ts'
import { commandGroups } from './command-list.ts'
import commandTerms from './command-terms.json' with { type: 'json' }
import type { RunAction } from './commands/command.ts'
import { confirmedCommands, yesHelp } from './confirm/confirmed-commands.ts'
import { refuseEmpty } from './empty-arguments.ts'
import { failureOf } from './faults/failure-text.ts'
import type { CommandContext } from './settings.ts'
import { panjiVersion } from './version.ts'
import { WorkFailed } from './work-failed.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface Surroundings {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  /** Called once the arguments are valid. */
  readonly contextOf: (json: boolean) => Promise<CommandContext>
}

/** Without a command it prints the status and what to do next. @returns the exit code. */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode = 0
  const words = argv.every((word) => word === '--json') ? ['status', '--or-start', ...argv] : argv
  const json = words.includes('--json')
  let invoked: Invoked | undefined
  const run: RunAction = async (action) => {
    let showsStacks = false
    try {
      const context = { ...(await surroundings.contextOf(json)), ...(invoked && { invoked }) }
      showsStacks = context.log.isLevelEnabled('debug')
      await actAsCommand(invoked, () => action(context))
    } catch (error) {
      if (error instanceof WrongUsage || error instanceof CommanderError) throw error
      exitCode = reportFailure(surroundings, error, { json, showsStacks })
    }
  }
  const program = await buildProgram(run, (text) => void surroundings.stdout.write(text), namedIn(words))
  program.hook('preAction', (_program, command) => {
    refuseEmpty(command)
    invoked = invokedBy(command)
  })
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (!(error instanceof WrongUsage || error instanceof CommanderError)) {
      // A file argument that the command reads before its work may also be at fault.
      return reportFailure(surroundings, error, { json, showsStacks: false })
    }
    reportWrongUsage(surroundings, error, json)
    return 2
  }
  return exitCode
}

/** The first words of commands; `panji help runs` also names one. */
const namedIn = (argv: readonly string[]): string[] => argv.filter((word) => !word.startsWith('-')).slice(0, 2)

/**
 * Every command, with its actions run by `run`; `writeOut` prints help and version. @param named the commands to parse;
 * the others only have their name and help line. All when unset.
 */
export async function buildProgram(
  run: RunAction,
  writeOut: (text: string) => void = () => {},
  named?: readonly string[],
): Promise<Command> {
  const output = { outputError: () => {}, writeOut }
  const program = new Command('panji')
    .description('The Indian company, director and GST registers: ingest, API, orders, CRM delivery.')
    .version(panjiVersion(), '-V, --version', 'print the version of Panji')
    .exitOverride()
    .configureOutput(output)
    .configureHelp({ subcommandTerm: (command) => termOf(command) ?? new Help().subcommandTerm(command) })
  // The completion script needs all commands.
  const isWanted = (word: string) => !named || named.includes('completion') || named.includes(word)
  for (const { heading, commands } of commandGroups) {
    program.commandsGroup(heading)
    for (const [words, load] of commands) {
      if (words.some(isWanted)) (await load())(program, run)
      else for (const word of words) program.command(word).description(descriptionOf(word))
    }
  }
  for (const command of allCommands(program)) {
    // The caller of the program prints the error in one line; help is an explicit request.
    command.exitOverride().configureOutput(output)
    if (confirmedCommands.includes(wordsOf(command))) command.option('--yes', yesHelp)
    if (command.commands.length === 0) command.option('--json', 'print one JSON document on standard output')
  }
  return program
}

const terms: Readonly<Record<string, { readonly term: string; readonly description: string }>> = commandTerms
/** Top-level commands only: a command within a group may share a name with one. */
const termOf = (command: Command): string | undefined =>
  command.parent?.parent ? undefined : terms[command.name()]?.term
const descriptionOf = (word: string): string => terms[word]?.description ?? ''

export function allCommands(program: Command): Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)])
}

/** `unknown command 'run'. (Did you mean runs?)` in one line. */
const usageFault = ({ message }: Error): string =>
  message
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')

function reportWrongUsage({ stdout, stderr }: Surroundings, error: Error, json: boolean): void {
  const message = usageFault(error)
  const code = error instanceof WrongUsage ? error.code : 'BAD_REQUEST'
  if (json) stdout.write(`${jsonText({ error: { code, message } })}\n`)
  const help = code === 'BAD_REQUEST' ? '\nRun `npx panji --help`, or a command with --help, for the usage.' : ''
  stderr.write(`panji: ${faultText(message)}${help}\n`)
}

/** @returns the exit code: an operation may also reject its input, which is wrong usage as well. */
function reportFailure(
  { stdout, stderr }: Surroundings,
  error: unknown,
  { json, showsStacks }: { json: boolean; showsStacks: boolean },
): 1 | 2 {
  if (error instanceof WorkFailed) {
    if (!json) stderr.write(`panji: ${faultText(error.message)}\n`)
    return 1
  }
  const { code, message, stack } = failureOf(error)
  if (json) stdout.write(`${jsonText({ error: { code, message } })}\n`)
  stderr.write(`panji: ${faultText(message)}\n`)
  if (stack === undefined) return code === 'BAD_REQUEST' ? 2 : 1
  const where = showsStacks ? stack : 'This is an unexpected error. LOG_LEVEL=debug shows where it happened.'
  stderr.write(`${faultText(where)}\n`)
  return 1
}

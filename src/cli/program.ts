/**
 * The command line: every command in one list, and the one place that turns an error into an exit code
 * (0 done, 1 the work failed, 2 wrong usage).
 */
import { Command, CommanderError } from 'commander'
import { declareAccount } from './commands/account.ts'
import { declareApproval } from './commands/approve.ts'
import { declareAudit } from './commands/audit.ts'
import { declareBackup } from './commands/backup.ts'
import { declareCancel } from './commands/cancel.ts'
import type { Declare, RunAction } from './commands/command.ts'
import { declareCompletion } from './commands/completion.ts'
import { declareDeliveries } from './commands/deliveries.ts'
import { declareDestination } from './commands/destination.ts'
import { declareDoctor } from './commands/doctor.ts'
import { declareHistory } from './commands/history.ts'
import { declareIngest } from './commands/ingest.ts'
import { declareJobs } from './commands/jobs.ts'
import { declareLedger } from './commands/ledger.ts'
import { declareMigrate } from './commands/migrate.ts'
import { declareOperator } from './commands/operator.ts'
import { declareOrder } from './commands/order.ts'
import { declarePayments } from './commands/payments.ts'
import { declarePreview } from './commands/preview.ts'
import { declarePush } from './commands/push.ts'
import { declareQuality } from './commands/quality.ts'
import { declareReceipt } from './commands/receipt.ts'
import { declareRejects } from './commands/rejects.ts'
import { declareRestore } from './commands/restore.ts'
import { declareRuns } from './commands/runs.ts'
import { declareSample } from './commands/sample.ts'
import { declareSandbox } from './commands/sandbox.ts'
import { declareSchedules } from './commands/schedules.ts'
import { declareScope } from './commands/scope.ts'
import { declareSecrets } from './commands/secrets.ts'
import { declareSql } from './commands/sql.ts'
import { declareStart } from './commands/start.ts'
import { declareStatus } from './commands/status.ts'
import { declareSubscription } from './commands/subscription.ts'
import { declareSuppress } from './commands/suppress.ts'
import { declareUndo } from './commands/undo.ts'
import { declareWebhook } from './commands/webhook.ts'
import { failureOf } from './faults/failure-text.ts'
import { faultText, jsonText } from './output.ts'
import type { CommandContext } from './settings.ts'
import { actAsCommand, type Invoked, invokedBy } from './trail/command-trail.ts'
import { panjiVersion } from './version.ts'
import { WorkFailed } from './work-failed.ts'
import { WrongUsage } from './wrong-usage.ts'

const commands: readonly Declare[] = [
  declareStart,
  declareStatus,
  declareMigrate,
  declareIngest,
  declareRuns,
  declareRejects,
  declareApproval,
  declareQuality,
  declareCancel,
  declarePreview,
  declareUndo,
  declareScope,
  declareHistory,
  declareAccount,
  declareLedger,
  declarePayments,
  declareOrder,
  declareSubscription,
  declareOperator,
  declareSecrets,
  declareSchedules,
  declareJobs,
  declareDestination,
  declareDeliveries,
  declareReceipt,
  declareWebhook,
  declarePush,
  declareBackup,
  declareRestore,
  declareSample,
  declareSql,
  declareSuppress,
  declareSandbox,
  declareAudit,
  declareDoctor,
  declareCompletion,
]

export interface Surroundings {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  /** Called once the arguments are known to be right. */
  readonly contextOf: (json: boolean) => Promise<CommandContext>
}

/** @returns the exit code. */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode = 0
  const json = argv.includes('--json')
  let invoked: Invoked | undefined
  const run: RunAction = async (action) => {
    let showsStacks = false
    try {
      const context = await surroundings.contextOf(json)
      showsStacks = context.log.isLevelEnabled('debug')
      await actAsCommand(invoked, () => action(context))
    } catch (error) {
      if (error instanceof WrongUsage || error instanceof CommanderError) throw error
      exitCode = 1
      reportFailure(surroundings, error, { json, showsStacks })
    }
  }
  const program = buildProgram(run, (text) => void surroundings.stdout.write(text))
  program.hook('preAction', (_program, command) => {
    invoked = invokedBy(command)
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (!(error instanceof WrongUsage || error instanceof CommanderError)) {
      // What a command looks at before it goes to work, a file that it is given, may be at fault, too.
      reportFailure(surroundings, error, { json, showsStacks: false })
      return 1
    }
    reportWrongUsage(surroundings, usageFault(error), json)
    return 2
  }
  return exitCode
}

/** Every command, as `run` has its actions run; `writeOut` takes help and version. */
export function buildProgram(run: RunAction, writeOut: (text: string) => void = () => {}): Command {
  const output = { outputError: () => {}, writeOut }
  const program = new Command('panji')
    .description('The Indian company, director and GST registers: ingest, API, orders, CRM delivery.')
    .version(panjiVersion(), '-V, --version', 'print the version of Panji')
    .exitOverride()
    .configureOutput(output)
  for (const declare of commands) declare(program, run)
  for (const command of allCommands(program)) {
    // The fault is told in one line by whoever runs the program; help asks for itself.
    command.exitOverride().configureOutput(output)
    if (command.commands.length === 0) command.option('--json', 'print one JSON document on standard output')
  }
  return program
}

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

function reportWrongUsage({ stdout, stderr }: Surroundings, message: string, json: boolean): void {
  if (json) stdout.write(`${jsonText({ error: { code: 'BAD_REQUEST', message } })}\n`)
  stderr.write(`panji: ${faultText(message)}\nRun \`npx panji --help\`, or a command with --help, for the usage.\n`)
}

function reportFailure(
  { stdout, stderr }: Surroundings,
  error: unknown,
  { json, showsStacks }: { json: boolean; showsStacks: boolean },
): void {
  if (error instanceof WorkFailed) {
    if (!json) stderr.write(`panji: ${faultText(error.message)}\n`)
    return
  }
  const { code, message, stack } = failureOf(error)
  if (json) stdout.write(`${jsonText({ error: { code, message } })}\n`)
  stderr.write(`panji: ${faultText(message)}\n`)
  if (stack === undefined) return
  const where = showsStacks ? stack : 'This was not foreseen. LOG_LEVEL=debug shows where it happened.'
  stderr.write(`${faultText(where)}\n`)
}

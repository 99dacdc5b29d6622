/** As on-instance.ts, for a command that calls operations of the API; importing this loads them. */
import type { TerminalCalls } from '../../api/terminal-calls.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { withOperations } from '../instance/with-operations.ts'
import type { CommandContext } from '../settings.ts'
import type { RunAction } from './command.ts'

export const onOperations = (
  run: RunAction,
  command: string,
  work: (operations: TerminalCalls, context: CommandContext, instance: OpenInstance) => Promise<void>,
): Promise<void> =>
  run((context) => withOperations(context, command, (operations, instance) => work(operations, context, instance)))

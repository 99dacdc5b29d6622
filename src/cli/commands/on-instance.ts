/** What most commands do, run by `run`: work on their instance's database. */
import type { OpenInstance, OpenOptions } from '../instance/open-instance.ts'
import { withInstance } from '../instance/with-instance.ts'
import type { CommandContext } from '../settings.ts'
import type { RunAction } from './command.ts'

export const onInstance = (
  run: RunAction,
  command: string,
  work: (instance: OpenInstance, context: CommandContext) => Promise<void>,
  options?: OpenOptions,
): Promise<void> => run((context) => withInstance(context, command, (instance) => work(instance, context), options))

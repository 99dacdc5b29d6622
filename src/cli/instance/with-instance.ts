/** Opens the command's database, asks where it destroys something, does the work, leaves its row in the audit log, and closes it whatever happens. */

import { auditCommand } from '../audit/command-audit.ts'
import { confirmCommand } from '../confirm/confirm.ts'
import type { CommandContext } from '../settings.ts'
import { WorkFailed } from '../work-failed.ts'
import { type OpenInstance, type OpenOptions, openInstance } from './open-instance.ts'

export async function withInstance<T>(
  context: CommandContext,
  command: string,
  work: (instance: OpenInstance) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const instance = await openInstance(context, command, options)
  try {
    await confirmCommand(context, instance.db)
    const result = await work(instance)
    await auditCommand(instance.db)
    return result
  } catch (error) {
    // What it was told to do, it did; only what came of it is bad.
    if (error instanceof WorkFailed) await auditCommand(instance.db)
    throw error
  } finally {
    await instance.close()
  }
}

/**
 * Opens the command's database, asks for confirmation if it destroys something, does the work, writes its row into the
 * audit log, and always closes the database. Personal data is printed only once the row that records it is written.
 */

import { auditCommand, mayReadPersonalData } from '../audit/command-audit.ts'
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
  const show = mayReadPersonalData(context.invoked) ? context.out.hold() : () => {}
  try {
    await confirmCommand(context, instance.db)
    const result = await work(instance)
    await auditCommand(instance.db)
    show()
    return result
  } catch (error) {
    // The command did its work; only the result is bad.
    if (error instanceof WorkFailed) {
      await auditCommand(instance.db)
      show()
    }
    throw error
  } finally {
    await instance.close()
  }
}

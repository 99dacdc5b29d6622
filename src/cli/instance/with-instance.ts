/** Opens the command's database, does the work, and closes it whatever happens. */
import type { CommandContext } from '../settings.ts'
import { type OpenInstance, type OpenOptions, openInstance } from './open-instance.ts'

export async function withInstance<T>(
  context: CommandContext,
  command: string,
  work: (instance: OpenInstance) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const instance = await openInstance(context, command, options)
  try {
    return await work(instance)
  } finally {
    await instance.close()
  }
}

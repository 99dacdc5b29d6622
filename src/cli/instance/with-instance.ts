/** Opens the command's database, does the work, and closes it whatever happens. */
import type { CommandContext } from '../settings.ts'
import { type OpenInstance, openInstance } from './open-instance.ts'

export async function withInstance<T>(
  context: CommandContext,
  command: string,
  work: (instance: OpenInstance) => Promise<T>,
): Promise<T> {
  const instance = await openInstance(context, command)
  try {
    return await work(instance)
  } finally {
    await instance.close()
  }
}
